// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Independent traversal: a descent of the hierarchy for each leaf. [Karras]
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_INDEPENDENT_TRAVERSAL_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_INDEPENDENT_TRAVERSAL_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_list.h"
#include "core/workload/ccd/job/traversal_method.h"
#include "core/workload/ccd/methods/hierarchy_refit.h"
#include "core/workload/ccd/methods/self_traversal.h"
#include "core/workload/ccd/narrow/find_roots.h"

namespace warpyard::ccd {

struct IndependentTraversal {
  static constexpr Traversal kTraversal = Traversal::kIndependent;
  static constexpr TraversalNeeds kNeeds{};
  using Procedures =
      procedure::ProcedureList<BoundVertices, RefitNodes, TraverseLeaves, WalkPairs, FindRoots>;

  template <class Scope, class All>
  WY_HD static procedure::StagePlan Plan(const CollisionJob& job, StepStage stage) {
    const std::uint32_t triangles = job.scene.triangles;
    switch (stage) {
      case StepStage::kBoundVertices:
        return PlanOf<BoundVertices, All>(VerticesAndNodes(job));
      case StepStage::kRefit:
        return PlanOf<RefitNodes, All>(triangles);
      case StepStage::kTraverse:
        return PlanOf<TraverseLeaves, All>(triangles < 2 ? 0 : triangles);
      case StepStage::kWalkPairs:
        return PlanOfWalk<Scope, All>(job.step);
      case StepStage::kFindRoots:
        return PlanOfRoots<Scope, All>(job.step);
      default:
        return kNoStage;
    }
  }
};
static_assert(TraversalMethod<IndependentTraversal>);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_INDEPENDENT_TRAVERSAL_H_
