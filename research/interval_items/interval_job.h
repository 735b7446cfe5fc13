// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A collision job with memory for walks whose intervals are work items.
#ifndef WARPYARD_RESEARCH_INTERVAL_ITEMS_INTERVAL_JOB_H_
#define WARPYARD_RESEARCH_INTERVAL_ITEMS_INTERVAL_JOB_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"
#include "core/workload/ccd/job/collision_job.h"

namespace warpyard::interval_items {

struct IntervalJob {
  ccd::CollisionJob collision;
  std::uint32_t intervals;         ///< per work item; 0: FindRoots walks whole pairs
  double* walk_times;              ///< @shape [pairs for root finding]: free up to this time
  std::uint64_t* continued_walks;  ///< counts the items beyond the first of each walk
};

/// A procedure of collision jobs, wrapped for these jobs.
template <class P>
struct OfCollision : procedure::SameDeclarations<P> {
  template <class Scope>
  WY_HD static void Execute(procedure::Context<Scope, IntervalJob>& context,
                            const typename P::Item& item) {
    procedure::Context<Scope, ccd::CollisionJob> own{
        context.scope, context.job.collision,   context.cancel, context.spawns,
        context.head,  context.first_procedure, context.error};
    P::Execute(own, item);
  }
};

/// All procedures of a list, wrapped for these jobs.
template <class List>
struct AllOfCollision;
template <class... Ps>
struct AllOfCollision<procedure::ProcedureList<Ps...>> {
  using Type = procedure::ProcedureList<OfCollision<Ps>...>;
};

}  // namespace warpyard::interval_items

#endif  // WARPYARD_RESEARCH_INTERVAL_ITEMS_INTERVAL_JOB_H_
