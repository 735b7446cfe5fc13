// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What the host must know of each traversal, by its name in CollisionOptions.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_TRAVERSAL_TRAITS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_TRAVERSAL_TRAITS_H_

#include <span>

#include "core/workload/ccd/collision_types.h"
#include "core/workload/ccd/job/traversal_method.h"

namespace warpyard::ccd {

/// Default traits for a number that names no traversal; the workers refuse its steps.
TraversalTraits TraitsOf(Traversal traversal);

/// The phases in which the stages of a step count; none for a number that names no traversal.
std::span<const StepPhase> PhasesOf(Traversal traversal);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_TRAVERSAL_TRAITS_H_
