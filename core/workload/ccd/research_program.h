// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The collision program with all traversals, builds and ways to find roots: for comparisons, and
// not for the service, whose kernel would pay for all that it does not use.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_RESEARCH_PROGRAM_H_
#define WARPYARD_CORE_WORKLOAD_CCD_RESEARCH_PROGRAM_H_

#include "core/workload/ccd/balancing_traversal.h"
#include "core/workload/ccd/cluster_traversal.h"
#include "core/workload/ccd/collision_program.h"
#include "core/workload/ccd/compaction_traversal.h"
#include "core/workload/ccd/independent_traversal.h"
#include "core/workload/ccd/interval_items.h"
#include "core/workload/ccd/stealing_traversal.h"
#include "core/workload/ccd/top_down_build.h"
#include "core/workload/ccd/work_queue_traversal.h"

namespace warpyard::ccd {

using ResearchProgram =
    CollisionProgramWith<TopDownBuild, IntervalItems, ClusterTraversal, IndependentTraversal,
                         WorkQueueTraversal, CompactionTraversal, BalancingTraversal,
                         StealingTraversal, FrontTraversal>;

/// The service's traversals with intervals as work items, to measure these by themselves: in the
/// program above a batch keeps room for three elements an item, as work queues spawn, and so has
/// few walks.
using IntervalProgram =
    CollisionProgramWith<MortonOnly, IntervalItems, ClusterTraversal, IndependentTraversal>;

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_RESEARCH_PROGRAM_H_
