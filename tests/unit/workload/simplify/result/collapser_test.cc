// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/result/collapser.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/workload/simplify/model/build_model.h"
#include "core/workload/simplify/result/cutter.h"
#include "tests/support/simplify/counting_backend.h"
#include "tests/support/simplify/simplify_driver.h"
#include "tests/support/simplify/test_runner.h"

namespace warpyard::simplify {
namespace {

using test_support::CountingBackend;
using test_support::Reach;

constexpr double kNoBound = std::numeric_limits<double>::infinity();

class CollapserTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto built = BuildModel(run_, test_support::Made("noisy-sphere-20k").Input());
    ASSERT_TRUE(built.ok()) << built.status();
    model_ = *std::move(built);
  }

  /// What one job makes.
  struct Work {
    explicit Work(CollapserTest& test)
        : cutter(test.run_, test.model_, job), collapser(test.run_, job) {}
    SimplifyJob job{};
    Cutter cutter;
    Collapser collapser;
  };
  static CollapseGoal Goal(std::uint32_t triangles) {
    return {triangles, kNoBound, absl::InfiniteFuture()};
  }

  test_support::TestRunner runner_;
  procedure::CancelToken token_;
  // Memory goes before the backend.
  CountingBackend backend_{Reach::kHostToo};
  TaskMemory memory_;
  TaskRun run_{backend_, runner_, token_, memory_};
  ModelArrays model_;
};

TEST_F(CollapserTest, TakesAnEventForEachPassAndCopiesNothing) {
  Work work(*this);
  const std::size_t copies = backend_.Copies(), events = runner_.events;
  const auto expanded = work.cutter.CutFrom(6000, 2000);
  ASSERT_TRUE(expanded.ok());
  EXPECT_EQ(*expanded, 0u);
  EXPECT_EQ(runner_.events, events + 2) << "the error, and the cut with its crowded edges";
  const auto report = work.collapser.Collapse(Goal(2000));
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->shortfall, Shortfall::kNone);
  EXPECT_LE(work.job.mesh.triangles, 2000u);
  EXPECT_EQ(runner_.events, events + 2 + report->passes + 1) << "one closes gaps";
  EXPECT_EQ(backend_.Copies(), copies);
}

TEST_F(CollapserTest, GoesOnFromTheMeshThatItLeft) {
  Work work(*this);
  ASSERT_TRUE(work.cutter.CutFrom(6000, 2000).ok());
  for (const std::uint32_t triangles : {4000u, 3999u, 1500u, 300u}) {
    ASSERT_TRUE(work.collapser.Collapse(Goal(triangles)).ok());
    SimplifiedMesh mesh;
    ASSERT_TRUE(work.collapser.Emit(mesh).ok());
    const std::size_t vertices = mesh.positions.size() / 3;
    EXPECT_LE(mesh.triangles.size() / 3, triangles);
    EXPECT_EQ(mesh.triangles.size() / 3 + 4, 2 * vertices) << "a closed surface of genus 0";
  }
}

TEST_F(CollapserTest, LeavesNothingForTheNextJobWhenItIsCancelled) {
  SimplifiedMesh before, after;
  for (SimplifiedMesh* const mesh : {&before, &after}) {
    Work work(*this);
    ASSERT_TRUE(work.cutter.CutFrom(3000, 1000).ok());
    ASSERT_TRUE(work.collapser.Collapse(Goal(1000)).ok());
    ASSERT_TRUE(work.collapser.Emit(*mesh).ok());
    Work cancelled(*this);
    ASSERT_TRUE(cancelled.cutter.CutFrom(3000, 1000).ok());
    runner_.fails = true;
    EXPECT_TRUE(absl::IsCancelled(cancelled.collapser.Collapse(Goal(1000)).status()));
    runner_.fails = false;
  }
  EXPECT_EQ(before.positions, after.positions);
  EXPECT_EQ(before.triangles, after.triangles);
}

}  // namespace
}  // namespace warpyard::simplify
