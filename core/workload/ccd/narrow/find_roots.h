// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Narrow phase: the time of impact of each pair that the filters left.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_NARROW_FIND_ROOTS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_NARROW_FIND_ROOTS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/procedure/lane_buffer.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/job/sample_part.h"
#include "core/workload/ccd/job/stage_list.h"
#include "core/workload/ccd/narrow/pair_filter.h"
#include "core/workload/ccd/narrow/root_conservative.h"
#include "core/workload/ccd/narrow/root_cubic.h"
#include "core/workload/ccd/narrow/walk_pairs.h"

namespace warpyard::ccd {

using procedure::Context;
using procedure::LaneBuffer;
using procedure::Range;

/// Stage over EachPairToFind: lists contacts, or keeps the earliest time. If the lists are to be
/// sorted, it also counts their rows.
struct FindRoots : SurvivorStage {
  using LeftPairs = LaneBuffer<LeftPair, 64>;
  using VertexFaces = LaneBuffer<VertexFaceCollision, 64>;
  using EdgeEdges = LaneBuffer<EdgeEdgeCollision, 64>;
  struct Scratch {
    LeftPairs::Memory left;
    VertexFaces::Memory vertex_face;
    EdgeEdges::Memory edge_edge;
  };

  static constexpr std::size_t kSharedBytes = sizeof(Scratch);
  static constexpr const char* kName = "FindRoots";

  template <exec::LaneScope Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    FindIn(context.scope, context.job, context.cancel, range, nullptr);
  }

  /// Finds roots of pairs that a group has of its own, or of those of the stage. Not inlined, so
  /// that its registers do not depend on what else the workers' loop has: beside the procedures of
  /// simplification it took 1.7 times as long.
  /// @shape own: null for those of the stage, else pairs behind the first sizeof(Scratch) bytes of
  ///     the group's memory; range: of them
  template <class Scope>
  WY_DEVICE_CALL WY_HD static void FindIn(Scope scope, CollisionJob& job, std::uint32_t* cancel,
                                          const Range range, const MarkedPair* own) {
    Context<Scope, CollisionJob> context{scope, job, cancel};
    Finder<Scope> finder(context, context.template Shared<Scratch>(), own);
    finder.Run(range);
    finder.Finish();
  }

 private:
  static constexpr std::uint32_t kRoundsBetweenLooks = 8;  // looks whether the event is cancelled
  /// Any contact of a sample limits the time of the second pass. So the sample gives up long walks,
  /// and the second pass does them.
  static constexpr std::uint32_t kSampleIntervals = 4;

  template <class Scope>
  class Finder {
   public:
    WY_HD Finder(Context<Scope, CollisionJob>& context, Scratch& scratch, const MarkedPair* own)
        : context_(context),
          scope_(context.scope),
          step_(context.job.step),
          left_(scratch.left),
          vertex_face_(scratch.vertex_face),
          edge_edge_(scratch.edge_edge),
          pairs_(PairsToWalk::Of<Scope>(step_, own)),
          is_sample_(SampleParts::Of<Scope>(*step_.counters) == SamplePart::kIn) {}

    WY_HD void Run(const Range& range) {
      std::uint32_t next = range.begin;
      WY_ROLLED
      for (std::uint32_t round = 0;; ++round) {
        if (round % kRoundsBetweenLooks == 0 && context_.Cancelled()) return;
        LeftPair left{};
        if (next < range.end && left_.Count() < scope_.Size()) {
          const std::uint32_t i = next + scope_.Rank();
          left_.Push(scope_, i < range.end && IsLeft(i, left), left);
          next += scope_.Size();
          continue;
        }
        if (left_.Count() == 0) return;
        Contact contact;
        if (left_.Take(scope_, left)) contact = Find(left);
        if (scope_.Any(contact.touches)) Record(left.pair, contact);
      }
    }

    WY_HD void Finish() {
      vertex_face_.FlushTo(scope_, step_.lists.vertex_face);
      edge_edge_.FlushTo(scope_, step_.lists.edge_edge);
      if (scope_.Rank() != 0) return;
      for (std::uint32_t kind = 0; kind < 2; ++kind) {
        if (found_[kind] == 0) continue;
        Scope::Word(step_.counters->contacts[kind]).FetchAddRelaxed(found_[kind]);
      }
    }

   private:
    WY_HD bool IsLeft(std::uint32_t i, LeftPair& left) const {
      const double end_time = EndTimeOf<Scope>(context_.job, pairs_.At(i));
      return pairs_.IsLeft(context_.job, i, end_time, left);
    }

    /// Pairs that the exact filters prove to be apart are not reported, however near they come. The
    /// exact filters come last, because only few of the pairs that reach them are apart.
    WY_HD Contact Find(const LeftPair& left) {
      const MovingPair pair =
          LoadPair(context_.job.scene, step_, left.pair.Kind(), left.pair.Ids());
      RootLimits limits{step_.asked.tolerance, step_.asked.max_intervals,
                        EndTimeOf<Scope>(context_.job, left.pair), step_.asked.min_separation,
                        left.free_until};
      if (left.free_until >= limits.end_time) return {};
      if (is_sample_) limits.max_intervals = exec::Least(limits.max_intervals, kSampleIntervals);
      const Contact contact = step_.asked.root_finder == RootFinder::kCubic
                                  ? FindContactCubic(pair, limits)
                                  : FindContactConservative(pair, limits);
      if (is_sample_ && contact.capped) return {};
      if (contact.touches && !SurvivesFilters(pair, step_.asked.min_separation)) return {};
      return contact;
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
        const std::uint32_t world = context_.job.scene.worlds.WorldOf(pair.Kind(), pair.Ids());
        Scope::Word(EarliestBits(step_, world)).FetchMinRelaxed(bits);
        if (contact.capped) Scope::Word(step_.counters->capped_pairs).FetchAddRelaxed(1);
      }
      if (step_.asked.report != Report::kCollisions) return;
      if (vertex_face_.IsNearlyFull(scope_)) vertex_face_.FlushTo(scope_, step_.lists.vertex_face);
      if (edge_edge_.IsNearlyFull(scope_)) edge_edge_.FlushTo(scope_, step_.lists.edge_edge);
      const PairIds ids = pair.Ids();
      vertex_face_.Push(scope_, of_face, {ids.a, ids.b, contact.time});
      std::uint32_t v[4] = {};
      if (of_edges) VerticesOf(context_.job.scene.mesh, PairKind::kEdgeEdge, ids, v);
      edge_edge_.Push(scope_, of_edges, {v[0], v[1], v[2], v[3], contact.time});
      if (contact.touches && step_.lists.rows.ends != nullptr) {
        step_.lists.rows.Count<Scope>(step_.lists.rows.RowOf(edges, edges ? v[1] : ids.a));
      }
    }

    Context<Scope, CollisionJob>& context_;
    Scope& scope_;
    const StepView& step_;
    LeftPairs left_;
    VertexFaces vertex_face_;
    EdgeEdges edge_edge_;
    const PairsToWalk pairs_;
    const bool is_sample_;
    std::uint64_t found_[2] = {0, 0};
  };
};

/// Indices of WalkPairs: the survivors, if there are many.
struct EachPairToWalk {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    const std::uint32_t survivors = SurvivorCount<Scope>(job.step);
    return AreWalkedApart(survivors) ? survivors : 0;
  }
  /// FindRoots takes all survivors then, which are seldom so many.
  static bool ArePassedOver(const CollisionJob&) { return true; }
};

/// Indices of FindRoots: the pairs that WalkPairs left if it ran, or else all survivors.
struct EachPairToFind {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    const DeviceList<LeftPair>& left = job.step.lists.left;
    const bool are_walked = Scope::Word(*left.count).LoadRelaxed() != 0;
    return are_walked ? CountOf<Scope>(left) : SurvivorCount<Scope>(job.step);
  }
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_NARROW_FIND_ROOTS_H_
