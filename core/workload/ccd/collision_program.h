// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The collision program: its procedures and the stages of its events.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_COLLISION_PROGRAM_H_
#define WARPYARD_CORE_WORKLOAD_CCD_COLLISION_PROGRAM_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"
#include "core/workload/ccd/cluster_build.h"
#include "core/workload/ccd/cluster_meeting.h"
#include "core/workload/ccd/cluster_search.h"
#include "core/workload/ccd/collision_job.h"
#include "core/workload/ccd/find_roots.h"
#include "core/workload/ccd/hierarchy_build.h"
#include "core/workload/ccd/hierarchy_refit.h"
#include "core/workload/ccd/self_traversal.h"

namespace warpyard::ccd {

struct CollisionProgram {
  using Job = CollisionJob;
  using Procedures =
      procedure::ProcedureList<BoundScene, ComputeKeys, ArrangeLeaves, LinkNodes, ArrangeClusters,
                               BoundVertices, RefitNodes, BoundClusters, TraverseLeaves,
                               SampleClusters, SearchClusters, MeetClusters, FindRoots>;

  static constexpr std::uint32_t kMaxStages = static_cast<std::uint32_t>(StepStage::kEnd);

  /// Stages of an event; a plan without elements is passed over.
  WY_HD static std::uint32_t StageCount(const Job& job) {
    switch (job.task) {
      case CollisionTask::kMakeKeys:
      case CollisionTask::kArrangeClusters:
      case CollisionTask::kLinkHierarchy:
        return 2;
      case CollisionTask::kStep:
        break;
    }
    return kMaxStages;
  }

  /// Plans a stage when all before it are done. @scope Scope: of the caller
  template <class Scope>
  WY_HD static procedure::StagePlan Plan(const Job& job, std::uint32_t stage) {
    const std::uint32_t triangles = job.scene.triangles;
    switch (job.task) {
      case CollisionTask::kMakeKeys:
        return stage == 0 ? Of<BoundScene>(job.scene.vertices) : Of<ComputeKeys>(triangles);
      case CollisionTask::kArrangeClusters:
        return stage == 0 ? Of<ArrangeLeaves>(triangles)
                          : Of<ArrangeClusters>(job.scene.Clusters());
      case CollisionTask::kLinkHierarchy:
        return stage == 0 ? Of<ArrangeLeaves>(triangles) : Of<LinkNodes>(triangles);
      default:
        return job.step.traversal == Traversal::kClusters
                   ? PlanByClusters<Scope>(job, static_cast<StepStage>(stage))
                   : PlanByLeaves<Scope>(job, static_cast<StepStage>(stage));
    }
  }

 private:
  template <class P>
  WY_HD static procedure::StagePlan Of(std::uint32_t count) {
    return {Procedures::IndexOf<P>(), count, P::kGrain};
  }

  /// The stages of a sample have nothing to do where there is none: nothing is listed yet.
  template <class Scope>
  WY_HD static procedure::StagePlan PlanByClusters(const Job& job, StepStage stage) {
    const std::uint32_t clusters = job.scene.Clusters();
    const bool samples = job.step.report == Report::kEarliest;
    switch (stage) {
      case StepStage::kBoundVertices:
        return Of<BoundVertices>(VerticesAndNodes(job));
      case StepStage::kRefit:
        return Of<BoundClusters>(clusters);
      case StepStage::kSampleClusters:
        return Of<SampleClusters>(samples ? (clusters - 1) / SampleClusters::kStride + 1 : 0);
      case StepStage::kBoundVerticesAgain:
        return Of<BoundVertices>(samples ? VerticesAndNodes(job) : 0);
      case StepStage::kRefitAgain:  // a sample without a contact leaves the boxes as they are
        return Of<BoundClusters>(EndTime<Scope>(job.step) < job.step.end_time ? clusters : 0);
      case StepStage::kSearch:
        return Of<SearchClusters>(clusters);
      case StepStage::kMeetSample:
      case StepStage::kTraverse:
        return OfPairs<MeetClusters>(CountOf<Scope>(job.step.meetings));
      case StepStage::kFindSampleRoots:
      case StepStage::kFindRoots:
      case StepStage::kEnd:
        break;
    }
    return OfPairs<FindRoots>(Survivors<Scope>(job.step));
  }

  /// Few pairs are dealt out in small parts, so that all workers get some.
  template <class P>
  WY_HD static procedure::StagePlan OfPairs(std::uint32_t count) {
    constexpr std::uint32_t kParts = 4096;
    procedure::StagePlan plan = Of<P>(count);
    const std::uint32_t part = count / kParts;
    if (part < plan.grain) plan.grain = part < P::kLeastGrain ? P::kLeastGrain : part;
    return plan;
  }

  WY_HD static std::uint32_t VerticesAndNodes(const Job& job) {
    const std::uint32_t triangles = job.scene.triangles, vertices = job.scene.vertices;
    return vertices > triangles ? vertices : triangles;
  }

  template <class Scope>
  WY_HD static procedure::StagePlan PlanByLeaves(const Job& job, StepStage stage) {
    const std::uint32_t triangles = job.scene.triangles;
    switch (stage) {
      case StepStage::kBoundVertices:
        return Of<BoundVertices>(VerticesAndNodes(job));
      case StepStage::kRefit:
        return Of<RefitNodes>(triangles);
      case StepStage::kTraverse:
        return Of<TraverseLeaves>(triangles < 2 ? 0 : triangles);
      case StepStage::kFindRoots:
        return OfPairs<FindRoots>(Survivors<Scope>(job.step));
      default:
        return Of<FindRoots>(0);
    }
  }

  /// Items of a list; none when it ran over and the step must be run again with a larger one.
  template <class Scope>
  WY_HD static std::uint32_t CountOf(const DeviceList<PairIds>& list) {
    const std::uint64_t count = Scope::Word(*list.count).LoadRelaxed();
    return count <= list.capacity && count <= kMostPairs ? static_cast<std::uint32_t>(count) : 0;
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
