// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/derivation/derivation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/grammar/derive_driver.h"
#include "tests/support/grammar/showcase.h"

namespace warpyard {
namespace {

using grammar::DeriveOptions;
using grammar::Instance;
using test_support::DeriveDriver;
using test_support::DeriveText;
using test_support::kShowcase;
using test_support::Lots;
using test_support::SameBytes;

TEST(Derivation, GivesTheSameBytesForAnyWorkersAndMemory) {
  DeriveOptions options = Lots(400, 24, 12, 30);
  const auto usual = DeriveText(kShowcase, options);
  ASSERT_TRUE(usual.ok()) << usual.status();
  for (const int threads : {2, 4}) {
    const auto other = DeriveText(kShowcase, options, threads);
    ASSERT_TRUE(other.ok());
    EXPECT_TRUE(SameBytes(usual->instances, other->instances)) << threads;
    EXPECT_EQ(usual->statistics.checksum, other->statistics.checksum);
    EXPECT_EQ(usual->statistics.reports, other->statistics.reports);
  }
  options.max_bytes = 16 << 20;
  const auto little = DeriveText(kShowcase, options);
  ASSERT_TRUE(little.ok());
  EXPECT_GT(little->statistics.batches, 1u);
  EXPECT_TRUE(SameBytes(usual->instances, little->instances));
}

TEST(Derivation, DependsOnTheSeedAndOnTheParcelAlone) {
  DeriveOptions options = Lots(5, 24, 12, 30);
  const auto all = DeriveText(kShowcase, options);
  options.parcels = {options.parcels[3]};
  const auto alone = DeriveText(kShowcase, options);
  ASSERT_TRUE(all.ok() && alone.ok());
  std::vector<Instance> fourth;
  for (Instance instance : all->instances) {
    if (instance.building != 3) continue;
    instance.building = 0;
    fourth.push_back(instance);
  }
  EXPECT_TRUE(SameBytes(fourth, alone->instances));
  options.seed = 1;
  const auto other = DeriveText(kShowcase, options);
  ASSERT_TRUE(other.ok());
  EXPECT_FALSE(SameBytes(other->instances, alone->instances));
}

TEST(Derivation, LimitsInstances) {
  DeriveOptions options = Lots(10, 10, 1, 1);
  options.max_instances = 99;
  const std::string text = "wyg 1; start A; rule A = repeat(x, 1) { B }; rule B = box;";
  EXPECT_TRUE(absl::IsResourceExhausted(DeriveText(text, options).status()));
  options.max_instances = 100;
  EXPECT_TRUE(DeriveText(text, options).ok());
}

TEST(Derivation, DropsAndCountsWhatIsNoBox) {
  const auto derived = DeriveText(
      "wyg 1; start A; rule A = [ size(-1, 1, 1) box ] [ scale(sqrt(-1), 1, 1) box ] "
      "[ translate(1 / 0, 0, 0) box ] [ scale(0, 0, 1) box ] repeat(x, -2) { box } "
      "repeat(x, 0 / 0) { quad } split(x) { -3 : nil | ~1 : box } copies(-1) { box };",
      Lots(1, 4, 4, 4));
  ASSERT_TRUE(derived.ok()) << derived.status();
  EXPECT_EQ(derived->statistics.rules[0].dropped, 4u);
  EXPECT_EQ(derived->statistics.rules[0].clamped, 4u);
  EXPECT_EQ(derived->instances.size(), 3u);
  for (const Instance& instance : derived->instances) {
    for (const float x : instance.size) EXPECT_TRUE(std::isfinite(x));
  }
}

TEST(Derivation, TakesAttributesOfParcels) {
  DeriveOptions options = Lots(3, 10, 1, 1);
  options.attributes = {{0, {1, 2, 5}}};
  const auto derived = DeriveText(
      "wyg 1; attr a = 1 in [1..9]; start A; rule A = repeat(x, 10 / a) { box } report(r, a);",
      options);
  ASSERT_TRUE(derived.ok()) << derived.status();
  EXPECT_EQ(derived->instances.size(), 8u);
  EXPECT_EQ(derived->statistics.reports, (std::vector<double>{1, 2, 5}));
  options.attributes = {{0, {1, 2, 5}}, {0, {2}}};
  const auto replaced =
      DeriveText("wyg 1; attr a = 1 in [1..9]; start A; rule A = box report(r, a);", options);
  ASSERT_TRUE(replaced.ok());
  EXPECT_EQ(replaced->statistics.reports, (std::vector<double>{2, 2, 2}));
  options.attributes = {{0, {1, 2, 10}}};
  EXPECT_TRUE(absl::IsInvalidArgument(
      DeriveText("wyg 1; attr a = 1 in [1..9]; start A; rule A = box;", options).status()));
}

TEST(Derivation, AddsUpReportsWithoutEnd) {
  const auto derived = DeriveText(
      "wyg 1; start A; rule A = copies(60000) { report(r, 1e12) report(s, -1e12) report(t, -0.5) "
      "report(t, 0.25) };",
      Lots(1, 1, 1, 1), 2);
  ASSERT_TRUE(derived.ok()) << derived.status();
  // 1e12 as a float.
  const double most = 999999995904.0;
  EXPECT_EQ(derived->statistics.reports,
            (std::vector<double>{60'000 * most, -60'000 * most, -15'000}));
}

TEST(Derivation, MakesSmallerBatchesWhereThatIsAskedFor) {
  DeriveDriver driver;
  ASSERT_TRUE(driver.Open("wyg 1; start A; rule A = copies(3000) { box };").ok());
  DeriveOptions options = Lots(300, 1, 1, 1);
  const auto large = driver.Derive(options);
  ASSERT_TRUE(large.ok()) << large.status();
  options.batch_bytes = 16 << 20;
  const auto small = driver.Derive(options);
  ASSERT_TRUE(small.ok()) << small.status();
  EXPECT_GT(small->statistics.batches, large->statistics.batches);
  EXPECT_TRUE(SameBytes(small->instances, large->instances));
  options.batch_bytes = 1;
  EXPECT_EQ(driver.Derive(options)->statistics.batches, small->statistics.batches);
}

TEST(Derivation, KeepsRandomNumbersWithinTheirBounds) {
  const auto derived = DeriveText(
      "wyg 1; fn f() = rand(2, 3); start A; rule A = repeat(x, 1) { report(low, rand(f(), 4) < 2) "
      "report(high, rand(f(), 4) > 4) report(sum, rand(f(), 4)) };",
      Lots(1, 1000, 1, 1));
  ASSERT_TRUE(derived.ok()) << derived.status();
  EXPECT_EQ(derived->statistics.reports[0], 0);
  EXPECT_EQ(derived->statistics.reports[1], 0);
  EXPECT_NEAR(derived->statistics.reports[2] / 1000, 3.25, 0.1);
}

TEST(Derivation, LeavesOutAndCoarsensByTheView) {
  DeriveOptions options = Lots(10, 10, 10, 10);
  grammar::View& view = options.view.emplace();
  view.pixels = 100;
  const std::string text = "wyg 1; start A; @lod(1) rule A = copies(5) { box };";
  const auto near = DeriveText(text, options);
  ASSERT_TRUE(near.ok());
  // A metre is less than a pixel from 100 m on: parcels are 15 m apart.
  EXPECT_EQ(near->statistics.coarse, 3u);
  EXPECT_EQ(near->instances.size(), 7 * 5 + 3u);
  view.planes.push_back({-1, 0, 0, 40});
  const auto culled = DeriveText(text, options);
  ASSERT_TRUE(culled.ok());
  EXPECT_EQ(culled->statistics.culled, 7u);
  EXPECT_EQ(culled->instances.size(), 3 * 5u);
}

/// A camera that looks along a row of lots, 10 m deep, from a height of 2 m.
grammar::View FromTheEndOfTheRow() {
  grammar::View view;
  view.position[0] = -30;
  view.position[1] = 2;
  view.position[2] = 5;
  return view;
}

TEST(Derivation, LeavesOutBuildingsThatOthersHide) {
  DeriveOptions options = Lots(6, 10, 0, 10);
  grammar::View& view = options.view.emplace(FromTheEndOfTheRow());
  const std::string text =
      "wyg 1; attr high = 6; start A; rule A = size(0, high, 0) volume(v) report(r, high) box;";
  options.attributes = {{0, {6, 6, 20, 6, 20, 40}}};
  const auto all = DeriveText(text, options);
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->instances.size(), 6u);
  EXPECT_EQ(all->statistics.occluded, 0u);
  view.hide_occluded = true;
  const auto visible = DeriveText(text, options);
  ASSERT_TRUE(visible.ok()) << visible.status();
  EXPECT_EQ(visible->statistics.occluded, 3u);
  EXPECT_EQ(visible->statistics.culled, 3u);
  EXPECT_EQ(visible->statistics.buildings, 3u);
  EXPECT_EQ(visible->statistics.reports, (std::vector<double>{6, 0, 20, 0, 0, 40}));
  ASSERT_EQ(visible->instances.size(), 3u);
  const std::uint32_t shown[] = {0, 2, 5};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(std::memcmp(&visible->instances[i], &all->instances[shown[i]], sizeof(Instance)), 0);
  }
  view.planes = {{-1, 0, 0, -1000}};
  const auto nothing = DeriveText(text, options);
  ASSERT_TRUE(nothing.ok());
  EXPECT_EQ(nothing->statistics.culled, 6u);
  EXPECT_EQ(nothing->statistics.reports, std::vector<double>(6));
}

TEST(Derivation, LimitsOfResultsAreNotThoseOfVolumes) {
  DeriveOptions options = Lots(6, 10, 0, 10);
  grammar::View& view = options.view.emplace(FromTheEndOfTheRow());
  view.hide_occluded = true;
  // Three volumes and one instance of a building, also where details are small.
  const std::string text =
      "wyg 1; start A; rule A = size(0, 6, 0) volume(v) [ volume(v) ] [ volume(w, enclosing) ] B;"
      "@lod(1) rule B = box;";
  const auto all = DeriveText(text, options);
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_EQ(all->statistics.occluded, 5u);
  options.max_instances = 1;
  for (const grammar::OnLimit on_limit : {grammar::OnLimit::kFail, grammar::OnLimit::kCoarse}) {
    options.on_limit = on_limit;
    const auto limited = DeriveText(text, options);
    ASSERT_TRUE(limited.ok()) << limited.status();
    EXPECT_EQ(limited->statistics.occluded, 5u);
    EXPECT_TRUE(SameBytes(limited->instances, all->instances));
  }
  view.pixels = 0.01f;  // everything is small
  const auto coarse = DeriveText(text, options);
  ASSERT_TRUE(coarse.ok());
  EXPECT_EQ(coarse->statistics.occluded, 5u);
  EXPECT_EQ(coarse->statistics.coarse, 1u);
}

TEST(Derivation, VolumesWithoutEndHideNothing) {
  DeriveOptions options = Lots(3, 10, 0, 10);
  grammar::View& view = options.view.emplace(FromTheEndOfTheRow());
  view.hide_occluded = true;
  view.pixels = 0.01f;
  // The view ends the rule; volumes are made without a view.
  const auto derived =
      DeriveText("wyg 1; start A; @lod(1) rule A = size(0, 6, 0) volume(v) A;", options);
  ASSERT_TRUE(derived.ok()) << derived.status();
  EXPECT_EQ(derived->statistics.occluded, 0u);
  EXPECT_EQ(derived->statistics.coarse, 3u);
}

TEST(Derivation, PutsTheChosenFormWhereARuleIsSmall) {
  DeriveOptions options = Lots(10, 10, 10, 10);
  options.view.emplace().pixels = 100;
  const auto coarse = [&](const std::string& form) {
    const auto derived = DeriveText(
        "wyg 1; mesh far(3, 1); start A; @lod(1" + form + ") rule A = copies(5) { cyl };", options);
    EXPECT_TRUE(derived.ok()) << derived.status();
    std::vector<std::pair<int, int>> found;
    for (const grammar::Instance& instance : derived->instances) {
      if (instance.flags == grammar::kCoarse) found.emplace_back(instance.mesh, instance.material);
    }
    EXPECT_EQ(derived->statistics.coarse, found.size());
    EXPECT_EQ(derived->instances.size(), 7 * 5 + found.size());
    return found;
  };
  using Forms = std::vector<std::pair<int, int>>;
  EXPECT_EQ(coarse(""), Forms(3, {0, 0}));
  EXPECT_EQ(coarse(", quad"), Forms(3, {1, 0}));
  EXPECT_EQ(coarse(", far, stone"), Forms(3, {5, 1}));
  EXPECT_EQ(coarse(", nil"), Forms());
}

TEST(Derivation, StopsWhereItsBatchesAreNotTaken) {
  DeriveDriver driver;
  ASSERT_TRUE(driver.Open("wyg 1; start A; rule A = box;").ok());
  DeriveOptions options = Lots(200, 1, 1, 1);
  int batches = 0;
  options.take = [&](grammar::DerivedBatch, const procedure::CancelToken&) {
    ++batches;
    return absl::CancelledError("enough");
  };
  EXPECT_TRUE(absl::IsCancelled(
      driver.grammar().Derive(driver.runner(), options, driver.token()).status()));
  EXPECT_EQ(batches, 1);
}

TEST(Derivation, ChecksItsOptions) {
  DeriveDriver driver;
  ASSERT_TRUE(driver.Open("wyg 1; start A; rule A = box;").ok());
  const auto error = [&](auto change) {
    DeriveOptions options = Lots(2, 1, 1, 1);
    change(options);
    return std::string(driver.Derive(options).status().message());
  };
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(error([](auto& o) { o.parcels.clear(); }).find("parcels"), std::string::npos);
  EXPECT_NE(error([](auto& o) { o.parcels[1].size[2] = kNan; }).find("parcels[1].size"),
            std::string::npos);
  EXPECT_NE(error([](auto& o) { o.parcels[0].rotation[3] = 2; }).find("rotation"),
            std::string::npos);
  EXPECT_NE(error([](auto& o) { o.max_depth = 257; }).find("max_depth"), std::string::npos);
  EXPECT_NE(error([](auto& o) { o.max_bytes = 1; }).find("max_bytes"), std::string::npos);
  EXPECT_NE(error([](auto& o) {
              o.attributes = {{3, {1}}};
            }).find("attributes"),
            std::string::npos);
}

}  // namespace
}  // namespace warpyard
