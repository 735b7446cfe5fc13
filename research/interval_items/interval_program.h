// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A collision program whose root finder makes work items of a pair's intervals.
#ifndef WARPYARD_RESEARCH_INTERVAL_ITEMS_INTERVAL_PROGRAM_H_
#define WARPYARD_RESEARCH_INTERVAL_ITEMS_INTERVAL_PROGRAM_H_

#include "core/workload/ccd/broad/cluster_traversal.h"
#include "core/workload/ccd/collision_program.h"
#include "core/workload/ccd/methods/independent_traversal.h"
#include "research/interval_items/interval_items.h"

namespace warpyard::ccd {

/// The traversals that need no queues of their own: with the others a batch keeps room for three
/// elements an item, and so has few walks.
using IntervalProgram =
    CollisionProgramWith<MortonOnly, IntervalItems, ClusterTraversal, IndependentTraversal>;

}  // namespace warpyard::ccd

#endif  // WARPYARD_RESEARCH_INTERVAL_ITEMS_INTERVAL_PROGRAM_H_
