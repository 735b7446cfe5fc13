// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Pairs of triangles that a traversal has listed, and the stages of traversals that list them.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_MEET_TRIANGLES_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_MEET_TRIANGLES_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/job/traversal_method.h"
#include "core/workload/ccd/methods/candidate_funnel.h"
#include "core/workload/ccd/methods/hierarchy_refit.h"
#include "core/workload/ccd/methods/oriented_refit.h"
#include "core/workload/ccd/narrow/find_roots.h"

namespace warpyard::ccd {

/// Stage over pairs of leaves: finds candidates, filters them, lists the survivors.
struct MeetTriangles {
  using Scratch = CandidateFunnel::Scratch;
  using Item = procedure::Range;
  static constexpr std::size_t kSharedBytes = sizeof(Scratch);
  static constexpr const char* kName = "MeetTriangles";
  static constexpr std::uint32_t kGrain = 1024;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const procedure::Range& range) {
    if (context.Cancelled()) return;
    Scratch& scratch = context.template Shared<Scratch>();
    CandidateFunnel funnel(Scope::Cycles());
    CandidateFunnel::Clear(context.scope, scratch);
    context.scope.Barrier();
    const PairIds* const pairs = context.job.step.meetings.items + range.begin;
    funnel.Expand(context, scratch, range.end - range.begin, [&](std::uint32_t i) {
      return LeafPair{pairs[i].a, pairs[i].b};
    });
    funnel.Finish(context, scratch);
  }
};

/// The stages that traversals which list pairs of triangles have in common: before the first round
/// those of the refit, after the last one what follows from the list.
template <class Scope, class All>
WY_HD procedure::StagePlan PlanAroundRounds(const CollisionJob& job, StepStage stage) {
  const bool first = !job.step.resumed;
  switch (stage) {
    case StepStage::kBoundVertices:
      return PlanOf<BoundVertices, All>(first ? VerticesAndNodes(job) : 0);
    case StepStage::kRefit:
      return PlanOf<RefitNodes, All>(first ? job.scene.triangles : 0);
    case StepStage::kRefitAgain:
      return PlanOf<RefitOriented, All>(
          first && job.step.work.oriented != nullptr ? job.scene.triangles : 0);
    default:
      break;
  }
  const TraversalCounters& counters = job.step.counters->traversal;
  if ((counters.pending | counters.needed) != 0) return kNoStage;
  if (stage == StepStage::kTraverse) {
    return PlanOf<MeetTriangles, All>(CountOf<Scope>(job.step.meetings));
  }
  if (stage == StepStage::kWalkPairs) return PlanOfWalk<Scope, All>(job.step);
  if (stage == StepStage::kFindRoots) return PlanOfRoots<Scope, All>(job.step);
  return kNoStage;
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_MEET_TRIANGLES_H_
