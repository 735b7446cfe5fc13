// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Backend memory of traversals of pairs of nodes, as plain pointers.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_JOB_TRAVERSAL_VIEW_H_
#define WARPYARD_CORE_WORKLOAD_CCD_JOB_TRAVERSAL_VIEW_H_

#include <cstdint>

#include "core/workload/ccd/job/device_list.h"
#include "core/workload/geometry/oriented_box.h"

namespace warpyard::ccd {

/// A node of the bounding volume test tree (BVTT): two nodes of the hierarchy, named by their
/// places in their parents (bvtt.h).
struct NodePair {
  std::uint32_t a;
  std::uint32_t b;
};

/// Both ends of a deque in one word, and how many stolen pairs the thieves have read.
struct alignas(128) DequeWords {
  std::uint64_t range;   ///< top << 32 | bottom
  std::uint64_t copied;  ///< pairs below the top that thieves have read
};

/// @shape pointers that the traversal does not need are null; see TraversalTraits
struct TraversalView {
  std::uint32_t workers;     ///< stacks, or deques
  std::uint32_t capacity;    ///< pairs in a stack or deque, or in a level
  std::uint32_t batch;       ///< pairs that are stolen together; 0: as many as a block has threads
  std::uint32_t spill_from;  ///< shared pairs at which some move to the deque; 0: as batch
  std::uint32_t shared_pairs;  ///< pairs that shared memory holds
  std::uint32_t queue_limit;   ///< pairs that may wait in the queues of the scheduler
  NodePair* pairs;             ///< @shape [workers][capacity], or [capacity]: of a level
  NodePair* next_pairs;        ///< @shape the same; for a level three times as many
  std::uint32_t* counts;       ///< @shape [2][workers]: of the stacks; for a level: of its parts
  DequeWords* deques;          ///< @shape [workers]
  const NodePair* start;       ///< @shape [start_count]: where the traversal starts
  std::uint32_t start_count;
  geometry::OrientedBox* oriented;  ///< @shape [triangles - 1][2]: of places (bvtt.h), or null
  DeviceList<NodePair> front;  ///< pairs at which it ended; items are null without front tracking
};

/// Counters of a step's traversal, and words that its workers share. All are zero before the step
/// starts, except `pending` of traversals in rounds.
struct TraversalCounters {
  std::uint64_t visited;  ///< visited pairs of nodes
  std::uint64_t front;    ///< pairs at which the traversal ended
  std::uint64_t steals;   ///< stolen batches
  std::uint64_t rounds;
  std::uint64_t pending;   ///< pairs that wait for the next round
  std::uint64_t needed;    ///< size of a level that did not fit, else 0
  std::uint64_t queued;    ///< visited << 32 | pairs that wait in the scheduler's queues or execute
  std::uint32_t idle;      ///< workers that have ended this round
  std::uint32_t active;    ///< workers that have work
  std::uint32_t cursor;    ///< next of the pairs to start from
  std::uint32_t crowded;   ///< whether stacks are so full that another round would not help
  std::uint32_t expanded;  ///< pairs of the last level
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_JOB_TRAVERSAL_VIEW_H_
