// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Results of steps do not depend on earlier jobs, on jobs beside them, or on the thread.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/api/collision.h"
#include "core/engine/engine.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/unit/engine/busy_soups.h"
#include "tests/unit/engine/engine_driver.h"

namespace warpyard::test_support {
namespace {

using ccd::CollisionResult;
using ccd::Report;

TEST(EngineResults, RunsStepsOfASceneInOrder) {
  EngineDriver driver(2);
  const Motion motion = BusySoup(7, 60);
  std::vector<std::vector<double>> frames = {motion.start};
  for (int step = 1; step <= 6; ++step) frames.push_back(BusySoup(7 + 100 * step, 60).end);
  std::vector<std::vector<double>> expected;
  for (std::size_t step = 0; step + 1 < frames.size(); ++step) {
    Motion alone = motion;
    alone.start = frames[step];
    alone.end = frames[step + 1];
    const auto result = driver.Detect(alone, {});
    ASSERT_TRUE(result.ok());
    expected.push_back(Fingerprint(*result));
  }
  const auto scene = driver.Open(motion);
  ASSERT_TRUE(scene.ok());
  std::vector<Positions> ends;
  std::vector<Completion<CollisionResult>> completions(expected.size());
  for (const auto& frame : frames) ends.emplace_back(frame, ccd::ScalarType::kFloat64);
  for (std::size_t step = 0; step < expected.size(); ++step) {
    collision::Step(driver.engine(), scene->id, {ends[step + 1].View(), std::nullopt, {}}, {},
                    completions[step].Callback());
  }
  for (std::size_t step = 0; step < expected.size(); ++step) {
    const auto result = completions[step].Await();
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(Fingerprint(*result), expected[step]) << "step " << step;
  }
}

TEST(EngineResults, DoNotDependOnHowTheHierarchyIsBuilt) {
  EngineDriver driver(2);
  const Motion motion = TriangleSoup(90, {5000, 0.1, 0.2});
  for (const ccd::Traversal traversal : {ccd::Traversal::kClusters, ccd::Traversal::kIndependent}) {
    ccd::CollisionOptions options;
    options.traversal = traversal;
    driver.build = ccd::HierarchyBuild::kMorton;
    const auto expected = driver.Detect(motion, options);
    driver.build = ccd::HierarchyBuild::kTopDown;
    const auto found = driver.Detect(motion, options);
    ASSERT_TRUE(expected.ok() && found.ok()) << expected.status() << found.status();
    ASSERT_FALSE(expected->edge_edge.empty());
    EXPECT_EQ(Fingerprint(*found), Fingerprint(*expected));
  }
}

TEST(EngineResults, DoesAJobOnALentThreadWithinTheCall) {
  EngineDriver driver(2);
  const Motion motion = BusySoup(8);
  const auto expected = driver.Detect(motion, {});
  const auto scene = driver.Open(motion);
  ASSERT_TRUE(expected.ok() && scene.ok());
  const Positions end(motion.end, ccd::ScalarType::kFloat64);
  JobOptions lending;
  lending.lend_thread = true;
  std::vector<double> found;
  collision::Step(driver.engine(), scene->id, {end.View(), std::nullopt, {}}, lending,
                  [&](auto result) {
                    EXPECT_TRUE(result.ok()) << result.status();
                    if (result.ok()) found = Fingerprint(*result);
                  });
  EXPECT_EQ(found, Fingerprint(*expected));
  LongStep late(driver);
  lending.deadline = absl::Now() + absl::Milliseconds(50);
  late.Start(lending);
  EXPECT_TRUE(absl::IsDeadlineExceeded(late.End()));
}

TEST(EngineResults, TakesTheStartOfAStepWhereItIsGiven) {
  EngineDriver driver(1);
  const Motion motion = BusySoup(8), other = BusySoup(9);
  const auto expected = driver.Detect(motion, {});
  ASSERT_TRUE(expected.ok());
  const auto scene = driver.Open(other);
  ASSERT_TRUE(scene.ok());
  const auto result = StepOf(driver, scene->id, motion);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(Fingerprint(*result), Fingerprint(*expected));
}

/// Short lists arrive together with the counters, if the lists of the previous step were short.
TEST(EngineResults, ListsTheSameWhateverTheStepBeforeListed) {
  EngineDriver driver(2);
  const Motion motion = BusySoup(12);
  const auto scene = driver.Open(motion);
  ASSERT_TRUE(scene.ok());
  std::size_t least = ~std::size_t{0}, most = 0;
  for (const double max_time : {1.0, 0.002, 1e-9, 0.02, 1.0, 0.05, 0.002, 0.02, 0.1}) {
    for (const Report report : {Report::kCollisions, Report::kEarliest, Report::kCollisions}) {
      ccd::CollisionOptions options = Reporting(report);
      options.max_time = max_time;
      const auto expected = driver.Detect(motion, options);
      ASSERT_TRUE(expected.ok()) << expected.status();
      const auto result = StepOf(driver, scene->id, motion, options);
      ASSERT_TRUE(result.ok()) << result.status();
      EXPECT_EQ(Fingerprint(*result), Fingerprint(*expected)) << "until " << max_time;
      if (report != Report::kCollisions) continue;
      least = std::min({least, result->vertex_face.size(), result->edge_edge.size()});
      most = std::max({most, result->vertex_face.size(), result->edge_edge.size()});
    }
  }
  EXPECT_LT(least, 256u);
  EXPECT_GT(most, 256u);
}

TEST(EngineResults, FindsNothingInASingleTriangle) {
  EngineDriver driver(2);
  const Motion motion = DegenerateMotions().front().motion;
  for (const Report report : {Report::kCollisions, Report::kEarliest, Report::kCandidates}) {
    const auto result = driver.Detect(motion, Reporting(report));
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_TRUE(result->vertex_face.empty());
    EXPECT_TRUE(result->edge_edge.empty());
    EXPECT_FALSE(result->earliest_time.has_value());
  }
}

TEST(EngineResults, ReportsOnlyWhatWasAskedFor) {
  EngineDriver driver(2);
  const Motion motion = BusySoup(14);
  const auto earliest = driver.Detect(motion, Reporting(Report::kEarliest));
  const auto candidates = driver.Detect(motion, Reporting(Report::kCandidates));
  ASSERT_TRUE(earliest.ok() && candidates.ok());
  EXPECT_TRUE(earliest->vertex_face.empty() && earliest->edge_edge.empty());
  EXPECT_TRUE(earliest->earliest_time.has_value());
  EXPECT_FALSE(candidates->earliest_time.has_value());
  EXPECT_EQ(candidates->vertex_face.size(), candidates->statistics.vertex_face_candidates);
}

}  // namespace
}  // namespace warpyard::test_support
