// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The candidates of a motion as survivors of a step on the host, and the contacts that complete
// walks of these pairs find.
#ifndef WARPYARD_TESTS_UNIT_WORKLOAD_CCD_NARROW_HOST_PAIRS_H_
#define WARPYARD_TESTS_UNIT_WORKLOAD_CCD_NARROW_HOST_PAIRS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "core/workload/ccd/narrow/pair_filter.h"
#include "core/workload/ccd/narrow/root_conservative.h"
#include "core/workload/ccd/narrow/walk_pairs.h"
#include "tests/support/oracles/brute_force.h"
#include "tests/unit/workload/ccd/broad/hierarchy_fixture.h"
#include "tests/unit/workload/ccd/stage_runners.h"

namespace warpyard::test_support {

class HostPairs {
 public:
  /// Four vertices (for a vertex-face pair: the vertex and the face's index) and a time.
  using Found = std::tuple<std::array<std::uint32_t, 4>, double>;

  explicit HostPairs(const Motion& motion) : hierarchy_(motion) {
    hierarchy_.BuildAndRefit(InRandomOrder(1, hierarchy_));
    const CandidatePairs candidates = BruteForceCandidates(motion);
    for (const auto& [a, b] : candidates.vertex_face) pairs_[0].push_back({a, b});
    for (const auto& [a, b] : candidates.edge_edge) pairs_[1].push_back({a, b});
    left_.resize(Pairs());
    vertex_face_.resize(pairs_[0].size());
    edge_edge_.resize(pairs_[1].size());
    PlaceLists(Job().step.lists);
    ccd::StepQuestion& asked = Job().step.asked;
    asked.report = ccd::Report::kCollisions;
    asked.tolerance = 1e-6;
    asked.max_intervals = 1'000'000;
  }

  ccd::CollisionJob& Job() { return hierarchy_.job; }
  ccd::StepCounters& Counters() { return *Job().step.counters; }
  std::size_t Pairs() const { return pairs_[0].size() + pairs_[1].size(); }

  /// Lists the pairs that a walk in floats leaves, as the stage before does if there are many
  /// pairs.
  void WalkInFloats() {
    InRandomOrder(2, Job()).template operator()<ccd::WalkPairs>(
        static_cast<std::uint32_t>(Pairs()));
  }

  /// The collisions that a run has listed, sorted.
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

  /// The results of complete walks, sorted.
  struct Expected {
    std::vector<Found> found;
    std::uint64_t walks = 0;  // of pairs that floats leave
    std::uint64_t capped = 0;
    double earliest = 2;
  };
  Expected OfWholeWalks() {
    Expected expected;
    ForEachWalk([&](const Walk& walk) { Add(walk, expected); });
    std::sort(expected.found.begin(), expected.found.end());
    return expected;
  }

 protected:
  /// A pair that floats leave, and the start of its walk in doubles.
  struct Walk {
    ccd::MarkedPair ids;
    ccd::MovingPair pair;
    ccd::RootLimits limits;
  };

  template <class Visit>
  void ForEachWalk(Visit&& visit) {
    const ccd::StepView& step = Job().step;
    for (const ccd::PairKind kind : {ccd::PairKind::kVertexFace, ccd::PairKind::kEdgeEdge}) {
      for (const ccd::PairIds& ids : pairs_[static_cast<std::size_t>(kind)]) {
        const ccd::MovingPair pair = ccd::LoadPair(Job().scene, step, kind, ids);
        const double free_until = ccd::FloatWalk(pair).FreeUntil(ccd::NearOf(step));
        if (free_until >= step.asked.end_time) continue;
        visit(Walk{ccd::MarkedPair::Of(kind, ids),
                   pair,
                   {step.asked.tolerance, step.asked.max_intervals, step.asked.end_time,
                    step.asked.min_separation, free_until}});
      }
    }
  }

 private:
  void PlaceLists(ccd::StepListsView& lists) {
    for (std::size_t kind = 0; kind < 2; ++kind) {
      Counters().survivors[kind] = pairs_[kind].size();
      lists.survivors[kind] = {pairs_[kind].data(), pairs_[kind].size(),
                               &Counters().survivors[kind]};
    }
    std::uint64_t* const listed = Counters().listed_contacts;
    lists.left = {left_.data(), left_.size(), &Counters().left};
    lists.vertex_face = {vertex_face_.data(), vertex_face_.size(), listed};
    lists.edge_edge = {edge_edge_.data(), edge_edge_.size(), listed + 1};
    lists.rows = {};
  }

  void Add(const Walk& walk, Expected& expected) {
    ++expected.walks;
    const ccd::Contact contact = ccd::FindContactConservative(walk.pair, walk.limits);
    if (!contact.touches || !ccd::SurvivesFilters(walk.pair, walk.limits.min_separation)) return;
    expected.capped += contact.capped ? 1 : 0;
    expected.earliest = std::min(expected.earliest, contact.time);
    const ccd::PairIds ids = walk.ids.Ids();
    std::array<std::uint32_t, 4> v = {ids.a, ids.b};
    if (walk.ids.Kind() == ccd::PairKind::kEdgeEdge) {
      std::uint32_t ends[4];
      ccd::VerticesOf(Job().scene.mesh, ccd::PairKind::kEdgeEdge, ids, ends);
      std::copy(ends, ends + 4, v.begin());
    }
    expected.found.push_back({v, contact.time});
  }

  HostHierarchy hierarchy_;
  std::array<std::vector<ccd::PairIds>, 2> pairs_;
  std::vector<ccd::LeftPair> left_;
  std::vector<ccd::VertexFaceCollision> vertex_face_;
  std::vector<ccd::EdgeEdgeCollision> edge_edge_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_WORKLOAD_CCD_NARROW_HOST_PAIRS_H_
