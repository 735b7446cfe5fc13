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
