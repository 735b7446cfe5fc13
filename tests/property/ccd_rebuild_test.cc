// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Scenes over many steps. A scene whose triangles move away from their neighbours is rebuilt, and
// no result shows that.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/support/mesh_fixtures.h"
#include "tests/support/workers/research_driver.h"

namespace warpyard::test_support {
namespace {

using ccd::CollisionOptions;
using ccd::CollisionResult;
using ccd::HierarchyStatistics;
using ccd::Traversal;

constexpr std::uint32_t kTriangles = 2200;
constexpr std::uint32_t kSteps = 24;

/// Positions of a soup whose triangles move to random places. @shape at in [0, 1]
std::vector<double> Drifting(double at) {
  const Motion from = TriangleSoup(1, {kTriangles, 0.12, 0});
  const Motion to = TriangleSoup(2, {kTriangles, 0.12, 0});
  std::vector<double> positions = from.start;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::size_t corner = i / 9 * 9 + i % 3;
    positions[i] += at * (to.start[corner] - from.start[corner]);
  }
  return positions;
}

Motion DriftingStep(std::uint32_t step) {
  Motion motion = TriangleSoup(1, {kTriangles, 0.12, 0});
  motion.start = Drifting(std::min(1.0, 0.2 * step));
  motion.end = Drifting(std::min(1.0, 0.2 * (step + 1)));
  return motion;
}

/// A mesh turned around an axis and moved.
std::vector<double> Turned(const std::vector<double>& at_rest, std::size_t axis, double angle) {
  std::vector<double> positions = at_rest;
  const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
  for (std::size_t i = 0; i < positions.size(); i += 3) {
    positions[i + u] = std::cos(angle) * at_rest[i + u] - std::sin(angle) * at_rest[i + v] + angle;
    positions[i + v] = std::sin(angle) * at_rest[i + u] + std::cos(angle) * at_rest[i + v];
  }
  return positions;
}

using Found =
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, double>>;

Found Collisions(const CollisionResult& result) {
  Found found;
  for (const auto& pair : result.vertex_face)
    found.push_back({pair.vertex, pair.face, 0, 0, pair.time});
  for (const auto& pair : result.edge_edge) {
    found.push_back({pair.a0, pair.a1, pair.b0, pair.b1, pair.time});
  }
  return found;
}

CollisionOptions OptionsOf(Traversal traversal) {
  CollisionOptions options;
  options.traversal = traversal;
  return options;
}

class Rebuild : public testing::TestWithParam<Traversal> {};
INSTANTIATE_TEST_SUITE_P(Of, Rebuild,
                         testing::Values(Traversal::kClusters, Traversal::kIndependent,
                                         Traversal::kFront),
                         [](const auto& info) { return ccd::NameOf(info.param); });

TEST_P(Rebuild, FollowsASceneThatMixesAndChangesNoResult) {
  ResearchDriver driver(2);
  const auto scene = *driver.Open(DriftingStep(0));
  std::uint64_t rebuilds = 0;
  double growth = 1;
  for (std::uint32_t step = 0; step < kSteps; ++step) {
    const Motion motion = DriftingStep(step);
    const auto result = driver.Step(*scene, motion, OptionsOf(GetParam()));
    const auto expected = driver.Detect(motion, OptionsOf(GetParam()));
    ASSERT_TRUE(result.ok() && expected.ok()) << result.status() << expected.status();
    EXPECT_EQ(Collisions(*result), Collisions(*expected)) << step;
    const ccd::CollisionStatistics& statistics = result->statistics;
    EXPECT_EQ(statistics.vertex_face_candidates, expected->statistics.vertex_face_candidates);
    EXPECT_EQ(statistics.edge_edge_candidates, expected->statistics.edge_edge_candidates);
    const bool links = step == 0 && GetParam() != Traversal::kClusters;
    EXPECT_EQ(statistics.phases[0].phase == "build", statistics.hierarchy.rebuilt || links);
    if (statistics.hierarchy.rebuilt) {
      EXPECT_GT(growth, 2) << "of the step before";
      EXPECT_LT(statistics.hierarchy.growth, 1.5);
      EXPECT_FALSE(statistics.traversal.from_front) << "its nodes have other names now";
      ++rebuilds;
    }
    EXPECT_EQ(statistics.hierarchy.rebuilds, rebuilds);
    growth = statistics.hierarchy.growth;
  }
  EXPECT_GE(rebuilds, 1u);
  EXPECT_LE(rebuilds, 2u);
}

TEST(RebuildWithoutRoom, IsPutOff) {
  CollisionOptions options;
  options.report = ccd::Report::kEarliest;  // its result takes no memory
  const auto run = [&](ResearchDriver& driver, double factor) {
    options.rebuild_factor = factor;
    const auto scene = *driver.Open(DriftingStep(0));
    std::vector<std::optional<double>> times;
    std::pair<std::uint64_t, std::size_t> rebuilds_and_memory;
    for (std::uint32_t step = 0; step < 8; ++step) {
      const auto result = driver.Step(*scene, DriftingStep(step), options);
      EXPECT_TRUE(result.ok()) << result.status();
      if (!result.ok()) break;
      times.push_back(result->earliest_time);
      rebuilds_and_memory = {result->statistics.hierarchy.rebuilds, driver.MemoryUsed()};
    }
    return std::pair{times, rebuilds_and_memory};
  };
  ResearchDriver unlimited(1);
  const auto [times, without] = run(unlimited, 0);
  constexpr std::size_t kScratch = 2 * kTriangles * sizeof(std::uint64_t);  // sort and new keys
  ResearchDriver tight(1, without.second + kScratch - 1), roomy(1, without.second + kScratch);
  EXPECT_EQ(run(tight, 2), (std::pair{times, without}));
  EXPECT_EQ(run(roomy, 2).second.first, 1u);
}

/// Positions sent as floats are converted in the step itself, after the rebuild.
TEST_P(Rebuild, HasPositionsWhereAStepSendsItsStartAsFloats) {
  const auto floats = [](const std::vector<double>& positions) {
    return std::vector<float>(positions.begin(), positions.end());
  };
  const auto view = [](const std::vector<float>& values) {
    return ccd::PositionsView{ccd::ScalarType::kFloat32, values.data(), values.size() / 3};
  };
  ResearchDriver driver(2);
  const auto scene = *driver.Open(DriftingStep(0));
  std::uint64_t rebuilds = 0;
  for (std::uint32_t step = 0; step < 8; ++step) {
    const Motion motion = DriftingStep(step);
    const std::vector<float> start = floats(motion.start), end = floats(motion.end);
    const ccd::StepInput input{view(end), view(start)};
    const auto result = driver.Step(*scene, input, OptionsOf(GetParam()));
    const auto fresh = driver.Open(motion);
    const auto expected = driver.Step(**fresh, input, OptionsOf(GetParam()));
    ASSERT_TRUE(result.ok() && expected.ok()) << result.status() << expected.status();
    EXPECT_EQ(Collisions(*result), Collisions(*expected)) << step;
    if (result->statistics.hierarchy.rebuilt) {
      EXPECT_LT(result->statistics.hierarchy.growth, 1.5);
    }
    rebuilds = result->statistics.hierarchy.rebuilds;
  }
  EXPECT_EQ(rebuilds, 1u);
}

TEST_P(Rebuild, MeasuresNodesThatAreLinkedLater) {
  ResearchDriver driver(2);
  const auto scene = *driver.Open(DriftingStep(0));
  for (std::uint32_t step = 0; step < 12; ++step) {
    const CollisionOptions options = OptionsOf(step < 7 ? Traversal::kClusters : GetParam());
    const Motion motion = DriftingStep(step);
    const auto result = driver.Step(*scene, motion, options);
    const auto expected = driver.Detect(motion, options);
    ASSERT_TRUE(result.ok() && expected.ok()) << result.status() << expected.status();
    EXPECT_EQ(Collisions(*result), Collisions(*expected)) << step;
    if (step >= 7 && GetParam() != Traversal::kClusters) {
      EXPECT_NEAR(result->statistics.hierarchy.growth, 1, 0.1) << "nothing moves any more";
    }
  }
}

TEST_P(Rebuild, CanBeTurnedOff) {
  ResearchDriver driver(2);
  const auto scene = *driver.Open(DriftingStep(0));
  CollisionOptions options = OptionsOf(GetParam());
  options.rebuild_factor = 0;
  double growth = 0;
  for (std::uint32_t step = 0; step < 8; ++step) {
    const auto result = driver.Step(*scene, DriftingStep(step), options);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_FALSE(result->statistics.hierarchy.rebuilt);
    growth = result->statistics.hierarchy.growth;
  }
  EXPECT_GT(growth, 2);
}

TEST_P(Rebuild, LeavesARigidScene) {
  for (const Motion& mesh :
       {FoldingCloth(3, 30, 40), TriangleSoup(4, {kTriangles, 0.1, 0}), Tetrahedra(5, 400)}) {
    ResearchDriver driver(2);
    const auto scene = *driver.Open(mesh);
    Motion motion = mesh;
    for (std::uint32_t step = 0; step < 32; ++step) {
      const std::size_t axis = step / 11;
      motion.start = Turned(mesh.start, axis, 0.3 * step);
      motion.end = Turned(mesh.start, axis, 0.3 * step + (step % 2 == 0 ? 0 : 0.2));
      const auto result = driver.Step(*scene, motion, OptionsOf(GetParam()));
      ASSERT_TRUE(result.ok()) << result.status();
      EXPECT_EQ(result->statistics.hierarchy.rebuilds, 0u) << step;
      EXPECT_LT(result->statistics.hierarchy.growth, 1.5) << step;
    }
  }
}

TEST_P(Rebuild, IsTheSameInEveryRun) {
  std::vector<std::pair<double, bool>> expected;
  for (const int threads : {1, 3, 3}) {
    ResearchDriver driver(threads);
    const auto scene = *driver.Open(DriftingStep(0));
    std::vector<std::pair<double, bool>> found;
    for (std::uint32_t step = 0; step < kSteps; ++step) {
      CollisionOptions options = OptionsOf(GetParam());
      options.report = ccd::Report::kEarliest;  // its second pass, which ends early, does not count
      const auto result = driver.Step(*scene, DriftingStep(step), options);
      ASSERT_TRUE(result.ok()) << result.status();
      const HierarchyStatistics& hierarchy = result->statistics.hierarchy;
      found.push_back({hierarchy.growth, hierarchy.rebuilt});
    }
    if (expected.empty()) expected = found;
    EXPECT_EQ(found, expected) << threads << " threads";
  }
}

TEST_P(Rebuild, ThatIsCancelledIsMadeUpFor) {
  ResearchDriver driver(2);
  const auto scene = *driver.Open(DriftingStep(0));
  std::uint32_t step = 0;
  for (double growth = 1, last = 1; growth <= 2 || last <= 2; ++step) {
    const auto result = driver.Step(*scene, DriftingStep(step), OptionsOf(GetParam()));
    ASSERT_TRUE(result.ok() && step < kSteps) << result.status();
    last = std::exchange(growth, result->statistics.hierarchy.growth);
  }
  procedure::CancelToken cancelled;
  cancelled.Cancel();
  const Motion motion = DriftingStep(step);
  EXPECT_EQ(driver.Step(*scene, motion, OptionsOf(GetParam()), cancelled).status().code(),
            absl::StatusCode::kCancelled);
  CollisionOptions options = OptionsOf(GetParam());
  options.rebuild_factor = 0;  // a half-built hierarchy is rebuilt whatever the rule says
  const auto result = driver.Step(*scene, motion, options);
  const auto expected = driver.Detect(motion, options);
  ASSERT_TRUE(result.ok() && expected.ok()) << result.status();
  // The rebuild may be in the cancelled step or in this one. There is none if the old hierarchy is
  // intact.
  EXPECT_LE(result->statistics.hierarchy.rebuilds, 1u);
  EXPECT_EQ(Collisions(*result), Collisions(*expected));
}

}  // namespace
}  // namespace warpyard::test_support
