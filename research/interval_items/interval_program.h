// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A collision program whose root finder makes work items from the intervals of a pair.
#ifndef WARPYARD_RESEARCH_INTERVAL_ITEMS_INTERVAL_PROGRAM_H_
#define WARPYARD_RESEARCH_INTERVAL_ITEMS_INTERVAL_PROGRAM_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"
#include "core/workload/ccd/broad/cluster_traversal.h"
#include "core/workload/ccd/build_tasks.h"
#include "core/workload/ccd/collision_program.h"
#include "core/workload/ccd/methods/traversals/independent_traversal.h"
#include "core/workload/ccd/narrow/find_roots.h"
#include "research/interval_items/interval_items.h"
#include "research/interval_items/interval_job.h"

namespace warpyard::interval_items {

/// The collision program, with only those traversals that need no queues of their own. With the
/// other traversals a batch keeps room for three elements of each item, and so has few walks. If a
/// job asks for intervals, SeedWalks and its walks replace every stage of FindRoots.
struct IntervalProgram {
  using Collision = ccd::CollisionProgramOf<
      ccd::BuildTasks<ccd::MakeKeysTask, ccd::ArrangeClustersTask, ccd::LinkHierarchyTask>,
      ccd::Traversals<ccd::ClusterTraversal, ccd::IndependentTraversal>>;

  using Job = IntervalJob;
  using Procedures =
      procedure::JoinedLists<typename AllOfCollision<Collision::Procedures>::Type, WalkProcedures>;
  static constexpr std::uint32_t kMaxStages = Collision::kMaxStages;

  static const char* Missing(const Job& job) { return Collision::Missing(job.collision); }

  WY_HD static std::uint32_t StageCount(const Job& job) {
    return Collision::StageCount(job.collision);
  }

  template <class Scope>
  WY_HD static procedure::StagePlan Plan(const Job& job, std::uint32_t stage) {
    const procedure::StagePlan plan = Collision::Plan<Scope>(job.collision, stage);
    constexpr std::uint32_t kFindRoots = Collision::Procedures::IndexOf<ccd::FindRoots>();
    const bool by_items = job.intervals != 0 && plan.procedure == kFindRoots;
    return by_items ? ccd::PlanOf<SeedWalks, Procedures>(plan.count) : plan;
  }

  template <class Scope>
  WY_HD static void Finish(const Job& job) {
    Collision::Finish<Scope>(job.collision);
  }
};

}  // namespace warpyard::interval_items

#endif  // WARPYARD_RESEARCH_INTERVAL_ITEMS_INTERVAL_PROGRAM_H_
