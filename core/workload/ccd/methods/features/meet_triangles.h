// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Turns the pairs of triangles that a traversal has listed into the pairs of features that survive.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_FEATURES_MEET_TRIANGLES_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_FEATURES_MEET_TRIANGLES_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/methods/features/candidate_funnel.h"

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
    const PairIds* const pairs = context.job.step.lists.meetings.items + range.begin;
    funnel.Expand(context, scratch, range.end - range.begin, [&](std::uint32_t i) {
      return LeafPair{pairs[i].a, pairs[i].b};
    });
    funnel.Finish(context, scratch);
  }
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_FEATURES_MEET_TRIANGLES_H_
