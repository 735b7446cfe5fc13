// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// No candidate and no collision is ever lost, on random meshes and on degenerate ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/engine.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/oracles/brute_force.h"
#include "tests/support/oracles/exact_query.h"
#include "tests/support/seed_count.h"
#include "tests/unit/engine/engine_driver.h"

namespace warpyard::test_support {
namespace {

using ccd::CollisionOptions;
using ccd::CollisionResult;
using ccd::GroupRule;
using ccd::Report;
using ccd::RootFinder;
using ccd::ScalarType;
using ccd::Traversal;

/// Soups, cloths and bodies: some sparse, some crowded, some on a grid so that features meet
/// exactly.
std::vector<NamedMotion> RandomMotions() {
  std::vector<NamedMotion> motions;
  for (std::uint64_t seed = 1; seed <= SeedCount(3); ++seed) {
    const std::string name = "_seed_" + std::to_string(seed);
    motions.push_back({"soup" + name, TriangleSoup(seed, {140, 0.35, 0.25})});
    motions.push_back({"grid_soup" + name, TriangleSoup(seed, {100, 0.5, 0.5, 2})});
    motions.push_back({"cloth" + name, FoldingCloth(seed, 9, 13)});
    motions.push_back({"bodies" + name, Tetrahedra(seed, 25)});
  }
  motions.push_back({"soup_among_many", AmongMany(TriangleSoup(10, {140, 0.35, 0.25}))});
  motions.push_back({"cloth_among_many", AmongMany(FoldingCloth(10, 9, 13))});
  motions.push_back({"two_triangles", TriangleSoup(9, {2, 1.5, 1})});
  return motions;
}

std::vector<NamedMotion> AllMotions() {
  std::vector<NamedMotion> motions = RandomMotions();
  for (NamedMotion& named : DegenerateMotions()) motions.push_back(std::move(named));
  return motions;
}

/// Every test of pairs runs with each traversal.
class EachTraversal : public testing::TestWithParam<Traversal> {
 protected:
  static CollisionOptions Options(Report report, RootFinder finder = RootFinder::kConservative) {
    CollisionOptions options;
    options.report = report;
    options.root_finder = finder;
    options.traversal = GetParam();
    return options;
  }
};
class CcdCandidates : public EachTraversal {};
class CcdCollisions : public EachTraversal {};

std::string NameOf(const testing::TestParamInfo<Traversal>& info) {
  return info.param == Traversal::kClusters ? "Clusters" : "Independent";
}

constexpr Traversal kTraversals[] = {Traversal::kClusters, Traversal::kIndependent};
INSTANTIATE_TEST_SUITE_P(Each, CcdCandidates, testing::ValuesIn(kTraversals), NameOf);
INSTANTIATE_TEST_SUITE_P(Each, CcdCollisions, testing::ValuesIn(kTraversals), NameOf);

CollisionResult Detect(EngineDriver& driver, const Motion& motion, const CollisionOptions& options,
                       ScalarType type = ScalarType::kFloat64, GroupRule rule = GroupRule::kAll) {
  auto result = driver.Detect(motion, options, type, rule);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? *std::move(result) : CollisionResult{};
}

TEST_P(CcdCandidates, OfFloatPositionsAreExactlyTheBoxesThatOverlap) {
  EngineDriver driver(2);
  for (const NamedMotion& named : AllMotions()) {
    const Motion motion = RoundedToFloat(named.motion);
    const CandidatePairs expected = BruteForceCandidates(motion);
    const CollisionResult result =
        Detect(driver, motion, Options(Report::kCandidates), ScalarType::kFloat32);
    EXPECT_EQ(VertexFacePairs(result), expected.vertex_face) << named.name;
    EXPECT_EQ(EdgeIds(UniqueEdges(motion.triangles)).Pairs(result), expected.edge_edge)
        << named.name;
  }
}

TEST_P(CcdCandidates, RespectGroups) {
  EngineDriver driver(2);
  const Motion motion = RoundedToFloat(Tetrahedra(5, 40));
  for (const GroupRule rule : {GroupRule::kSame, GroupRule::kDifferent}) {
    const CandidatePairs expected = BruteForceCandidates(motion, rule);
    const CollisionResult result =
        Detect(driver, motion, Options(Report::kCandidates), ScalarType::kFloat32, rule);
    EXPECT_EQ(VertexFacePairs(result), expected.vertex_face);
    EXPECT_EQ(EdgeIds(UniqueEdges(motion.triangles)).Pairs(result), expected.edge_edge);
  }
}

/// The distance between the swept boxes of two sets of vertices, in units of float rounding.
double GapInFloatSteps(const Motion& motion, const std::vector<std::uint32_t>& a,
                       const std::vector<std::uint32_t>& b) {
  double widest = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::array<double, 2> low{}, high{};
    for (std::size_t side = 0; side < 2; ++side) {
      low[side] = 1e300;
      high[side] = -1e300;
      for (const std::uint32_t v : side == 0 ? a : b) {
        const std::size_t at = 3 * std::size_t{v} + axis;
        low[side] = std::min({low[side], motion.start[at], motion.end[at]});
        high[side] = std::max({high[side], motion.start[at], motion.end[at]});
      }
    }
    const double gap = std::max(low[0] - high[1], low[1] - high[0]);
    const double size =
        std::max({std::abs(low[0]), std::abs(low[1]), std::abs(high[0]), std::abs(high[1])});
    if (gap > 0) widest = std::max(widest, gap / (size * 0x1p-23));
  }
  return widest;
}

std::vector<IdPair> Difference(const std::vector<IdPair>& a, const std::vector<IdPair>& b) {
  std::vector<IdPair> only_a;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(only_a));
  return only_a;
}

TEST_P(CcdCandidates, OfDoublePositionsAddOnlyBoxesThatTouchWithinFloatRounding) {
  EngineDriver driver(2);
  for (const NamedMotion& named : AllMotions()) {
    const Motion& motion = named.motion;
    const CandidatePairs expected = BruteForceCandidates(motion);
    const CollisionResult result = Detect(driver, motion, Options(Report::kCandidates));
    const EdgeIds edges(UniqueEdges(motion.triangles));
    const std::vector<IdPair> vertex_face = VertexFacePairs(result),
                              edge_edge = edges.Pairs(result);
    EXPECT_TRUE(Difference(expected.vertex_face, vertex_face).empty()) << named.name;
    EXPECT_TRUE(Difference(expected.edge_edge, edge_edge).empty()) << named.name;
    for (const IdPair& pair : Difference(vertex_face, expected.vertex_face)) {
      const auto* face = &motion.triangles[3 * std::size_t{pair[1]}];
      EXPECT_LE(GapInFloatSteps(motion, {pair[0]}, {face[0], face[1], face[2]}), 2) << named.name;
    }
    for (const IdPair& pair : Difference(edge_edge, expected.edge_edge)) {
      const IdPair a = edges.Vertices(pair[0]), b = edges.Vertices(pair[1]);
      EXPECT_LE(GapInFloatSteps(motion, {a[0], a[1]}, {b[0], b[1]}), 2) << named.name;
    }
  }
}

/// The exact times of all pairs of one kind that touch.
using ExactTimes = std::map<IdPair, DoubleBracket>;

struct ExactCollisions {
  ExactTimes vertex_face, edge_edge;
};

ExactCollisions FindExactCollisions(const Motion& motion, const EdgeIds& edges) {
  const CandidatePairs candidates = BruteForceCandidates(motion);
  ExactCollisions exact;
  for (const IdPair& pair : candidates.vertex_face) {
    const auto impact = EarliestImpact(VertexFaceQuery(motion, pair[0], pair[1]));
    if (impact) exact.vertex_face[pair] = *impact;
  }
  for (const IdPair& pair : candidates.edge_edge) {
    const IdPair a = edges.Vertices(pair[0]), b = edges.Vertices(pair[1]);
    const auto impact = EarliestImpact(EdgeEdgeQuery(motion, {a[0], a[1], b[0], b[1]}));
    if (impact) exact.edge_edge[pair] = *impact;
  }
  return exact;
}

/// Finds faults in one list, and counts its pairs that do not touch.
struct ListCheck {
  std::string fault;
  std::size_t false_positives = 0;

  ListCheck(const std::vector<IdPair>& pairs, const std::vector<double>& times,
            const ExactTimes& exact, double may_be_late) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const std::string name = std::to_string(pairs[i][0]) + "/" + std::to_string(pairs[i][1]);
      if (i > 0 && !(pairs[i - 1] < pairs[i])) fault = name + " is there twice, or out of order";
      if (!(times[i] >= 0 && times[i] <= 1)) fault = name + ": time is not in [0, 1]";
      const auto truth = exact.find(pairs[i]);
      if (truth == exact.end()) {
        ++false_positives;
        continue;
      }
      ++found;
      if (times[i] > truth->second.lower + may_be_late) fault = name + " is late";
    }
    if (found != exact.size()) {
      fault = std::to_string(exact.size() - found) + " of " + std::to_string(exact.size()) +
              " pairs that touch are missing";
    }
  }
};

std::vector<double> VertexFaceTimes(const CollisionResult& result) {
  std::vector<double> times;
  for (const auto& pair : result.vertex_face) times.push_back(pair.time);
  return times;
}

std::vector<double> EdgeEdgeTimes(const CollisionResult& result) {
  std::vector<double> times;
  for (const auto& pair : result.edge_edge) times.push_back(pair.time);
  return times;
}

TEST_P(CcdCollisions, ContainEveryPairThatTouchesOnceAndNotLate) {
  EngineDriver driver(2);
  std::size_t touching = 0, false_positives = 0;
  for (const NamedMotion& named : AllMotions()) {
    const EdgeIds edges(UniqueEdges(named.motion.triangles));
    const ExactCollisions exact = FindExactCollisions(named.motion, edges);
    touching += exact.vertex_face.size() + exact.edge_edge.size();
    for (const RootFinder finder : {RootFinder::kConservative, RootFinder::kCubic}) {
      const double may_be_late = finder == RootFinder::kConservative ? 0 : 1e-6;
      const CollisionResult result =
          Detect(driver, named.motion, Options(Report::kCollisions, finder));
      const ListCheck vertex_face(VertexFacePairs(result), VertexFaceTimes(result),
                                  exact.vertex_face, may_be_late);
      const ListCheck edge_edge(edges.Pairs(result), EdgeEdgeTimes(result), exact.edge_edge,
                                may_be_late);
      const std::string name = named.name + (may_be_late > 0 ? ", cubic" : ", conservative");
      EXPECT_EQ(vertex_face.fault, "") << name << ", vertex-face";
      EXPECT_EQ(edge_edge.fault, "") << name << ", edge-edge";
      EXPECT_EQ(result.statistics.capped_pairs, 0u) << name;
      // Tiny meshes are smaller than the tolerance: all their pairs are contacts.
      if (named.name == "tiny") continue;
      false_positives += vertex_face.false_positives + edge_edge.false_positives;
    }
  }
  RecordProperty("touching", static_cast<int>(touching));
  EXPECT_GT(touching, 1000u);
  EXPECT_LE(false_positives, touching / 100);
}

TEST_P(CcdCollisions, AreTheSameInAllReports) {
  EngineDriver driver(2);
  for (const NamedMotion& named : AllMotions()) {
    for (const RootFinder finder : {RootFinder::kConservative, RootFinder::kCubic}) {
      const CollisionResult all =
          Detect(driver, named.motion, Options(Report::kCollisions, finder));
      const CollisionResult earliest =
          Detect(driver, named.motion, Options(Report::kEarliest, finder));
      const CollisionResult candidates =
          Detect(driver, named.motion, Options(Report::kCandidates, finder));
      std::optional<double> least;
      for (const auto& times : {VertexFaceTimes(all), EdgeEdgeTimes(all)}) {
        for (const double time : times) least = std::min(time, least.value_or(time));
      }
      EXPECT_EQ(all.earliest_time, least) << named.name;
      EXPECT_EQ(earliest.earliest_time, least) << named.name;
      EXPECT_EQ(candidates.statistics.vertex_face_candidates,
                all.statistics.vertex_face_candidates);
      EXPECT_EQ(candidates.statistics.edge_edge_candidates, all.statistics.edge_edge_candidates);
      EXPECT_LE(earliest.statistics.vertex_face_candidates, all.statistics.vertex_face_candidates);
      EXPECT_LE(earliest.statistics.edge_edge_candidates, all.statistics.edge_edge_candidates);
      EXPECT_EQ(candidates.vertex_face.size(), all.statistics.vertex_face_candidates);
      EXPECT_EQ(candidates.edge_edge.size(), all.statistics.edge_edge_candidates);
      EXPECT_EQ(all.statistics.vertex_face_collisions, all.vertex_face.size());
      EXPECT_EQ(all.statistics.edge_edge_collisions, all.edge_edge.size());
    }
  }
}

void ExpectSame(const CollisionResult& a, const CollisionResult& b, const std::string& name) {
  EXPECT_EQ(VertexFacePairs(a), VertexFacePairs(b)) << name;
  EXPECT_EQ(VertexFaceTimes(a), VertexFaceTimes(b)) << name;
  EXPECT_EQ(EdgeEdgeTimes(a), EdgeEdgeTimes(b)) << name;
  EXPECT_EQ(a.earliest_time, b.earliest_time) << name;
  ASSERT_EQ(a.edge_edge.size(), b.edge_edge.size()) << name;
  for (std::size_t i = 0; i < a.edge_edge.size(); ++i) {
    EXPECT_EQ(a.edge_edge[i].a0, b.edge_edge[i].a0) << name;
    EXPECT_EQ(a.edge_edge[i].a1, b.edge_edge[i].a1) << name;
    EXPECT_EQ(a.edge_edge[i].b0, b.edge_edge[i].b0) << name;
    EXPECT_EQ(a.edge_edge[i].b1, b.edge_edge[i].b1) << name;
  }
}

TEST(CcdTraversals, FindTheSame) {
  EngineDriver driver(2);
  std::vector<NamedMotion> motions = AllMotions();
  motions.push_back({"crowd", TriangleSoup(76, {3000, 0.12, 0.15})});
  for (const NamedMotion& named : motions) {
    for (const Report report : {Report::kCollisions, Report::kEarliest, Report::kCandidates}) {
      CollisionOptions by_clusters, by_leaves;
      by_clusters.report = by_leaves.report = report;
      by_clusters.traversal = Traversal::kClusters;
      by_leaves.traversal = Traversal::kIndependent;
      for (const double tolerance : {1e-6, 1e-4, 1e-2}) {
        by_clusters.tolerance = by_leaves.tolerance = tolerance;
        ExpectSame(Detect(driver, named.motion, by_clusters),
                   Detect(driver, named.motion, by_leaves),
                   named.name + ", tolerance " + std::to_string(tolerance));
      }
    }
  }
}

TEST_P(CcdCollisions, AreTheSameWithAnyNumberOfThreads) {
  EngineDriver one(1), four(4);
  const Motion crowd = TriangleSoup(77, {3000, 0.12, 0.15});
  for (const Report report : {Report::kCollisions, Report::kEarliest, Report::kCandidates}) {
    for (const RootFinder finder : {RootFinder::kConservative, RootFinder::kCubic}) {
      ExpectSame(Detect(one, crowd, Options(report, finder)),
                 Detect(four, crowd, Options(report, finder)), "crowd");
    }
  }
  for (const NamedMotion& named : RandomMotions()) {
    ExpectSame(Detect(one, named.motion, Options(Report::kCollisions)),
               Detect(four, named.motion, Options(Report::kCollisions)), named.name);
  }
}

TEST_P(CcdCollisions, OfALaterStepAreThoseOfAFreshScene) {
  EngineDriver driver(2);
  const Motion motion = TriangleSoup(78, {200, 0.3, 0.3});
  const auto scene = driver.Open(motion);
  ASSERT_TRUE(scene.ok());
  std::vector<double> last = motion.start;
  for (std::uint64_t step = 0; step < 5; ++step) {
    Motion fresh = motion;
    fresh.start = last;
    // Each step moves further away from the positions for which the hierarchy was built.
    fresh.end = TriangleSoup(79 + step, {200, 0.3, 0.3 + 0.1 * static_cast<double>(step)}).end;
    const auto later = driver.Step(scene->id, fresh.end);
    ASSERT_TRUE(later.ok());
    ExpectSame(*later, Detect(driver, fresh, Options(Report::kCollisions)),
               "step " + std::to_string(step));
    last = fresh.end;
  }
}

TEST_P(CcdCollisions, WithATinyCapContainEveryPairThatTouchesAndSayWhichWereCapped) {
  EngineDriver driver(2);
  const Motion motion = TriangleSoup(80, {150, 0.35, 0.25});
  const EdgeIds edges(UniqueEdges(motion.triangles));
  const ExactCollisions exact = FindExactCollisions(motion, edges);
  for (const RootFinder finder : {RootFinder::kConservative, RootFinder::kCubic}) {
    for (const std::uint32_t cap : {1u, 2u, 3u}) {
      CollisionOptions options = Options(Report::kCollisions, finder);
      options.max_intervals = cap;
      const CollisionResult result = Detect(driver, motion, options);
      const double may_be_late = finder == RootFinder::kConservative ? 0 : 1e-6;
      const ListCheck vertex_face(VertexFacePairs(result), VertexFaceTimes(result),
                                  exact.vertex_face, may_be_late);
      const ListCheck edge_edge(edges.Pairs(result), EdgeEdgeTimes(result), exact.edge_edge,
                                may_be_late);
      EXPECT_EQ(vertex_face.fault, "") << "cap " << cap;
      EXPECT_EQ(edge_edge.fault, "") << "cap " << cap;
      EXPECT_EQ(result.statistics.capped_pairs > 0, finder == RootFinder::kConservative);
      EXPECT_LE(result.statistics.capped_pairs,
                result.vertex_face.size() + result.edge_edge.size());
    }
  }
}

}  // namespace
}  // namespace warpyard::test_support
