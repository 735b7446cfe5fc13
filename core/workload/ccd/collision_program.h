// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The collision program: the list of its events. Each event is a list of stages (stage_list.h); the
// procedures of the program and all planning follow from these lists.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_COLLISION_PROGRAM_H_
#define WARPYARD_CORE_WORKLOAD_CCD_COLLISION_PROGRAM_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <tuple>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"
#include "core/procedure/visit_number.h"
#include "core/workload/ccd/broad/cluster_traversal.h"
#include "core/workload/ccd/build_tasks.h"
#include "core/workload/ccd/contacts/contact_sort.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/job/traversal_method.h"
#include "core/workload/ccd/methods/hierarchies/top_down_build.h"
#include "core/workload/ccd/methods/traversals/all_traversals.h"

namespace warpyard::ccd {

/// A program that builds hierarchies by the given tasks and runs steps by the given traversals.
/// Each of them makes the others slower: all workers run one kernel, whose instructions share a
/// cache.
/// @shape Tasks: a BuildTasks; Methods: a Traversals
template <class Tasks, class Methods>
struct CollisionProgramOf;

template <class... Tasks, TraversalMethod... Ts>
struct CollisionProgramOf<BuildTasks<Tasks...>, Traversals<Ts...>> {
  using Job = CollisionJob;
  using Procedures =
      procedure::JoinedLists<typename Tasks::Stages::Procedures...,
                             typename Ts::Stages::Procedures..., SortStages::Procedures>;

  /// Small steps by clusters may share an event: one of them alone leaves most of a GPU idle.
  using Batched =
      procedure::JoinedLists<ClusterTraversal::Stages::Procedures, SortStages::Procedures>;

  static constexpr std::uint32_t kMaxStages =
      std::max({Tasks::Stages::kCount..., Ts::Stages::kCount + SortStages::kCount...});

  /// Names what the job needs and this program does not have; null if nothing is missing.
  static const char* Missing(const Job& job) {
    if (job.task == CollisionTask::kStep) {
      const bool has = ((job.step.traversal == Ts::kTraversal) || ...);
      return has ? nullptr : NameOf(job.step.traversal);
    }
    const bool has = ((job.task == Tasks::kTask) || ...);
    return has ? nullptr : "a build from the top";
  }

  /// Number of stages of an event. A stage whose plan has no elements is skipped.
  WY_HD static std::uint32_t StageCount(const Job& job) {
    return OwnStages(job) + (job.task == CollisionTask::kStep ? SortStages::kCount : 0);
  }

  /// Plans a stage once all stages before it are done. Only reads. @scope Scope: of the caller
  template <class Scope>
  WY_HD static procedure::StagePlan Plan(const Job& job, std::uint32_t stage) {
    std::uint32_t number = 0, position = 0;
    if (job.task != CollisionTask::kStep) {
      ((number = job.task == Tasks::kTask ? position : number, ++position), ...);
      return PlanOf<Scope, Tasks...>(job, number, stage);
    }
    const std::uint32_t own = OwnStages(job);
    if (stage >= own) return SortStages::Plan<Scope, Procedures>(job, stage - own);
    ((number = job.step.traversal == Ts::kTraversal ? position : number, ++position), ...);
    return PlanOf<Scope, Ts...>(job, number, stage);
  }

  /// See model::BatchingProgram.
  static std::uint64_t BatchKey(const Job& job) {
    if (job.task != CollisionTask::kStep || job.step.traversal != Traversal::kClusters) return 0;
    const MeshView& mesh = job.scene.mesh;
    const std::uint32_t triangles = mesh.triangles - mesh.static_triangles;
    if (triangles > kMostBatchedTriangles) return 0;
    const bool sorts = !SortStages::PassesOver(job, 0);
    // A step that sorts has rows of all vertices to empty.
    if (sorts && mesh.vertices > kMostBatchedVertices) return 0;
    return 1 | std::uint64_t{job.step.samples} << 1 | std::uint64_t{sorts} << 2 |
           static_cast<std::uint64_t>(job.step.asked.report) << 8 |
           static_cast<std::uint64_t>(std::bit_width(triangles)) << 16;
  }

  static bool PassesOver(const Job& job, std::uint32_t stage) {
    constexpr std::uint32_t kOwn = ClusterTraversal::Stages::kCount;
    return stage < kOwn ? ClusterTraversal::Stages::PassesOver(job, stage)
                        : SortStages::PassesOver(job, stage - kOwn);
  }

  /// Fetches the positions, of which the stages read each several times. Jobs that share an event
  /// do without MeetNumbered: the other stages fill their warps with the pairs of all jobs.
  template <class Scope>
  WY_HD static void Fetch(Scope& scope, const Job& source, Job& job, std::uint32_t part,
                          std::uint32_t parts) {
    const MeshView& mesh = source.scene.mesh;
    if (part == 0 && scope.Rank() == 0) job.step.by_number = false;
    const PosedVertices vertices{mesh.vertices - mesh.static_vertices, mesh.rest,
                                 mesh.vertex_groups};
    for (std::uint32_t end = 0; end < 2; ++end) {
      const bool converted = ConvertPart(scope, source.step.sources[end], vertices, part, parts);
      if (!converted || part != 0 || scope.Rank() != 0) continue;
      job.step.sources[end].format = PositionFormat::kConverted;
    }
  }

  /// Copies the counters to the host, if the host asked for them. Clearing them here, too, saves
  /// the next step a copy to the device.
  template <class Scope>
  WY_HD static void Finish(const Job& job) {
    if (job.task != CollisionTask::kStep || job.step.host_counters == nullptr) return;
    *job.step.host_counters = *job.step.counters;
    if (job.step.clears_counters) *job.step.counters = ClearCounters();
  }

 private:
  static constexpr std::uint32_t kMostBatchedTriangles = 1u << 14;  // of those that move
  static constexpr std::uint32_t kMostBatchedVertices = 3 * kMostBatchedTriangles;

  /// Number of stages without those of the sort, which all steps share.
  WY_HD static std::uint32_t OwnStages(const Job& job) {
    std::uint32_t stages = 0;
    if (job.task == CollisionTask::kStep) {
      ((stages = job.step.traversal == Ts::kTraversal ? Ts::Stages::kCount : stages), ...);
    } else {
      ((stages = job.task == Tasks::kTask ? Tasks::Stages::kCount : stages), ...);
    }
    return stages;
  }

  /// @shape Events: tasks or traversals; number: of the one that the job asks for
  template <class Scope, class... Events>
  WY_HD static procedure::StagePlan PlanOf(const Job& job, std::uint32_t number,
                                           std::uint32_t stage) {
    procedure::StagePlan plan = kNoStage;
    const auto plan_event = [&]<std::uint32_t k>() {
      using Own = typename std::tuple_element_t<k, std::tuple<Events...>>::Stages;
      plan = Own::template Plan<Scope, Procedures>(job, stage);
    };
    procedure::VisitNumber<0, sizeof...(Events)>(number, plan_event);
    return plan;
  }
};

/// The program of the service: every traversal and both builds.
using CollisionProgram =
    CollisionProgramOf<BuildTasks<MakeKeysTask, ArrangeClustersTask, BoundClustersTask,
                                  LinkHierarchyTask, SplitTopDownTask, RefitTopDownTask>,
                       AllTraversals>;

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_COLLISION_PROGRAM_H_
