// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/grammar/scene.h"

#include <gtest/gtest.h>

#include "tests/support/grammar/derive_driver.h"

namespace warpyard::grammar_bench {
namespace {

TEST(Scene, HasFileParcelsSizeAndValues) {
  const auto scene = ReadScene("a/tree.wyg:7:0.4x3x5:levels=8,fan=2");
  ASSERT_TRUE(scene.ok()) << scene.status();
  EXPECT_EQ(scene->file, "a/tree.wyg");
  EXPECT_EQ(scene->parcels, 7u);
  EXPECT_EQ(scene->size[0], 0.4f);
  EXPECT_EQ(scene->size[2], 5.0f);
  ASSERT_EQ(scene->values.size(), 2u);
  EXPECT_EQ(scene->values[1].first, "fan");
  EXPECT_EQ(scene->values[1].second, 2.0f);
}

TEST(Scene, IsRefusedWhereAPartIsMissing) {
  for (const char* const word : {"", "a.wyg", "a.wyg:1", "a.wyg:x:1x2x3", "a.wyg:1:1x2",
                                 "a.wyg:1:1x2x3:levels", "a.wyg:1:1x2x3:levels=many"}) {
    EXPECT_FALSE(ReadScene(word).ok()) << word;
  }
}

TEST(Scene, GivesAttributesThatTheGrammarHas) {
  grammar::GrammarInfo info;
  info.attributes = {{"levels", 4, 0, 10}, {"fan", 3, 2, 4}};
  const auto options = OptionsOf(*ReadScene("a.wyg:2:1x2x3:fan=4,other=1"), info);
  ASSERT_EQ(options.attributes.size(), 1u);
  EXPECT_EQ(options.attributes[0].attribute, 1u);
  EXPECT_EQ(options.parcels[1].position[0], 9.0f);
}

TEST(WithLanes, ReplacesThreadsOfAllRules) {
  const std::string text =
      "wyg 1; start A; @lod(2) @threads(4) rule A = repeat(x, 1) { B }; rule B = box;";
  EXPECT_EQ(WithLanes(text, 0),
            "wyg 1; start A; @lod(2)  rule A = repeat(x, 1) { B }; rule B = box;");
  const auto compiled = test_support::CompileText(WithLanes(text, 8));
  ASSERT_FALSE(compiled.has_errors);
  for (const grammar::RuleEntry& rule : compiled.code.code.rules) EXPECT_EQ(rule.lanes, 8);
}

}  // namespace
}  // namespace warpyard::grammar_bench
