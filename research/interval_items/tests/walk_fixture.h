// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The candidates of a motion as a job whose one stage finds roots by work items, and what whole
// walks of the same pairs find.
#ifndef WARPYARD_RESEARCH_INTERVAL_ITEMS_TESTS_WALK_FIXTURE_H_
#define WARPYARD_RESEARCH_INTERVAL_ITEMS_TESTS_WALK_FIXTURE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "research/interval_items/interval_items.h"
#include "tests/support/oracles/brute_force.h"
#include "tests/unit/workload/ccd/broad/hierarchy_fixture.h"
#include "tests/unit/workload/ccd/stage_runners.h"

namespace warpyard::test_support {

/// One stage: roots of all pairs.
struct WalkProgram {
  using Job = ccd::CollisionJob;
  using Procedures = ccd::IntervalItems::Procedures;
  static constexpr std::uint32_t kMaxStages = 1;

  static std::uint32_t StageCount(const Job&) { return kMaxStages; }

  template <class Scope>
  static procedure::StagePlan Plan(const Job& job, std::uint32_t) {
    const bool are_walked = Scope::Word(*job.step.left.count).LoadRelaxed() != 0;
    return ccd::PlanOf<ccd::SeedWalks, Procedures>(
        are_walked ? ccd::CountOf<Scope>(job.step.left) : ccd::SurvivorCount<Scope>(job.step));
  }
};

class HostWalks {
 public:
  /// Four vertices (of a vertex and a face the vertex and the face's index) and a time.
  using Found = std::tuple<std::array<std::uint32_t, 4>, double>;

  /// @shape intervals: that an item examines
  HostWalks(const Motion& motion, std::uint32_t intervals) : hierarchy_(motion) {
    hierarchy_.BuildAndRefit(InRandomOrder(1, hierarchy_));
    const CandidatePairs candidates = BruteForceCandidates(motion);
    for (const auto& [a, b] : candidates.vertex_face) pairs_[0].push_back({a, b});
    for (const auto& [a, b] : candidates.edge_edge) pairs_[1].push_back({a, b});
    ccd::StepView& step = Job().step;
    for (std::size_t kind = 0; kind < 2; ++kind) {
      Counters().survivors[kind] = pairs_[kind].size();
      step.survivors[kind] = {pairs_[kind].data(), pairs_[kind].size(),
                              &Counters().survivors[kind]};
    }
    left_.resize(Pairs());
    step.left = {left_.data(), left_.size(), &Counters().left};
    step.rows = {};
    vertex_face_.resize(pairs_[0].size());
    edge_edge_.resize(pairs_[1].size());
    times_.assign(Pairs(), -1);
    std::uint64_t* const listed = Counters().listed_contacts;
    step.vertex_face = {vertex_face_.data(), vertex_face_.size(), listed};
    step.edge_edge = {edge_edge_.data(), edge_edge_.size(), listed + 1};
    step.report = ccd::Report::kCollisions;
    step.tolerance = 1e-6;
    step.max_intervals = 1'000'000;
    step.interval_items = intervals;
    step.walk_times = times_.data();
  }

  ccd::CollisionJob& Job() { return hierarchy_.job; }
  ccd::StepCounters& Counters() { return *Job().step.counters; }
  std::size_t Pairs() const { return pairs_[0].size() + pairs_[1].size(); }

  /// Lists what a walk in floats leaves, as the stage before does where pairs are many.
  void WalkInFloats() {
    InRandomOrder(2, Job()).template operator()<ccd::WalkPairs>(
        static_cast<std::uint32_t>(Pairs()));
  }

  /// What the run listed, in an order of its own.
  std::vector<Found> Listed() {
    std::vector<Found> found;
    const std::uint64_t* const listed = Counters().listed_contacts;
    for (std::size_t i = 0; i < listed[0]; ++i) {
      found.push_back({{vertex_face_[i].vertex, vertex_face_[i].face}, vertex_face_[i].time});
    }
    for (std::size_t i = 0; i < listed[1]; ++i) {
      const ccd::EdgeEdgeCollision& at = edge_edge_[i];
      found.push_back({{at.a0, at.a1, at.b0, at.b1}, at.time});
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  /// What whole walks find, in the same order, how many there are, and the items beyond the first
  /// of each walk that are needed for it.
  struct Expected {
    std::vector<Found> found;
    std::uint64_t walks = 0;  // of pairs that floats leave
    std::uint64_t capped = 0;
    std::uint64_t continued = 0;
    double earliest = 2;
  };
  Expected OfWholeWalks() {
    Expected expected;
    for (std::size_t kind = 0; kind < 2; ++kind) {
      for (const ccd::PairIds& ids : pairs_[kind]) {
        Add(kind == 0 ? ccd::PairKind::kVertexFace : ccd::PairKind::kEdgeEdge, ids, expected);
      }
    }
    std::sort(expected.found.begin(), expected.found.end());
    return expected;
  }

 private:
  void Add(ccd::PairKind kind, ccd::PairIds ids, Expected& expected) {
    const ccd::StepView& step = Job().step;
    const ccd::MovingPair pair = ccd::LoadPair(Job().scene, step, kind, ids);
    const double free_until = ccd::FloatWalk(pair).FreeUntil(ccd::NearOf(step));
    if (free_until >= step.end_time) return;
    ++expected.walks;
    const ccd::RootLimits limits{step.tolerance, step.max_intervals, step.end_time,
                                 step.min_separation, free_until};
    expected.continued += Continued(pair, limits);
    const ccd::Contact contact = ccd::FindContactConservative(pair, limits);
    if (!contact.touches || !ccd::SurvivesFilters(pair, step.min_separation)) return;
    expected.capped += contact.capped ? 1 : 0;
    expected.earliest = std::min(expected.earliest, contact.time);
    std::array<std::uint32_t, 4> v = {ids.a, ids.b};
    if (kind == ccd::PairKind::kEdgeEdge) {
      std::uint32_t ends[4];
      ccd::VerticesOf(Job().scene, kind, ids, ends);
      std::copy(ends, ends + 4, v.begin());
    }
    expected.found.push_back({v, contact.time});
  }

  /// Items beyond the first: where a walk turns, a last one for all that is left.
  std::uint64_t Continued(const ccd::MovingPair& pair, const ccd::RootLimits& limits) {
    const std::uint32_t most = std::min(limits.max_intervals, ccd::kManyIntervals);
    std::uint32_t intervals = 0;
    ccd::WalkStep last = ccd::WalkStep::kAdvanced;
    ccd::Walk walk(pair, limits);
    while (intervals < most && last == ccd::WalkStep::kAdvanced) last = walk.Advance(intervals++);
    if (intervals == 0) return 0;
    const bool turns = last == ccd::WalkStep::kAdvanced && most < limits.max_intervals;
    return (intervals - 1) / Job().step.interval_items + (turns ? 1 : 0);
  }

  HostHierarchy hierarchy_;
  std::array<std::vector<ccd::PairIds>, 2> pairs_;
  std::vector<ccd::LeftPair> left_;
  std::vector<ccd::VertexFaceCollision> vertex_face_;
  std::vector<ccd::EdgeEdgeCollision> edge_edge_;
  std::vector<double> times_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_RESEARCH_INTERVAL_ITEMS_TESTS_WALK_FIXTURE_H_
