// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The collision program: its procedures and the stages of its events.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_COLLISION_PROGRAM_H_
#define WARPYARD_CORE_WORKLOAD_CCD_COLLISION_PROGRAM_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"
#include "core/workload/ccd/collision_job.h"
#include "core/workload/ccd/find_roots.h"
#include "core/workload/ccd/hierarchy_build.h"
#include "core/workload/ccd/hierarchy_refit.h"
#include "core/workload/ccd/self_traversal.h"

namespace warpyard::ccd {

struct CollisionProgram {
  using Job = CollisionJob;
  using Procedures = procedure::ProcedureList<BoundScene, ComputeKeys, ArrangeLeaves, LinkNodes,
                                              BoundVertices, RefitNodes, TraverseLeaves, FindRoots>;

  static constexpr std::uint32_t kMaxStages = 4;

  /// Stages of an event; a plan without elements is passed over.
  WY_HD static std::uint32_t StageCount(const Job& job) {
    return job.task == CollisionTask::kStep ? 4 : 2;
  }

  /// Plans a stage when all before it are done. @scope Scope: of the caller
  template <class Scope>
  WY_HD static procedure::StagePlan Plan(const Job& job, std::uint32_t stage) {
    const std::uint32_t triangles = job.scene.triangles, vertices = job.scene.vertices;
    switch (job.task) {
      case CollisionTask::kMakeKeys:
        return stage == 0 ? Of<BoundScene>(vertices) : Of<ComputeKeys>(triangles);
      case CollisionTask::kLinkHierarchy:
        return stage == 0 ? Of<ArrangeLeaves>(triangles) : Of<LinkNodes>(triangles);
      case CollisionTask::kStep:
        break;
    }
    switch (stage) {
      case 0:
        return Of<BoundVertices>(vertices > triangles ? vertices : triangles);
      case 1:
        return Of<RefitNodes>(triangles);
      case 2:
        return Of<TraverseLeaves>(triangles < 2 ? 0 : triangles);
      default:
        return Of<FindRoots>(Survivors<Scope>(job.step));
    }
  }

 private:
  template <class P>
  WY_HD static procedure::StagePlan Of(std::uint32_t count) {
    return {Procedures::IndexOf<P>(), count, P::kGrain};
  }

  /// Pairs for root finding; none when candidates are the result, or when the lists ran over and
  /// the step must be run again with larger ones.
  template <class Scope>
  WY_HD static std::uint32_t Survivors(const StepView& step) {
    if (step.report == Report::kCandidates) return 0;
    std::uint64_t sum = 0;
    for (const DeviceList<PairIds>& list : step.survivors) {
      const std::uint64_t count = Scope::Word(*list.count).LoadRelaxed();
      if (count > list.capacity) return 0;
      sum += count;
    }
    return sum <= kMostPairs ? static_cast<std::uint32_t>(sum) : 0;
  }
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_COLLISION_PROGRAM_H_
