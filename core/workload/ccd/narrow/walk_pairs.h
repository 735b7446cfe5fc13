// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The walk in floats as a stage of its own, over the pairs that the filters left.
//
// Two of three pairs end there. The other pairs are collected in a list, so that all lanes of a
// warp have a pair when root finding continues in doubles. For few pairs a stage costs more than it
// saves; then FindRoots makes the walks in floats itself.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_NARROW_WALK_PAIRS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_NARROW_WALK_PAIRS_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/procedure/lane_buffer.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/narrow/float_walk.h"

namespace warpyard::ccd {

using procedure::Context;
using procedure::LaneBuffer;
using procedure::Range;

/// The pairs that the filters left: vertex-face pairs first.
class Survivors {
 public:
  template <class Scope>
  WY_HD static Survivors Of(const StepView& step) {
    return Survivors(step, static_cast<std::uint32_t>(
                               Scope::Word(*step.lists.survivors[0].count).LoadRelaxed()));
  }

  WY_HD MarkedPair At(std::uint32_t i) const {
    if (i < vertex_faces_) return MarkedPair::Of(PairKind::kVertexFace, lists_[0].items[i]);
    return MarkedPair::Of(PairKind::kEdgeEdge, lists_[1].items[i - vertex_faces_]);
  }

 private:
  WY_HD Survivors(const StepView& step, std::uint32_t vertex_faces)
      : lists_(step.lists.survivors), vertex_faces_(vertex_faces) {}

  const DeviceList<PairIds>* const lists_;
  const std::uint32_t vertex_faces_;
};

/// EndTime of the world of a pair.
template <class Scope>
WY_HD double EndTimeOf(const CollisionJob& job, const MarkedPair& pair) {
  return EndTime<Scope>(job.step, job.scene.worlds.WorldOf(pair.Kind(), pair.Ids()));
}

/// Whether a pair still needs a walk in doubles after a walk in floats. The walk in floats covers
/// the whole step whatever the end time is, so that times of contacts do not depend on the end
/// time. @shape end_time: see EndTime
WY_HD inline bool IsLeftByWalk(const CollisionJob& job, const MarkedPair& pair, double end_time,
                               LeftPair& left) {
  FloatWalk walk(LoadPair(job.scene, job.step, pair.Kind(), pair.Ids()));
  left = {pair, walk.FreeUntil(NearOf(job.step))};
  return left.free_until < end_time;
}

/// Pairs for root finding: some that a group has of its own; or else the pairs that WalkPairs left
/// if it ran, or all survivors.
class PairsToWalk {
 public:
  /// @shape own: the pairs of the group, or null
  template <class Scope>
  WY_HD static PairsToWalk Of(const StepView& step, const MarkedPair* own) {
    return PairsToWalk(step, Survivors::Of<Scope>(step), own,
                       own == nullptr && Scope::Word(*step.lists.left.count).LoadRelaxed() != 0);
  }

  WY_HD MarkedPair At(std::uint32_t i) const {
    if (own_ != nullptr) return own_[i];
    return are_walked_ ? step_.lists.left.items[i].pair : survivors_.At(i);
  }

  /// Whether a pair needs a walk in doubles after a walk in floats, here or in the stage before.
  /// @shape end_time: see EndTime
  WY_HD bool IsLeft(const CollisionJob& job, std::uint32_t i, double end_time,
                    LeftPair& left) const {
    if (!are_walked_) return IsLeftByWalk(job, At(i), end_time, left);
    left = step_.lists.left.items[i];
    return true;
  }

 private:
  WY_HD PairsToWalk(const StepView& step, const Survivors& survivors, const MarkedPair* own,
                    bool are_walked)
      : step_(step), survivors_(survivors), own_(own), are_walked_(are_walked) {}

  const StepView& step_;
  const Survivors survivors_;
  const MarkedPair* const own_;
  const bool are_walked_;
};

/// The declarations of stages over survivors. A group is a warp; some pairs cost far more than
/// others.
struct SurvivorStage {
  using Item = Range;
  static constexpr bool kUneven = true;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 128;
  static constexpr std::uint32_t kLeastGrain = 32;  // where there are few survivors
};

/// Stage over survivors, where there are many: lists the pairs that floats do not prove free.
struct WalkPairs : SurvivorStage {
  using LeftPairs = LaneBuffer<LeftPair, 96>;
  struct Scratch {
    LeftPairs::Memory left;
  };

  static constexpr std::size_t kSharedBytes = sizeof(Scratch);
  static constexpr const char* kName = "WalkPairs";

  template <exec::LaneScope Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    if (context.Cancelled()) return;
    Scope& scope = context.scope;
    const StepView& step = context.job.step;
    const Survivors survivors = Survivors::Of<Scope>(step);
    const bool several = context.job.scene.worlds.AreSeveral();
    const double end_time = EndTime<Scope>(step);  // of a scene of its own
    LeftPairs buffer(context.template Shared<Scratch>().left);
    WY_ROLLED
    for (std::uint32_t first = range.begin; first < range.end; first += scope.Size()) {
      const std::uint32_t i = first + scope.Rank();
      LeftPair left{};
      bool is_left = i < range.end;
      if (is_left) {
        const MarkedPair pair = survivors.At(i);
        const double end = several ? EndTimeOf<Scope>(context.job, pair) : end_time;
        is_left = IsLeftByWalk(context.job, pair, end, left);
      }
      buffer.Push(scope, is_left, left);
      if (buffer.IsNearlyFull(scope)) buffer.FlushTo(scope, step.lists.left);
    }
    buffer.FlushTo(scope, step.lists.left);
  }
};

/// Whether a step has so many survivors that WalkPairs pays.
WY_HD inline bool AreWalkedApart(std::uint32_t survivors) { return survivors >= 1u << 16; }

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_NARROW_WALK_PAIRS_H_
