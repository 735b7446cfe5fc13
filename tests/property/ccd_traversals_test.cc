// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Every traversal finds what brute force finds, with sizes at which lists overflow, workers steal
// and stacks are balanced.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/mesh_fixtures.h"
#include "tests/support/oracles/brute_force.h"
#include "tests/support/seed_count.h"
#include "tests/support/serial_sorts.h"
#include "tests/support/workers/research_driver.h"
#include "tests/unit/engine/engine_driver.h"

namespace warpyard::test_support {
namespace {

using ccd::CollisionOptions;
using ccd::CollisionResult;
using ccd::GroupRule;
using ccd::Report;
using ccd::Traversal;
using ccd::TraversalTuning;

/// All traversals of pairs of nodes.
constexpr Traversal kTraversals[] = {Traversal::kWorkQueue, Traversal::kCompaction,
                                     Traversal::kBalancing, Traversal::kStealing,
                                     Traversal::kFront};

/// Very little room everywhere, and many workers, some of which start only when others are done.
TraversalTuning Tiny(std::uint32_t workers) {
  TraversalTuning tuning;
  tuning.workers = workers;
  tuning.worker_pairs = 24;
  tuning.shared_pairs = 16;
  tuning.spill_from = 4;
  tuning.batch = 2;
  tuning.queue_limit = 4;
  tuning.level_pairs = 2;
  tuning.front_pairs = 8;
  return tuning;
}

/// Each thread fills its deque quickly, but the deque has room.
TraversalTuning Eager() {
  TraversalTuning tuning;
  tuning.spill_from = 6;
  tuning.batch = 1;
  return tuning;
}

std::vector<NamedMotion> Motions() {
  std::vector<NamedMotion> motions = DegenerateMotions();
  for (std::uint64_t seed = 31; seed < 31 + SeedCount(3); ++seed) {
    const std::string name = "_seed_" + std::to_string(seed);
    motions.push_back({"soup" + name, TriangleSoup(seed, {140, 0.35, 0.25})});
    motions.push_back({"grid_soup" + name, TriangleSoup(seed, {100, 0.5, 0.5, 2})});
    motions.push_back({"cloth" + name, FoldingCloth(seed, 9, 13)});
    motions.push_back({"bodies" + name, Tetrahedra(seed, 25)});
  }
  motions.push_back({"soup_among_many", AmongMany(TriangleSoup(10, {140, 0.35, 0.25}))});
  motions.push_back({"cloth_among_many", AmongMany(FoldingCloth(10, 9, 13))});
  motions.push_back({"one_triangle", TriangleSoup(7, {1, 1, 1})});
  motions.push_back({"two_triangles", TriangleSoup(9, {2, 1.5, 1})});
  return motions;
}

/// A crowd for which a level of the test tree has thousands of pairs.
Motion Crowd() { return TriangleSoup(76, {1200, 0.16, 0.2}); }

void ExpectSame(const CollisionResult& a, const CollisionResult& b, const std::string& name) {
  EXPECT_EQ(a.earliest_time, b.earliest_time) << name;
  ASSERT_EQ(a.vertex_face.size(), b.vertex_face.size()) << name;
  ASSERT_EQ(a.edge_edge.size(), b.edge_edge.size()) << name;
  for (std::size_t i = 0; i < a.vertex_face.size(); ++i) {
    EXPECT_EQ(a.vertex_face[i].vertex, b.vertex_face[i].vertex) << name;
    EXPECT_EQ(a.vertex_face[i].face, b.vertex_face[i].face) << name;
    EXPECT_EQ(a.vertex_face[i].time, b.vertex_face[i].time) << name;
  }
  for (std::size_t i = 0; i < a.edge_edge.size(); ++i) {
    const auto &x = a.edge_edge[i], &y = b.edge_edge[i];
    EXPECT_EQ((std::vector{x.a0, x.a1, x.b0, x.b1}), (std::vector{y.a0, y.a1, y.b0, y.b1}));
    EXPECT_EQ(x.time, y.time) << name;
  }
}

class EachTraversal : public testing::TestWithParam<Traversal> {
 protected:
  static CollisionOptions Options(Report report, const TraversalTuning& tuning = {}) {
    CollisionOptions options;
    options.report = report;
    options.traversal = GetParam();
    options.tuning = tuning;
    return options;
  }

  static CollisionResult Detect(ResearchDriver& driver, const Motion& motion,
                                const CollisionOptions& options, GroupRule rule = GroupRule::kAll) {
    auto result = driver.Detect(motion, options, rule);
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *std::move(result) : CollisionResult{};
  }
};

std::string NameOf(const testing::TestParamInfo<Traversal>& info) {
  return ccd::NameOf(info.param);
}
INSTANTIATE_TEST_SUITE_P(OfService, EachTraversal,
                         testing::Values(Traversal::kClusters, Traversal::kIndependent), NameOf);
INSTANTIATE_TEST_SUITE_P(OfResearch, EachTraversal, testing::ValuesIn(kTraversals), NameOf);

TEST_P(EachTraversal, FindsExactlyTheBoxesThatOverlap) {
  ResearchDriver one(1), three(3);
  for (const NamedMotion& named : Motions()) {
    const Motion motion = RoundedToFloat(named.motion);
    const CandidatePairs expected = BruteForceCandidates(motion);
    const EdgeIds edges(UniqueEdges(motion.triangles));
    for (ResearchDriver* driver : {&one, &three}) {
      for (const TraversalTuning& tuning : {TraversalTuning{}, Eager(), Tiny(1), Tiny(7)}) {
        const CollisionResult result =
            Detect(*driver, motion, Options(Report::kCandidates, tuning));
        EXPECT_EQ(VertexFacePairs(result), expected.vertex_face) << named.name;
        EXPECT_EQ(edges.Pairs(result), expected.edge_edge) << named.name;
      }
    }
  }
}

TEST_P(EachTraversal, RespectsGroups) {
  ResearchDriver driver(2);
  const Motion motion = RoundedToFloat(Tetrahedra(5, 40));
  for (const GroupRule rule : {GroupRule::kSame, GroupRule::kDifferent}) {
    const CandidatePairs expected = BruteForceCandidates(motion, rule);
    const CollisionResult result =
        Detect(driver, motion, Options(Report::kCandidates, Eager()), rule);
    EXPECT_EQ(VertexFacePairs(result), expected.vertex_face);
    EXPECT_EQ(EdgeIds(UniqueEdges(motion.triangles)).Pairs(result), expected.edge_edge);
  }
}

TEST_P(EachTraversal, RespectsAMatrixOfGroups) {
  ResearchDriver driver(2);
  Motion motion = RoundedToFloat(Tetrahedra(6, 60));
  for (std::uint32_t& group : motion.vertex_groups) group = group % 5 == 4 ? 63 : group % 5;
  std::vector<std::uint64_t> matrix(64, 0);
  const auto let = [&](std::uint32_t a, std::uint32_t b) {
    matrix[a] |= std::uint64_t{1} << b;
    matrix[b] |= std::uint64_t{1} << a;
  };
  let(0, 0);
  let(0, 2);
  let(1, 3);
  let(2, 63);
  let(63, 63);
  const CandidatePairs expected = BruteForceCandidates(motion, GroupRule::kMatrix, matrix);
  EXPECT_GT(expected.edge_edge.size(), 20u);
  EXPECT_LT(expected.edge_edge.size(), BruteForceCandidates(motion).edge_edge.size() / 2);
  const auto result =
      driver.Detect(motion, Options(Report::kCandidates), GroupRule::kMatrix, matrix);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(VertexFacePairs(*result), expected.vertex_face);
  EXPECT_EQ(EdgeIds(UniqueEdges(motion.triangles)).Pairs(*result), expected.edge_edge);
}

TEST_P(EachTraversal, FindsInACrowdWhatTheIndependentOneFinds) {
  const Motion crowd = Crowd();
  ResearchDriver driver(4);
  for (const Report report : {Report::kCollisions, Report::kEarliest, Report::kCandidates}) {
    CollisionOptions independent = Options(report);
    independent.traversal = Traversal::kIndependent;
    const CollisionResult expected = Detect(driver, crowd, independent);
    for (const TraversalTuning& tuning : {Eager(), Tiny(40)}) {
      const CollisionResult found = Detect(driver, crowd, Options(report, tuning));
      ExpectSame(found, expected, ccd::NameOf(GetParam()));
      // Traversal by clusters examines fewer pairs for the earliest time.
      if (report == Report::kEarliest && GetParam() == Traversal::kClusters) continue;
      EXPECT_EQ(found.statistics.vertex_face_candidates,
                expected.statistics.vertex_face_candidates);
      EXPECT_EQ(found.statistics.edge_edge_candidates, expected.statistics.edge_edge_candidates);
    }
  }
}

class EachOfPairs : public EachTraversal {};
INSTANTIATE_TEST_SUITE_P(OfResearch, EachOfPairs, testing::ValuesIn(kTraversals), NameOf);

TEST_P(EachOfPairs, VisitsTheSamePairsWhateverItsSizesAre) {
  ResearchDriver driver(3);
  const Motion crowd = Crowd();
  CollisionOptions options = Options(Report::kCandidates);
  options.traversal = Traversal::kStealing;
  const auto expected = Detect(driver, crowd, options).statistics.traversal;
  EXPECT_GT(expected.visited_pairs, 2 * expected.triangle_pairs);
  for (const TraversalTuning& tuning : {TraversalTuning{}, Eager(), Tiny(2), Tiny(40)}) {
    const auto found =
        Detect(driver, crowd, Options(Report::kCandidates, tuning)).statistics.traversal;
    EXPECT_EQ(found.visited_pairs, expected.visited_pairs);
    EXPECT_EQ(found.triangle_pairs, expected.triangle_pairs);
  }
}

/// Frames of a crowd in which each triangle moves further away from where it began.
Motion Frame(const Motion& crowd, std::uint64_t step, double drift) {
  Motion frame = crowd;
  const Motion other = TriangleSoup(77 + step, {1200, 0.16, 0.2});
  for (std::size_t i = 0; i < crowd.start.size(); ++i) {
    const double way = drift * static_cast<double>(step) * (other.start[i / 9 * 9] - 0.5);
    frame.start[i] += way;
    frame.end[i] += way;
  }
  return frame;
}

class Front : public testing::Test {
 protected:
  static CollisionOptions Options(Traversal traversal) {
    CollisionOptions options;
    options.traversal = traversal;
    options.tuning.spill_from = 16;
    options.tuning.batch = 4;
    return options;
  }

  /// Runs a step by front tracking, which must find the same as independent traversal.
  ccd::TraversalStatistics Check(const Motion& frame, const CollisionOptions& options) {
    const auto tracked = driver_.Step(*scene_, frame, options);
    const auto expected = driver_.Step(*scene_, frame, Options(Traversal::kIndependent));
    EXPECT_TRUE(tracked.ok() && expected.ok()) << tracked.status();
    if (!tracked.ok() || !expected.ok()) return {};
    ExpectSame(*tracked, *expected, "front");
    return tracked->statistics.traversal;
  }

  const Motion crowd_ = Crowd();
  ResearchDriver driver_{2};
  std::unique_ptr<ccd::Scene> scene_ = *driver_.Open(crowd_);
};

TEST_F(Front, IsWhereTheNextStepStarts) {
  const CollisionOptions options = Options(Traversal::kFront);
  const auto first = Check(crowd_, options);
  EXPECT_FALSE(first.from_front);
  EXPECT_GT(first.front_pairs, first.triangle_pairs);
  EXPECT_LT(first.front_pairs, first.visited_pairs);
  const auto second = Check(crowd_, options);
  EXPECT_TRUE(second.from_front);
  EXPECT_EQ(second.visited_pairs, first.front_pairs) << "nothing moved: each is looked at once";
  EXPECT_EQ(second.front_pairs, first.front_pairs);
}

TEST_F(Front, IsRightWhereverTheSceneGoes) {
  CollisionOptions options = Options(Traversal::kFront);
  options.tuning.front_factor = 1e9;
  options.tuning.front_pairs = 1 << 22;
  for (std::uint64_t step = 0; step < 6; ++step) {
    // Step 4 returns to the beginning, while the front has become deeper.
    EXPECT_EQ(Check(Frame(crowd_, step == 4 ? 0 : step, 0.1), options).from_front, step != 0);
  }
}

TEST_F(Front, IsGivenUpWhenItHardlyGrows) {
  CollisionOptions options = Options(Traversal::kFront);
  options.tuning.front_reference = 3;
  // The front of step 3 is the first that is compared; step 4 starts from the root.
  for (std::uint64_t step = 0; step < 8; ++step) {
    EXPECT_EQ(Check(crowd_, options).from_front, step % 4 != 0) << step;
  }
}

TEST_F(Front, IsGivenUpWhenItHasSunkFar) {
  CollisionOptions options = Options(Traversal::kFront);
  options.tuning.front_factor = 1.2;
  EXPECT_FALSE(Check(crowd_, options).from_front);
  EXPECT_TRUE(Check(Frame(crowd_, 1, 1), options).from_front);
  EXPECT_FALSE(Check(Frame(crowd_, 2, 1), options).from_front);
}

TEST_F(Front, WithoutRoomIsTakenUpOnceThereIsSome) {
  CollisionOptions options = Options(Traversal::kFront);
  options.tuning.front_pairs = 100;
  EXPECT_FALSE(Check(crowd_, options).from_front);
  EXPECT_FALSE(Check(crowd_, options).from_front);
  EXPECT_TRUE(Check(crowd_, options).from_front);
}

TEST_F(Front, OfACancelledStepIsForgotten) {
  const CollisionOptions options = Options(Traversal::kFront);
  const auto first = Check(crowd_, options);
  procedure::CancelToken cancelled;
  cancelled.Cancel();
  EXPECT_EQ(driver_.Step(*scene_, Frame(crowd_, 1, 1), options, cancelled).status().code(),
            absl::StatusCode::kCancelled);
  const auto second = Check(crowd_, options);
  EXPECT_TRUE(second.from_front);
  EXPECT_EQ(second.visited_pairs, first.front_pairs);
}

TEST(Stealing, HappensWhereWorkersHaveNothingToDo) {
  ResearchDriver driver(4);
  const Motion crowd = Crowd();
  CollisionOptions options;
  options.traversal = Traversal::kStealing;
  options.tuning = Eager();
  std::uint64_t steals = 0;
  for (int run = 0; run < 300 && steals == 0; ++run) {  // often one worker does all the work
    const auto result = driver.Detect(crowd, options);
    ASSERT_TRUE(result.ok()) << result.status();
    steals += result->statistics.traversal.steals;
  }
  EXPECT_GT(steals, 0u);
}

TEST(Service, HasEveryTraversalAndRefusesOthers) {
  EngineDriver driver(1);
  const Motion motion = TriangleSoup(9, {2, 1.5, 1});
  CollisionOptions options;
  for (const Traversal traversal : kTraversals) {
    options.traversal = traversal;
    EXPECT_TRUE(driver.Detect(motion, options).ok()) << ccd::NameOf(traversal);
  }
  options.traversal = static_cast<Traversal>(99);
  const auto result = driver.Detect(motion, options);
  EXPECT_EQ(result.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_NE(result.status().message().find("an unknown traversal"), std::string::npos);
}

}  // namespace
}  // namespace warpyard::test_support
