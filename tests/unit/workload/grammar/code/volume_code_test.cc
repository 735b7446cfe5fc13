// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/code/volume_code.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/grammar/derive_driver.h"
#include "tests/support/grammar/showcase.h"

namespace warpyard {
namespace {

using grammar::Instance;
using test_support::CompiledText;
using test_support::CompileText;
using test_support::Derived;
using test_support::DeriveDriver;

constexpr std::uint16_t kOpaque = 0, kEnclosing = 1;

/// Derives a text, or its volumes.
Derived DeriveCode(const std::string& text, bool volumes, const grammar::DeriveOptions& options) {
  CompiledText compiled = CompileText(text);
  EXPECT_FALSE(compiled.has_errors) << compiled.Summary();
  if (volumes) compiled.code.code = compiled.code.volumes;
  DeriveDriver driver;
  EXPECT_TRUE(driver.Open(std::move(compiled.code)).ok());
  auto derived = driver.Derive(options);
  EXPECT_TRUE(derived.ok()) << derived.status();
  return *std::move(derived);
}

using Places = std::vector<std::array<float, 10>>;

/// Where instances of a material are, in any order.
Places PlacesOf(const Derived& derived, std::uint16_t material) {
  Places places;
  for (const Instance& i : derived.instances) {
    if (i.material != material) continue;
    places.push_back({i.position[0], i.position[1], i.position[2], i.rotation[0], i.rotation[1],
                      i.rotation[2], i.rotation[3], i.size[0], i.size[1], i.size[2]});
  }
  std::ranges::sort(places);
  return places;
}

/// Volumes of which a box of material 1 marks the place in the whole derivation.
struct VolumeCase {
  const char* name;
  const char* rules;
};

class VolumeCodeTest : public testing::TestWithParam<VolumeCase> {};

TEST_P(VolumeCodeTest, MakesVolumesWhereTheRulesHaveThem) {
  const std::string text = std::string("wyg 1; stage a, b, c; start A; ") + GetParam().rules;
  const grammar::DeriveOptions options = test_support::Lots(20, 12, 9, 15);
  const Places marks = PlacesOf(DeriveCode(text, false, options), 1);
  const Derived volumes = DeriveCode(text, true, options);
  EXPECT_FALSE(marks.empty());
  EXPECT_EQ(PlacesOf(volumes, kOpaque), marks);
  EXPECT_EQ(volumes.instances.size(), marks.size()) << "nothing else is made";
}

INSTANTIATE_TEST_SUITE_P(
    Volumes, VolumeCodeTest,
    testing::Values(
        VolumeCase{"One", "rule A = volume(v) box(mark);"},
        VolumeCase{"RandomSizes",
                   "rule A = size(rand(1, 9), rand(1, 9), 0) volume(v) box(mark) B;"
                   "rule B = copies(rand(1, 5)) { cyl };"},
        VolumeCase{"AfterOtherSteps",
                   "rule A = cyl quad [ yaw(rand(90)) volume(v) box(mark) ] color(1, 0, 0) cyl;"},
        VolumeCase{"InBlocks",
                   "rule A = split(x) { 2 : cyl | ~1 : repeat(z, 2) { B } | 2 : B };"
                   "rule B = { 40% : volume(v) box(mark) | else : cyl };"},
        VolumeCase{"InSeveralParts",
                   "rule A = comp { top : extrude(2) volume(v) box(mark) | side : quad } B;"
                   "rule B = size(2, 2, 2) volume(v) box(mark) C; rule C = B2; rule B2 = cyl;"},
        VolumeCase{"InLaterStages",
                   "rule A : a = scale(0.5, 1, 1) B; rule B : b = C cyl;"
                   "rule C : c = size(0, rand(2, 3), 0) volume(v) box(mark);"},
        VolumeCase{"WhereVolumesDecideAboutVolumes",
                   "rule A : a = split(x) { 4 : volume(v) box(mark) Wall | ~1 : Wall };"
                   "rule Wall : b = repeat(x, 1) { Part };"
                   "rule Part : b = { when touches(v) : volume(v) box(mark) | else : cyl };"},
        VolumeCase{"WhereHiddenOnesDecide",
                   "rule A : a = [ size(4, 0, 0) volume(h, hidden) ] repeat(x, 1) { Part };"
                   "rule Part : b = { when inside(h) : volume(v) box(mark) | else : cyl };"},
        VolumeCase{"WhereSnapLinesDecide",
                   "rule A : a = snap(x, 2.3) B;"
                   "rule B : b = repeat(x, 2, snap) { volume(v) box(mark) cyl };"},
        VolumeCase{"RulesThatCallThemselves",
                   "rule A = B(0); rule B(k) = { when k < 5 : volume(v) box(mark) scale(0.8, 0.8, "
                   "0.8) B(k + 1) | else : Leaf }; rule Leaf = Leaf2; rule Leaf2 = cyl;"}),
    [](const auto& info) { return info.param.name; });

TEST(VolumeCode, TellsOpaqueFromEnclosingAndLeavesOutHidden) {
  const std::string text =
      "wyg 1; start A; rule A = volume(a) [ size(2, 0, 0) volume(b, enclosing) ] "
      "[ size(1, 0, 0) volume(c, hidden) ] box;";
  const Derived volumes = DeriveCode(text, true, test_support::Lots(3, 5, 5, 5));
  ASSERT_EQ(volumes.instances.size(), 6u);
  EXPECT_EQ(PlacesOf(volumes, kOpaque).size(), 3u);
  const Places enclosing = PlacesOf(volumes, kEnclosing);
  ASSERT_EQ(enclosing.size(), 3u);
  EXPECT_EQ(enclosing[0][7], 2);
}

TEST(VolumeCode, ThereIsNoneWithoutAnOpaqueVolume) {
  EXPECT_TRUE(CompileText("wyg 1; start A; rule A = box;").code.volumes.instructions.empty());
  EXPECT_TRUE(CompileText("wyg 1; start A; rule A = volume(a, hidden) box;")
                  .code.volumes.instructions.empty());
}

TEST(VolumeCode, RulesWithoutVolumesAreNotExecutedFurther) {
  const std::string endless = "wyg 1; start A; rule A = volume(a) B; rule B = B;";
  EXPECT_EQ(DeriveCode(endless, true, test_support::Lots(2, 5, 5, 5)).instances.size(), 2u);
}

TEST(VolumeCode, TheShowcaseHasItsHouses) {
  const Derived volumes =
      DeriveCode(test_support::kShowcase, true, test_support::Lots(30, 20, 12, 30));
  EXPECT_EQ(volumes.instances.size(), 30u);
  for (const Instance& house : volumes.instances) EXPECT_FLOAT_EQ(house.size[1], 9.3f);
}

}  // namespace
}  // namespace warpyard
