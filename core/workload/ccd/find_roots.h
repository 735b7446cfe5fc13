// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Narrow phase: time of impact of each pair that the filters left.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_FIND_ROOTS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_FIND_ROOTS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/procedure/lane_buffer.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/collision_job.h"
#include "core/workload/ccd/float_filter.h"
#include "core/workload/ccd/pair_filter.h"
#include "core/workload/ccd/root_conservative.h"
#include "core/workload/ccd/root_cubic.h"

namespace warpyard::ccd {

using procedure::Context;
using procedure::LaneBuffer;
using procedure::Range;

/// The pair with an index among those that the filters left, of which those of a vertex and a face
/// come first.
template <class Scope>
WY_HD MarkedPair SurvivorAt(const StepView& step, std::uint32_t i) {
  const auto vertex_face =
      static_cast<std::uint32_t>(Scope::Word(*step.survivors[0].count).LoadRelaxed());
  if (i < vertex_face) return MarkedPair::Of(PairKind::kVertexFace, step.survivors[0].items[i]);
  return MarkedPair::Of(PairKind::kEdgeEdge, step.survivors[1].items[i - vertex_face]);
}

/// Whether a short walk in floats proves a pair free. Spares a device most of the walks in doubles;
/// on a CPU, where groups are single threads, it costs more than it spares and says nothing.
template <class Scope>
WY_HD bool IsApartInFloats(const Scope& scope, const CollisionJob& job, const MarkedPair& pair) {
  if (scope.Size() == 1) return false;
  std::uint32_t vertices[4];
  VerticesOf(job.scene, pair.Kind(), pair.Ids(), vertices);
  FloatWalk walk(pair.Kind(), PointsOf(job.scene, vertices).of);
  return walk.IsApartThroughout(NearOf(job.step));
}

/// Stage over survivors, vertex-face pairs first.
struct FindRoots {
  using Pairs = LaneBuffer<MarkedPair, 64>;
  using VertexFaces = LaneBuffer<VertexFaceCollision, 64>;
  using EdgeEdges = LaneBuffer<EdgeEdgeCollision, 64>;
  struct Scratch {
    Pairs::Memory left;
    VertexFaces::Memory vertex_face;
    EdgeEdges::Memory edge_edge;
  };

  using Item = Range;
  static constexpr std::size_t kSharedBytes = sizeof(Scratch);
  static constexpr const char* kName = "FindRoots";
  static constexpr bool kUneven = true;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 128;
  static constexpr std::uint32_t kLeastGrain = 32;  // where there are few

  template <exec::LaneScope Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    Finder<Scope> finder(context);
    finder.Run(range);
    finder.Finish();
  }

 private:
  static constexpr std::uint32_t kRoundsBetweenLooks = 8;  // for a cancel

  template <class Scope>
  class Finder {
   public:
    WY_HD explicit Finder(Context<Scope, CollisionJob>& context)
        : context_(context),
          scope_(context.scope),
          step_(context.job.step),
          left_(context.template Shared<Scratch>().left),
          vertex_face_(context.template Shared<Scratch>().vertex_face),
          edge_edge_(context.template Shared<Scratch>().edge_edge) {}

    WY_HD void Run(const Range& range) {
      std::uint32_t next = range.begin;
      WY_ROLLED
      for (std::uint32_t round = 0;; ++round) {
        if (round % kRoundsBetweenLooks == 0 && context_.Cancelled()) return;
        MarkedPair pair{};
        if (next < range.end && left_.Count() < scope_.Size()) {
          const bool has = next + scope_.Rank() < range.end;
          if (has) pair = SurvivorAt<Scope>(step_, next + scope_.Rank());
          left_.Push(scope_, has && !IsApartInFloats(scope_, context_.job, pair), pair);
          next += scope_.Size();
          continue;
        }
        if (left_.Count() == 0) return;
        Contact contact;
        if (left_.Take(scope_, pair)) contact = Find(pair);
        if (scope_.Any(contact.touches)) Record(pair, contact);
      }
    }

    WY_HD void Finish() {
      vertex_face_.FlushTo(scope_, step_.vertex_face);
      edge_edge_.FlushTo(scope_, step_.edge_edge);
      if (scope_.Rank() != 0) return;
      for (std::uint32_t kind = 0; kind < 2; ++kind) {
        if (found_[kind] == 0) continue;
        Scope::Word(step_.counters->contacts[kind]).FetchAddRelaxed(found_[kind]);
      }
    }

   private:
    WY_HD Contact Find(const MarkedPair& marked) {
      const MovingPair pair = LoadPair(context_.job.scene, step_, marked.Kind(), marked.Ids());
      if (!SurvivesFilters(pair, step_.min_separation)) return {};
      const RootLimits limits{step_.tolerance, step_.max_intervals, EndTime<Scope>(step_),
                              step_.min_separation};
      return step_.root_finder == RootFinder::kCubic ? FindContactCubic(pair, limits)
                                                     : FindContactConservative(pair, limits);
    }

    /// Adds the contacts of all lanes to the results.
    WY_HD void Record(const MarkedPair& pair, const Contact& contact) {
      const bool edges = pair.Kind() == PairKind::kEdgeEdge;
      const bool of_face = contact.touches && !edges, of_edges = contact.touches && edges;
      found_[0] += exec::CountBits(scope_.Ballot(of_face));
      found_[1] += exec::CountBits(scope_.Ballot(of_edges));
      if (contact.touches) {
        std::uint64_t bits;
        memcpy(&bits, &contact.time, sizeof bits);
        Scope::Word(step_.counters->earliest_bits).FetchMinRelaxed(bits);
        if (contact.capped) Scope::Word(step_.counters->capped_pairs).FetchAddRelaxed(1);
      }
      if (step_.report != Report::kCollisions) return;
      if (vertex_face_.IsNearlyFull(scope_)) vertex_face_.FlushTo(scope_, step_.vertex_face);
      if (edge_edge_.IsNearlyFull(scope_)) edge_edge_.FlushTo(scope_, step_.edge_edge);
      const PairIds ids = pair.Ids();
      vertex_face_.Push(scope_, of_face, {ids.a, ids.b, contact.time});
      std::uint32_t v[4] = {};
      if (of_edges) VerticesOf(context_.job.scene, PairKind::kEdgeEdge, ids, v);
      edge_edge_.Push(scope_, of_edges, {v[0], v[1], v[2], v[3], contact.time});
    }

    Context<Scope, CollisionJob>& context_;
    Scope& scope_;
    const StepView& step_;
    Pairs left_;  // that a walk in floats did not prove free
    VertexFaces vertex_face_;
    EdgeEdges edge_edge_;
    std::uint64_t found_[2] = {0, 0};
  };
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_FIND_ROOTS_H_
