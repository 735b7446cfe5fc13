// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Independent traversal: a descent of the hierarchy for each leaf. [Karras]
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_INDEPENDENT_TRAVERSAL_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_INDEPENDENT_TRAVERSAL_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/ccd/job/traversal_method.h"
#include "core/workload/ccd/methods/hierarchies/hierarchy_refit.h"
#include "core/workload/ccd/methods/traversals/self_traversal.h"
#include "core/workload/ccd/narrow/find_roots.h"

namespace warpyard::ccd {

/// Indices of TraverseLeaves: none for a single leaf, which has no other leaf to meet.
struct EachLeafOfSeveral {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    const std::uint32_t triangles = job.scene.mesh.triangles;
    return triangles < 2 ? 0 : triangles;
  }
};

struct IndependentTraversal {
  static constexpr Traversal kTraversal = Traversal::kIndependent;
  static constexpr TraversalTraits kTraits{};
  using Stages =
      StageList<Stage<BoundVertices, StepPhase::kRefit, Deal::kGrains, EachVertexOrTriangle>,
                Stage<RefitNodes, StepPhase::kRefit, Deal::kGrains, EachTriangle>,
                Stage<TraverseLeaves, StepPhase::kMeet, Deal::kGrains, EachLeafOfSeveral>,
                Stage<WalkPairs, StepPhase::kNarrow, Deal::kParts, EachPairToWalk>,
                Stage<FindRoots, StepPhase::kNarrow, Deal::kParts, EachPairToFind>>;
};
static_assert(TraversalMethod<IndependentTraversal>);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_INDEPENDENT_TRAVERSAL_H_
