// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/code/compiler.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/grammar/derive_driver.h"
#include "tests/support/grammar/showcase.h"

namespace warpyard {
namespace {

using test_support::CompiledText;
using test_support::CompileText;

TEST(Compiler, FoldsConstantsAsWorkersWouldComputeThem) {
  const CompiledText compiled = CompileText(
      "wyg 1; start A; rule A = size(pow(2, 3) + sin(30) * 4, min(1, 2) - 3, 1 / 3) box;");
  ASSERT_FALSE(compiled.has_errors) << compiled.Summary();
  const auto& code = compiled.code.code.instructions;
  const std::uint32_t begin = compiled.code.code.rules[0].begin;
  EXPECT_EQ(code[begin].Number(), 10);
  EXPECT_EQ(code[begin + 1].Number(), -2);
  EXPECT_EQ(code[begin + 2].Number(), 1.0f / 3);
  EXPECT_EQ(code[begin + 3].op, grammar::Op::kSize);
}

TEST(Compiler, MarksBlocksThatMakeNoFrames) {
  const CompiledText compiled = CompileText(
      "wyg 1; start A; rule A = repeat(x, 1) { B } repeat(x, 1) { C }; rule B = box quad; "
      "rule C = copies(2) { box };");
  ASSERT_FALSE(compiled.has_errors);
  const auto& code = compiled.code.code.instructions;
  const std::uint32_t begin = compiled.code.code.rules[0].begin;
  EXPECT_TRUE(grammar::IsLeaf(code[begin + 1]));
  EXPECT_FALSE(grammar::IsLeaf(code[begin + 3]));
}

TEST(Compiler, TellsWhatTheGrammarHas) {
  const CompiledText compiled = CompileText(test_support::kShowcase);
  ASSERT_FALSE(compiled.has_errors) << compiled.Summary();
  const grammar::GrammarInfo& info = compiled.code.info;
  EXPECT_EQ(info.stages.size(), 3u);
  EXPECT_EQ(info.reports, (std::vector<std::string>{"area", "glass"}));
  EXPECT_EQ(info.meshes.size(), grammar::kBuiltInMeshes + 1u);
  ASSERT_EQ(info.attributes.size(), 2u);
  EXPECT_EQ(info.attributes[0].least, 2);
  EXPECT_EQ(info.attributes[0].most, 5);
  ASSERT_EQ(info.styles.size(), 1u);
  EXPECT_EQ(info.styles[0].values[0].second, 4);
}

}  // namespace
}  // namespace warpyard
