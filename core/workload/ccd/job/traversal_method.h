// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The definition of a traversal: a class with the list of its stages and with traits for the host.
//
// A program has a list of traversals (collision_program.h), and a step names one of them. All find
// the same pairs: pairs whose swept boxes overlap, each once. A scene gets the extra memory of a
// traversal when a step first uses the traversal (traversal_memory.h).
#ifndef WARPYARD_CORE_WORKLOAD_CCD_JOB_TRAVERSAL_METHOD_H_
#define WARPYARD_CORE_WORKLOAD_CCD_JOB_TRAVERSAL_METHOD_H_

#include <type_traits>

#include "core/workload/ccd/collision_types.h"
#include "core/workload/ccd/job/hierarchy_size.h"
#include "core/workload/ccd/job/stage_list.h"

namespace warpyard::ccd {

/// What the host must know of a traversal. Memory is that of TraversalView.
struct TraversalTraits {
  HierarchyKind hierarchy = HierarchyKind::kNodes;  ///< the one that it descends
  bool samples = false;  ///< its stages begin with a sample where StepView::samples
  /// It supports oriented boxes: it visits pairs of nodes, and has a spare stage that fits the
  /// boxes.
  bool oriented = false;
  bool level = false;   ///< memory: the pairs of a level, and places for what they spawn
  bool stacks = false;  ///< memory: a stack of pairs for each worker, twice
  bool deques = false;  ///< memory: a deque of pairs for each worker
  bool front = false;   ///< memory: where the traversal ended in this step and in the last one
};

/// The members of a traversal:
///   kTraversal   its number
///   kTraits      what the host must know
///   Stages       StageList of a step, from positions to times of impact; the program appends the
///                stages of the sort (contact_sort.h)
template <class T>
concept TraversalMethod = requires {
  requires std::is_same_v<decltype(T::kTraversal), const Traversal>;
  requires std::is_same_v<decltype(T::kTraits), const TraversalTraits>;
  {T::Stages::kCount + 0u};
};

/// A list of traversals.
template <TraversalMethod... Ts>
struct Traversals {};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_JOB_TRAVERSAL_METHOD_H_
