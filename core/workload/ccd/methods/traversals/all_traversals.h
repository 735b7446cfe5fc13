// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The list of all traversals: to add one, write its header and add it to this list.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_ALL_TRAVERSALS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_ALL_TRAVERSALS_H_

#include "core/workload/ccd/broad/cluster_traversal.h"
#include "core/workload/ccd/job/traversal_method.h"
#include "core/workload/ccd/methods/traversals/balancing_traversal.h"
#include "core/workload/ccd/methods/traversals/compaction_traversal.h"
#include "core/workload/ccd/methods/traversals/independent_traversal.h"
#include "core/workload/ccd/methods/traversals/stealing_traversal.h"
#include "core/workload/ccd/methods/traversals/work_queue_traversal.h"

namespace warpyard::ccd {

using AllTraversals =
    Traversals<ClusterTraversal, IndependentTraversal, WorkQueueTraversal, CompactionTraversal,
               BalancingTraversal, StealingTraversal, FrontTraversal>;

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_ALL_TRAVERSALS_H_
