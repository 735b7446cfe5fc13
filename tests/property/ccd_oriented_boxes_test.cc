// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Traversals that also use oriented boxes lose no collision; they only have fewer candidates.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/mesh_fixtures.h"
#include "tests/support/seed_count.h"
#include "tests/support/workers/research_driver.h"

namespace warpyard::test_support {
namespace {

using ccd::BoundingVolume;
using ccd::CollisionOptions;
using ccd::CollisionResult;
using ccd::Report;
using ccd::RootFinder;
using ccd::Traversal;

std::vector<NamedMotion> Motions() {
  std::vector<NamedMotion> motions = DegenerateMotions();
  for (std::uint64_t seed = 41; seed < 41 + SeedCount(3); ++seed) {
    const std::string name = "_seed_" + std::to_string(seed);
    motions.push_back({"soup" + name, TriangleSoup(seed, {200, 0.35, 0.25})});
    motions.push_back({"grid_soup" + name, TriangleSoup(seed, {120, 0.5, 0.5, 2})});
    motions.push_back({"resting_soup" + name, TriangleSoup(seed, {200, 0.4, 0})});
    motions.push_back({"cloth" + name, FoldingCloth(seed, 9, 13)});
    motions.push_back({"bodies" + name, Tetrahedra(seed, 40)});
  }
  motions.push_back({"one_triangle", TriangleSoup(7, {1, 1, 1})});
  motions.push_back({"two_triangles", TriangleSoup(9, {2, 1.5, 1})});
  return motions;
}

/// Sheets above one another, all slanted, so that axis-aligned boxes overlap.
Motion SlantedSheets() {
  Motion sheets = FoldingCloth(1, 20, 20);
  sheets.end = sheets.start;
  const Motion sheet = sheets;
  for (int layer = 1; layer < 4; ++layer) {
    Motion other = sheet;
    for (std::size_t i = 2; i < other.start.size(); i += 3) other.start[i] += 0.05 * layer;
    other.end = other.start;
    Append(other, sheets);
  }
  for (std::vector<double>* positions : {&sheets.start, &sheets.end}) {
    for (std::size_t i = 0; i < positions->size(); i += 3) {
      (*positions)[i + 2] += (*positions)[i] + 0.7 * (*positions)[i + 1];
    }
  }
  return sheets;
}

using Found =
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, double>>;

/// @shape `time` 0 for candidates
Found Pairs(const CollisionResult& result) {
  Found found;
  for (const auto& pair : result.vertex_face) {
    found.push_back({pair.vertex, pair.face, ~0u, ~0u, pair.time});
  }
  for (const auto& pair : result.edge_edge) {
    found.push_back({pair.a0, pair.a1, pair.b0, pair.b1, pair.time});
  }
  std::sort(found.begin(), found.end());
  return found;
}

class OrientedBoxes : public testing::TestWithParam<Traversal> {
 protected:
  static CollisionOptions Options(BoundingVolume volume, Report report) {
    CollisionOptions options;
    options.traversal = GetParam();
    options.bounding_volume = volume;
    options.report = report;
    options.tuning.spill_from = 6;
    options.tuning.batch = 1;
    return options;
  }

  static CollisionResult Detect(ResearchDriver& driver, const Motion& motion,
                                const CollisionOptions& options) {
    auto result = driver.Detect(motion, options);
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *std::move(result) : CollisionResult{};
  }
};
INSTANTIATE_TEST_SUITE_P(Of, OrientedBoxes,
                         testing::Values(Traversal::kWorkQueue, Traversal::kStealing,
                                         Traversal::kFront),
                         [](const auto& info) { return ccd::NameOf(info.param); });

TEST_P(OrientedBoxes, LoseNoCollision) {
  ResearchDriver driver(2);
  std::size_t collisions = 0;
  for (const NamedMotion& named : Motions()) {
    for (const RootFinder root_finder : {RootFinder::kConservative, RootFinder::kCubic}) {
      for (const Report report : {Report::kCollisions, Report::kEarliest}) {
        CollisionOptions options = Options(BoundingVolume::kOrientedBoxes, report);
        options.root_finder = root_finder;
        const CollisionResult found = Detect(driver, named.motion, options);
        options.bounding_volume = BoundingVolume::kBoxes;
        options.traversal = Traversal::kIndependent;
        const CollisionResult expected = Detect(driver, named.motion, options);
        EXPECT_EQ(Pairs(found), Pairs(expected)) << named.name;
        EXPECT_EQ(found.earliest_time, expected.earliest_time) << named.name;
        collisions += Pairs(expected).size();
      }
    }
  }
  EXPECT_GT(collisions, 1000u);
}

TEST_P(OrientedBoxes, LoseNothingThatComesWithinTheTolerance) {
  ResearchDriver driver(1);
  for (const double tolerance : {1e-3, 0.05}) {
    for (std::uint64_t seed = 50; seed < 50 + SeedCount(4); ++seed) {
      const Motion motion = TriangleSoup(seed, {150, 0.3, 0.1});
      CollisionOptions options = Options(BoundingVolume::kOrientedBoxes, Report::kCollisions);
      options.tolerance = tolerance;
      const CollisionResult found = Detect(driver, motion, options);
      options.bounding_volume = BoundingVolume::kBoxes;
      const CollisionResult expected = Detect(driver, motion, options);
      EXPECT_EQ(Pairs(found), Pairs(expected)) << seed;
    }
  }
}

TEST_P(OrientedBoxes, LoseNothingThatComesWithinTheMinimumSeparation) {
  ResearchDriver driver(1);
  std::size_t more = 0;
  for (const double separation : {1e-3, 0.05}) {
    for (std::uint64_t seed = 50; seed < 50 + SeedCount(4); ++seed) {
      const Motion motion = TriangleSoup(seed, {150, 0.3, 0.1});
      CollisionOptions options = Options(BoundingVolume::kOrientedBoxes, Report::kCollisions);
      const std::size_t touching = Pairs(Detect(driver, motion, options)).size();
      options.min_separation = separation;
      const Found found = Pairs(Detect(driver, motion, options));
      options.bounding_volume = BoundingVolume::kBoxes;
      EXPECT_EQ(found, Pairs(Detect(driver, motion, options))) << seed;
      more += found.size() - touching;
    }
  }
  EXPECT_GT(more, 100u);
}

TEST_P(OrientedBoxes, LeaveCandidatesAmongThoseOfTheOtherBoxes) {
  ResearchDriver driver(2);
  const auto check = [&](const Motion& motion, bool fewer, const std::string& name) {
    const Found found =
        Pairs(Detect(driver, motion, Options(BoundingVolume::kOrientedBoxes, Report::kCandidates)));
    const Found all =
        Pairs(Detect(driver, motion, Options(BoundingVolume::kBoxes, Report::kCandidates)));
    EXPECT_TRUE(std::includes(all.begin(), all.end(), found.begin(), found.end())) << name;
    if (fewer) {
      EXPECT_LT(10 * found.size(), 7 * all.size()) << name;
    }
  };
  for (const NamedMotion& named : Motions()) check(named.motion, false, named.name);
  check(SlantedSheets(), true, "sheets");
}

TEST_P(OrientedBoxes, VisitFewerPairsAndTheSameInEveryRun) {
  const Motion sheets = SlantedSheets();
  std::vector<std::uint64_t> visited;
  for (const int threads : {1, 3}) {
    ResearchDriver driver(threads);
    for (int run = 0; run < 2; ++run) {
      const auto options = Options(BoundingVolume::kOrientedBoxes, Report::kCandidates);
      visited.push_back(Detect(driver, sheets, options).statistics.traversal.visited_pairs);
    }
  }
  EXPECT_EQ(visited, std::vector<std::uint64_t>(4, visited[0]));
  ResearchDriver driver(1);
  const auto boxes = Detect(driver, sheets, Options(BoundingVolume::kBoxes, Report::kCandidates));
  EXPECT_LT(visited[0], boxes.statistics.traversal.visited_pairs);
}

TEST_P(OrientedBoxes, MayComeAndGoBetweenSteps) {
  ResearchDriver driver(2);
  const Motion motion = TriangleSoup(60, {400, 0.2, 0.2});
  const auto scene = *driver.Open(motion);
  CollisionOptions options = Options(BoundingVolume::kBoxes, Report::kCollisions);
  const Found expected = Pairs(Detect(driver, motion, options));
  for (int step = 0; step < 6; ++step) {
    options.bounding_volume =
        step % 3 == 0 ? BoundingVolume::kBoxes : BoundingVolume::kOrientedBoxes;
    const auto result = driver.Step(*scene, motion, options);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(Pairs(*result), expected) << step;
  }
}

/// The same tests over a hierarchy that was built from the top.
class TopDown : public OrientedBoxes {};
INSTANTIATE_TEST_SUITE_P(Of, TopDown,
                         testing::Values(Traversal::kClusters, Traversal::kIndependent,
                                         Traversal::kWorkQueue, Traversal::kCompaction,
                                         Traversal::kBalancing, Traversal::kStealing,
                                         Traversal::kFront),
                         [](const auto& info) { return ccd::NameOf(info.param); });

TEST_P(TopDown, FindsTheSame) {
  std::vector<NamedMotion> motions = Motions();
  motions.push_back({"crowd", TriangleSoup(76, {1500, 0.12, 0.15})});
  for (const NamedMotion& named : motions) {
    for (const Report report : {Report::kCollisions, Report::kCandidates}) {
      ResearchDriver driver(2);
      CollisionOptions options = Options(BoundingVolume::kBoxes, report);
      const CollisionResult expected = Detect(driver, named.motion, options);
      driver.build = ccd::HierarchyBuild::kTopDown;
      const CollisionResult found = Detect(driver, named.motion, options);
      EXPECT_EQ(Pairs(found), Pairs(expected)) << named.name;
    }
  }
}

TEST(OrientedBoxesOfOthers, AreRefused) {
  ResearchDriver driver(1);
  const Motion motion = TriangleSoup(9, {2, 1.5, 1});
  CollisionOptions options;
  options.bounding_volume = BoundingVolume::kOrientedBoxes;
  for (const Traversal traversal : {Traversal::kClusters, Traversal::kIndependent,
                                    Traversal::kCompaction, Traversal::kBalancing}) {
    options.traversal = traversal;
    const absl::Status status = driver.Detect(motion, options).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(status.message().find(ccd::NameOf(traversal)), std::string::npos) << status;
  }
}

}  // namespace
}  // namespace warpyard::test_support
