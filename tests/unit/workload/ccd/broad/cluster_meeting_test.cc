// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Pairs of features of clusters, found by groups of several sizes, compared with brute force.

#include "core/workload/ccd/broad/cluster_meeting.h"

#include <gtest/gtest.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/exec/thread_scope.h"
#include "core/workload/ccd/broad/cluster_bounds.h"
#include "core/workload/ccd/broad/cluster_build.h"
#include "core/workload/ccd/broad/cluster_search.h"
#include "core/workload/ccd/broad/numbered_meeting.h"
#include "core/workload/ccd/broad/numbered_pairs.h"
#include "core/workload/ccd/narrow/find_roots.h"
#include "core/workload/ccd/narrow/pair_filter.h"
#include "core/workload/ccd/narrow/root_conservative.h"
#include "tests/support/lane_scopes.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/oracles/brute_force.h"
#include "tests/support/serial_sorts.h"
#include "tests/unit/workload/ccd/broad/hierarchy_fixture.h"
#include "tests/unit/workload/ccd/stage_runners.h"

namespace warpyard::test_support {
namespace {

constexpr std::uint32_t kLanes[] = {1, 4, 32};
constexpr std::uint32_t kLongestRange = 40;

/// Pairs by kind, in ascending order. Edges have the ids of UniqueEdges; scenes number them in the
/// same way.
using PairsByKind = std::array<std::vector<IdPair>, 2>;

/// The motion with coordinates rounded to floats, so that its boxes are exact.
Motion InFloats(Motion motion) {
  for (auto* frame : {&motion.start, &motion.end}) {
    for (double& value : *frame) value = static_cast<double>(static_cast<float>(value));
  }
  return motion;
}

/// Functions on separate stacks that switch at barriers, in a new random order in each lap. A
/// Schedule also switches at every access, so its limit of steps is too low for this stage.
class LaneLaps {
 public:
  LaneLaps(std::uint32_t lanes, std::uint64_t seed) : random_(seed), lanes_(lanes) {}

  /// Runs body(rank) for each lane; returns an empty string when all came to the same number of
  /// barriers.
  std::string Run(std::function<void(std::uint32_t)> body) {
    body_ = std::move(body);
    for (Lane& lane : lanes_) {
      getcontext(&lane.context);
      lane.context.uc_stack.ss_sp = lane.stack.get();
      lane.context.uc_stack.ss_size = kStackBytes;
      lane.context.uc_link = &main_;
      makecontext(&lane.context, &LaneLaps::RunLane, 0);
    }
    bool mixed = false;
    for (std::size_t done = 0; done < lanes_.size();) {
      std::vector<std::uint32_t> turns(lanes_.size());
      std::iota(turns.begin(), turns.end(), 0u);
      for (std::uint32_t i = size(); i > 1; --i) std::swap(turns[i - 1], turns[random_.Below(i)]);
      mixed = mixed || done != 0;
      for (const std::uint32_t turn : turns) {
        if (lanes_[turn].done) continue;
        running_ = turn;
        current_ = this;
        swapcontext(&main_, &lanes_[turn].context);
        done += lanes_[turn].done ? 1 : 0;
      }
    }
    return mixed ? "some lanes ended before others" : "";
  }

  void Barrier(std::uint32_t rank) { swapcontext(&lanes_[rank].context, &main_); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(lanes_.size()); }

  std::array<std::array<std::uint64_t, 4>, 32> words{};  ///< words that a lane shows to the others

 private:
  static constexpr std::size_t kStackBytes = 96 * 1024;
  struct Lane {
    ucontext_t context{};
    std::unique_ptr<std::byte[]> stack{new std::byte[kStackBytes]};
    bool done = false;
  };

  static void RunLane() {
    LaneLaps& laps = *current_;
    const std::uint32_t rank = laps.running_;
    laps.body_(rank);
    laps.lanes_[rank].done = true;
  }

  inline static LaneLaps* current_ = nullptr;
  Random random_;
  std::vector<Lane> lanes_;
  std::function<void(std::uint32_t)> body_;
  std::uint32_t running_ = 0;
  ucontext_t main_{};
};

using LapLane = LaneScopeOn<LaneLaps>;
static_assert(exec::LaneScope<LapLane>);

/// A scene after bounding and searching its clusters.
class Meeting {
 public:
  Meeting(const Motion& motion, ccd::GroupRule rule, std::uint64_t seed)
      : random_(seed), hierarchy_(motion) {
    ccd::SceneView& scene = job().scene;
    scene.mesh.group_rule = rule;
    job().step.asked.tolerance = 1e-6;
    job().step.asked.max_intervals = 1000;
    InRandomOrder run(seed, hierarchy_);
    hierarchy_.BuildAndRefit(run);
    run.operator()<ccd::ArrangeClusters>(scene.Clusters());
    run.operator()<ccd::BoundClusters>(ccd::BoundClusters::IndicesOf(job()));
    const std::size_t clusters = scene.Clusters();
    hierarchy_.ReserveMeetings(clusters * (clusters + 1) / 2);
    run.operator()<ccd::SearchClusters>(scene.Clusters());
    CandidatePairs pairs = BruteForceCandidates(motion, rule);
    candidates_ = {std::move(pairs.vertex_face), std::move(pairs.edge_edge)};
  }
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  const PairsByKind& candidates() const { return candidates_; }

  /// The candidates that a root finder reports.
  PairsByKind Colliding() {
    PairsByKind left;
    for (std::size_t kind = 0; kind < 2; ++kind) {
      for (const IdPair& pair : candidates_[kind]) {
        const ccd::MovingPair moving = ccd::LoadPair(
            job().scene, job().step, static_cast<ccd::PairKind>(kind), {pair[0], pair[1]});
        const ccd::RootLimits limits{job().step.asked.tolerance, 1000, 1};
        if (ccd::FindContactConservative(moving, limits).touches) left[kind].push_back(pair);
      }
    }
    return left;
  }

  /// Runs MeetNumbered, and the stage of root finding behind it. Returns an empty string if both
  /// together count all contacts, each once, and find the earliest one.
  std::string FindContactFault(std::uint32_t lanes) {
    ccd::StepView& step = job().step;
    step.asked.report = ccd::Report::kCollisions;
    const std::uint64_t meetings = std::exchange(*step.counters, ccd::ClearCounters()).meetings;
    step.counters->meetings = meetings;  // of the search
    std::array<std::vector<ccd::PairIds>, 2> lists;
    for (std::size_t kind = 0; kind < 2; ++kind) {
      lists[kind].resize(candidates_[kind].size());
      step.lists.survivors[kind] = {lists[kind].data(), lists[kind].size(),
                                    &step.counters->survivors[kind]};
    }
    step.lists.left = {nullptr, 0, &step.counters->left};
    step.lists.vertex_face = {nullptr, 0, &step.counters->listed_contacts[0]};
    step.lists.edge_edge = {nullptr, 0, &step.counters->listed_contacts[1]};
    std::string failure =
        Run<ccd::MeetNumbered>(lanes, ccd::NumberedPairs::IndicesOf(job().scene.clusters.tree));
    listed_ += Survivors(0) + Survivors(1);
    failure += Run<ccd::FindRoots>(lanes, ccd::EachPairToFind::Count<exec::ThreadScope>(job()));
    if (!failure.empty()) return failure;
    double earliest = 2;
    for (std::size_t kind = 0; kind < 2; ++kind) {
      std::uint64_t expected = 0;
      for (const IdPair& pair : candidates_[kind]) {
        const ccd::MovingPair moving =
            ccd::LoadPair(job().scene, step, static_cast<ccd::PairKind>(kind), {pair[0], pair[1]});
        const auto contact = ccd::FindContactConservative(moving, {1e-6, 1000, 1});
        if (!contact.touches || !ccd::SurvivesFilters(moving)) continue;
        ++expected;
        earliest = std::min(earliest, contact.time);
      }
      if (step.counters->contacts[kind] != expected ||
          step.counters->listed_contacts[kind] != expected) {
        return std::to_string(step.counters->contacts[kind]) + " contacts, not " +
               std::to_string(expected);
      }
    }
    const double found = std::bit_cast<double>(step.counters->earliest_bits);
    return std::abs(found - earliest) < 1e-6 ? "" : "not the earliest time";
  }

  /// Survivors that MeetNumbered had no room for, in all runs.
  std::uint64_t Listed() const { return listed_; }
  std::uint64_t Survivors(std::size_t kind) { return job().step.counters->survivors[kind]; }

  /// Runs a procedure in ranges of random sizes, in random order. Returns an empty string if the
  /// survivors are candidates, each once, and include all expected ones, and if the candidates are
  /// counted correctly.
  template <class Procedure = ccd::MeetClusters>
  std::string FindFault(ccd::Report report, std::uint32_t lanes, const PairsByKind& expected) {
    std::array<std::vector<ccd::PairIds>, 2> lists;
    ccd::StepView& step = job().step;
    step.asked.report = report;
    for (std::size_t kind = 0; kind < 2; ++kind) {
      // Room for a few more than expected, and a mark behind it.
      const std::size_t capacity = 2 * candidates_[kind].size() + 100;
      lists[kind].assign(capacity + 1, HostHierarchy::kUnused);
      step.counters->candidates[kind] = step.counters->survivors[kind] = 0;
      step.lists.survivors[kind] = {lists[kind].data(), capacity, &step.counters->survivors[kind]};
    }
    std::uint64_t count = *job().step.lists.meetings.count;
    if (count > job().step.lists.meetings.capacity) return "too many pairs of clusters";
    if constexpr (std::is_same_v<Procedure, ccd::MeetNumbered>) {
      count = ccd::NumberedPairs::IndicesOf(job().scene.clusters.tree);
    }
    const std::string failure = Run<Procedure>(lanes, static_cast<std::uint32_t>(count));
    if (!failure.empty()) return failure;
    for (std::size_t kind = 0; kind < 2; ++kind) {
      const std::string fault = FaultOf(kind, lists[kind], expected[kind]);
      if (!fault.empty()) return (kind == 0 ? "vertex-face: " : "edge-edge: ") + fault;
    }
    return "";
  }

 private:
  ccd::CollisionJob& job() { return hierarchy_.job; }

  /// A group of one thread is a CPU worker; the lanes of larger groups switch at random.
  template <class Procedure>
  std::string Run(std::uint32_t lanes, std::uint32_t count) {
    std::vector<procedure::Range> ranges = Ranges(count);
    ScratchOf<Procedure> scratch;
    std::string failure;
    while (!ranges.empty() && failure.empty()) {
      std::swap(ranges[random_.Below(static_cast<std::uint32_t>(ranges.size()))], ranges.back());
      std::fill(std::begin(scratch.bytes), std::end(scratch.bytes), std::byte{0xab});
      if (lanes == 1) {
        exec::ThreadScope scope(scratch.bytes);
        ThreadContext context{scope, job()};
        Procedure::Execute(context, ranges.back());
      } else {
        LaneLaps laps(lanes, random_.Below(1000));
        failure = laps.Run([&](std::uint32_t rank) {
          LapLane lane(laps, rank, scratch.bytes);
          procedure::Context<LapLane, ccd::CollisionJob> context{lane, job()};
          Procedure::Execute(context, ranges.back());
        });
      }
      if (scratch.bytes[Procedure::kSharedBytes] != std::byte{0xab}) {
        failure += "written behind the scratch memory";
      }
      ranges.pop_back();
    }
    return failure;
  }

  std::vector<procedure::Range> Ranges(std::uint32_t count) {
    std::vector<procedure::Range> ranges;
    for (std::uint32_t begin = 0; begin < count; begin = ranges.back().end) {
      ranges.push_back({begin, std::min(count, begin + 1 + random_.Below(kLongestRange))});
    }
    return ranges;
  }

  std::string FaultOf(std::size_t kind, const std::vector<ccd::PairIds>& list,
                      const std::vector<IdPair>& expected) {
    const ccd::StepCounters& counters = *job().step.counters;
    if (counters.candidates[kind] != candidates_[kind].size()) {
      return std::to_string(counters.candidates[kind]) + " candidates are counted, not " +
             std::to_string(candidates_[kind].size());
    }
    if (list.back().a != HostHierarchy::kUnused.a) return "written behind the list";
    std::vector<IdPair> found;
    for (std::size_t i = 0; i < std::min(counters.survivors[kind], list.size() - 1); ++i) {
      found.push_back({list[i].a, list[i].b});
    }
    std::sort(found.begin(), found.end());
    if (std::adjacent_find(found.begin(), found.end()) != found.end()) return "a pair comes twice";
    if (!std::includes(found.begin(), found.end(), expected.begin(), expected.end())) {
      return "a pair is missing";
    }
    const bool known = std::includes(candidates_[kind].begin(), candidates_[kind].end(),
                                     found.begin(), found.end());
    return known ? "" : "a pair should not be there";
  }

  Random random_;
  HostHierarchy hierarchy_;
  PairsByKind candidates_;
  std::uint64_t listed_ = 0;
};

/// Both reports, by groups of all sizes. Empty when everything is right.
std::string MeetingFault(const Motion& motion, std::uint64_t seed,
                         ccd::GroupRule rule = ccd::GroupRule::kAll) {
  Meeting meeting(InFloats(motion), rule, seed);
  const PairsByKind colliding = meeting.Colliding();
  for (const std::uint32_t lanes : kLanes) {
    const std::string by = " (" + std::to_string(lanes) + " lanes)";
    std::string fault = meeting.FindFault(ccd::Report::kCandidates, lanes, meeting.candidates());
    if (!fault.empty()) return "candidates: " + fault + by;
    fault =
        meeting.FindFault<ccd::MeetNumbered>(ccd::Report::kCandidates, lanes, meeting.candidates());
    if (!fault.empty()) return "candidates of numbered pairs: " + fault + by;
    fault = meeting.FindFault(ccd::Report::kCollisions, lanes, colliding);
    if (!fault.empty()) return "survivors: " + fault + by;
    fault = meeting.FindContactFault(lanes);
    if (!fault.empty()) return "contacts of numbered pairs: " + fault + by;
  }
  return "";
}

TEST(MeetClusters, FindsThePairsOfSoups) {
  for (const std::uint32_t triangles : {1u, 2u, 9u, 60u}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      ASSERT_EQ(MeetingFault(TriangleSoup(seed, {triangles, 0.3, 0.3}), seed), "")
          << triangles << " triangles, seed " << seed;
    }
  }
  EXPECT_EQ(MeetingFault(TriangleSoup(5, {400, 0.1, 0.2}), 5), "");
}

TEST(MeetClusters, FindsThePairsOfSoupsOnAGrid) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    ASSERT_EQ(MeetingFault(TriangleSoup(seed, {60, 0.3, 0.3, 3}), seed), "") << "seed " << seed;
  }
}

TEST(MeetClusters, FindsThePairsOfACloth) {
  EXPECT_EQ(MeetingFault(FoldingCloth(1, 12, 15), 1), "");
}

TEST(MeetClusters, FindsThePairsOfDegenerateMotions) {
  for (const NamedMotion& named : DegenerateMotions()) {
    EXPECT_EQ(MeetingFault(named.motion, 2), "") << named.name;
  }
}

TEST(MeetClusters, FindsThePairsOfStackedTriangles) {
  EXPECT_EQ(MeetingFault(Stacked(40, 2), 3), "");
}

TEST(MeetClusters, RespectsGroups) {
  Motion motion = Tetrahedra(4, 40);
  for (const ccd::GroupRule rule :
       {ccd::GroupRule::kAll, ccd::GroupRule::kSame, ccd::GroupRule::kDifferent}) {
    EXPECT_EQ(MeetingFault(motion, 4, rule), "") << "rule " << static_cast<int>(rule);
  }
  motion = TriangleSoup(6, {100, 0.3, 0.3});  // with candidates within a group, too
  motion.vertex_groups.clear();
  for (std::uint32_t v = 0; v < motion.Vertices(); ++v) motion.vertex_groups.push_back(v / 3 % 3);
  for (const ccd::GroupRule rule : {ccd::GroupRule::kSame, ccd::GroupRule::kDifferent}) {
    EXPECT_EQ(MeetingFault(motion, 6, rule), "") << "rule " << static_cast<int>(rule);
  }
}

TEST(MeetNumbered, ListsWhatItHasNoRoomFor) {
  Meeting meeting(InFloats(TriangleSoup(3, {60, 0.9, 0.9})), ccd::GroupRule::kAll, 3);
  for (const std::uint32_t lanes : kLanes) EXPECT_EQ(meeting.FindContactFault(lanes), "");
  EXPECT_GT(meeting.Listed(), 0u);
}

TEST(MeetClusters, LeavesFewPairsThatDoNotCollide) {
  Meeting meeting(InFloats(TriangleSoup(5, {400, 0.1, 0.2})), ccd::GroupRule::kAll, 5);
  const PairsByKind colliding = meeting.Colliding();
  ASSERT_EQ(meeting.FindFault(ccd::Report::kCollisions, 1, colliding), "");
  for (std::size_t kind = 0; kind < 2; ++kind) {
    EXPECT_GT(colliding[kind].size(), 30u) << "otherwise the tests above say little";
    EXPECT_GT(meeting.candidates()[kind].size(), 3 * meeting.Survivors(kind));
  }
}

}  // namespace
}  // namespace warpyard::test_support
