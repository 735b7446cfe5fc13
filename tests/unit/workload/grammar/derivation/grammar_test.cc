// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The scenes of the grammar benchmarks: counts of rules and terminals against those of another
// implementation of the language, and equal bytes for any number of workers.

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "tests/support/grammar/derive_driver.h"
#include "tests/support/grammar/scene_text.h"

namespace warpyard {
namespace {

using test_support::Derived;
using test_support::DeriveDriver;
using test_support::Lots;
using test_support::SceneText;

/// The mean counts of a building. @shape tolerance: relative
struct Expected {
  const char* name;
  std::uint32_t lots;
  float size[3];
  double nodes;
  double terminals;
  double tolerance;
};

void PrintTo(const Expected& expected, std::ostream* stream) { *stream << expected.name; }

class SceneTest : public testing::TestWithParam<Expected> {};

TEST_P(SceneTest, HasTheCountsOfTheOtherImplementation) {
  const Expected& expected = GetParam();
  const std::string text = SceneText(expected.name);
  if (text.empty()) GTEST_SKIP() << "there is no ../shared/data/grammars";
  DeriveDriver driver;
  ASSERT_TRUE(driver.Open(text).ok()) << driver.Open(text);
  const float(&size)[3] = expected.size;
  const absl::StatusOr<Derived> derived =
      driver.Derive(Lots(expected.lots, size[0], size[1], size[2]));
  ASSERT_TRUE(derived.ok()) << derived.status();
  const double nodes = static_cast<double>(derived->statistics.nodes) / expected.lots;
  const double terminals = static_cast<double>(derived->statistics.terminals) / expected.lots;
  RecordProperty("nodes", std::to_string(nodes));
  RecordProperty("terminals", std::to_string(terminals));
  EXPECT_NEAR(nodes, expected.nodes, expected.nodes * expected.tolerance);
  EXPECT_NEAR(terminals, expected.terminals, expected.terminals * expected.tolerance);
}

TEST(Tree, HasExactlyTheCountsOfTheThesisAtEightLevels) {
  const std::string text = SceneText("tree");
  if (text.empty()) GTEST_SKIP() << "there is no ../shared/data/grammars";
  DeriveDriver driver;
  ASSERT_TRUE(driver.Open(text).ok());
  grammar::DeriveOptions options = Lots(1, 0.4f, 3, 0.4f);
  options.attributes.push_back({0, {8}});  // levels
  const absl::StatusOr<Derived> derived = driver.Derive(options);
  ASSERT_TRUE(derived.ok()) << derived.status();
  EXPECT_EQ(derived->statistics.nodes, 9'841u);
  EXPECT_EQ(derived->statistics.terminals, 22'963u);
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, SceneTest,
    testing::Values(Expected{"tree", 1, {0.4f, 3, 0.4f}, 121, 283, 0},
                    Expected{"residential", 200, {20, 6, 26}, 308, 2533, 0.02},
                    Expected{"cross_towers", 1, {113, 214, 80}, 3371, 17410, 0.05},
                    Expected{"skyscraper", 50, {39, 230, 39}, 6628, 5420, 0.02},
                    Expected{"city_overview", 200, {38, 56, 31}, 1731, 2762, 0.05},
                    Expected{"suburban", 200, {22, 8, 34}, 190, 1450, 0.03}),
    [](const auto& scene) { return scene.param.name; });

}  // namespace
}  // namespace warpyard
