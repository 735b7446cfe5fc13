// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/methods/traversals/traversal_traits.h"

#include "core/workload/ccd/contacts/contact_sort.h"
#include "core/workload/ccd/methods/traversals/all_traversals.h"

namespace warpyard::ccd {
namespace {

template <class Methods>
struct Table;

template <TraversalMethod... Ts>
struct Table<Traversals<Ts...>> {
  static TraversalTraits Traits(Traversal traversal) {
    TraversalTraits traits;
    ((traits = traversal == Ts::kTraversal ? Ts::kTraits : traits), ...);
    return traits;
  }

  static std::span<const StepPhase> Phases(Traversal traversal) {
    std::span<const StepPhase> phases;
    ((phases = traversal == Ts::kTraversal ? AllPhases<Ts>() : phases), ...);
    return phases;
  }

 private:
  template <class T>
  static std::span<const StepPhase> AllPhases() {
    return JoinedStages<typename T::Stages, SortStages>::kPhases;
  }
};

}  // namespace

TraversalTraits TraitsOf(Traversal traversal) { return Table<AllTraversals>::Traits(traversal); }

std::span<const StepPhase> PhasesOf(Traversal traversal) {
  return Table<AllTraversals>::Phases(traversal);
}

}  // namespace warpyard::ccd
