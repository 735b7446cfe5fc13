// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The filters in single precision for the pairs that cluster_meeting.h finds.
//
// Pairs are collected in lists of the warp, so that all of its threads have a pair in each filter.
// For a group of one thread (a CPU worker) the same lists are batches that stay in its cache.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_BROAD_MEETING_FILTER_H_
#define WARPYARD_CORE_WORKLOAD_CCD_BROAD_MEETING_FILTER_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/workload/ccd/broad/meeting_scratch.h"
#include "core/workload/ccd/job/cluster.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/job/scene_view.h"
#include "core/workload/ccd/narrow/float_filter.h"
#include "core/workload/ccd/narrow/separation.h"
#include "core/workload/geometry/bounds.h"

namespace warpyard::ccd {

/// Candidates and which of them survive. Call each phase from one place only: the filters are
/// inlined, and several copies of them would not fit the instruction cache of a device.
/// @scope all members: the group
template <class Scope>
class MeetingFilter {
 public:
  /// @shape keeps: see Kept
  WY_HD MeetingFilter(Scope& scope, const CollisionJob& job, MeetingScratch& scratch, bool keeps)
      : scope_(scope),
        step_(job.step),
        candidates_(scratch.candidates),
        near_(scratch.near),
        survivors_(scratch.survivors),
        tables_{job.scene.mesh.triangle_records, job.scene.mesh.edge_vertices,
                job.scene.clusters.points},
        filters_(job.step.asked.report != Report::kCandidates),
        keeps_(keeps),
        margins_{1e-36f, NearOf(job.step)} {}

  /// Makes the margins hold for features in two more boxes. Margins for larger coordinates hold for
  /// smaller ones, too.
  WY_HD void Reach(const geometry::Box& a, const geometry::Box& b) {
    float largest = 0;
    for (int k = 0; k < 3; ++k) {
      const float high = a.high[k] > b.high[k] ? a.high[k] : b.high[k];
      const float low = a.low[k] < b.low[k] ? a.low[k] : b.low[k];
      const float size = high > -low ? high : -low;
      largest = size > largest ? size : largest;
    }
    const float rounding = largest * 0x1p-22f + 1e-36f;
    if (rounding > margins_.rounding) margins_.rounding = rounding;
  }

  /// Adds the pairs of the lanes that have one. Filters the list when it is nearly full, or if
  /// `all`.
  WY_HD void Add(bool meet, const MarkedPair& pair, bool all) {
    candidates_.Push(scope_, meet, pair);
    if (all || candidates_.IsNearlyFull(scope_)) FilterCandidates(all);
  }

  /// How many survivors are in MeetingScratch::survivors, and not listed. The last ones are if the
  /// group keeps them.
  WY_HD std::uint32_t Kept() const { return survivors_.Count(); }

  /// Counts cycles of root finding, which are of the narrow phase, too.
  WY_HD void AddCycles(std::uint64_t cycles) { filter_cycles_ += cycles; }

  /// @scope one thread
  WY_HD void AddCounters(StepCounters& counters) const {
    for (std::uint32_t kind = 0; kind < 2; ++kind) {
      if (found_[kind] == 0) continue;
      Scope::Word(counters.candidates[kind]).FetchAddRelaxed(found_[kind]);
    }
    Scope::Word(counters.filter_cycles).FetchAddRelaxed(filter_cycles_);
  }

 private:
  /// Filters candidates along the axes as long as each lane gets one; if `all`, until none is left.
  WY_HD void FilterCandidates(bool all) {
    const std::uint64_t begin = Scope::Cycles();
    const std::uint32_t least = all ? 1 : scope_.Size();
    WY_ROLLED
    do {
      MarkedPair pair{};
      bool near = candidates_.Take(scope_, pair);
      bool counts = false;
      if (near) {
        std::uint32_t vertices[4];
        VerticesOf(tables_, pair.Kind(), pair.Ids(), vertices);
        counts = !ShareVertex(pair.Kind(), vertices);
        near = counts && !(filters_ && ApartOnAnyAxis(pair.Kind(), PointsOf(tables_, vertices).of,
                                                      margins_.OfCoordinates()));
      }
      const bool edges = pair.Kind() == PairKind::kEdgeEdge;
      found_[0] += exec::CountBits(scope_.Ballot(counts && !edges));
      found_[1] += exec::CountBits(scope_.Ballot(counts && edges));
      near_.Push(scope_, near, pair);
      const bool last = all && candidates_.Count() == 0;
      if (last || near_.IsNearlyFull(scope_)) FilterNear(last);
    } while (candidates_.Count() >= least);
    filter_cycles_ += Scope::Cycles() - begin;
  }

  /// Applies the other filters in the same way.
  WY_HD void FilterNear(bool all) {
    const std::uint32_t least = all ? 1 : scope_.Size();
    WY_ROLLED
    do {
      MarkedPair pair{};
      bool survives = near_.Take(scope_, pair);
      if (survives && filters_) {
        std::uint32_t vertices[4];
        VerticesOf(tables_, pair.Kind(), pair.Ids(), vertices);
        survives = !ApartInFloats(pair.Kind(), PointsOf(tables_, vertices).of, margins_);
      }
      survivors_.Push(scope_, survives, pair);
      const bool last = all && near_.Count() == 0;
      if ((last && !keeps_) || survivors_.IsNearlyFull(scope_)) ListSurvivors();
    } while (near_.Count() >= least);
  }

  WY_HD void ListSurvivors() {
    WY_ROLLED
    for (std::uint32_t kind = 0; kind < 2; ++kind) {
      survivors_.CopyTo(
          scope_, step_.lists.survivors[kind],
          [&](const MarkedPair& pair) { return pair.Kind() == static_cast<PairKind>(kind); },
          [](const MarkedPair& pair) { return pair.Ids(); });
    }
    survivors_.Clear(scope_);
  }

  Scope& scope_;
  const StepView& step_;
  MeetingScratch::Pairs candidates_;
  MeetingScratch::NearPairs near_;  // pairs that the filter along the axes has left
  MeetingScratch::NearPairs survivors_;
  // Copies, because the job is in memory that a device would read again each time.
  const PairTables tables_;
  const bool filters_;
  const bool keeps_;
  FloatMargins margins_;  // for the boxes of all pairs of clusters so far
  std::uint64_t filter_cycles_ = 0;
  std::uint32_t found_[2] = {0, 0};
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_BROAD_MEETING_FILTER_H_
