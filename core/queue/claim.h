// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Claims: one thread reserves places of a queue for many threads, and each then uses its own place.
#ifndef WARPYARD_CORE_QUEUE_CLAIM_H_
#define WARPYARD_CORE_QUEUE_CLAIM_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/queue/queue_concept.h"

namespace warpyard::queue {

/// Consecutive tickets [first, first + count), modulo 2^32.
struct Claim {
  std::uint32_t first;
  std::uint32_t count;
};

/// What a producer last saw of the queue: the ticket up to which there was room. One thread keeps a
/// view, or one block whose threads push one after another. A fresh view makes the first push look
/// at the queue. Drop a view before a long pause: after 2^32 tickets of other producers, an old
/// view seems new.
struct ProducerView {
  std::uint32_t room_end = 0;
  bool known = false;
};

/// Adds one element to a queue of claims. @scope any thread
template <class Queue>
WY_HD PushResult PushOne(Queue& queue, const typename Queue::Item& item) {
  ProducerView view;
  const Claim claim = queue.ReservePush(1, view);
  return claim.count == 0 ? PushResult::kFull : queue.Put(claim.first, item);
}

/// Takes the oldest element of a queue of claims. @scope any thread
template <class Queue>
WY_HD PopResult PopOne(Queue& queue, typename Queue::Item& item) {
  if (queue.ApproximateSize() == 0) return PopResult::kEmpty;
  const Claim claim = queue.ReservePop(1);
  if (claim.count == 0) return PopResult::kEmpty;
  const PopResult result = queue.Get(claim.first, item);
  queue.FinishPop(claim);
  return result;
}

}  // namespace warpyard::queue

#endif  // WARPYARD_CORE_QUEUE_CLAIM_H_
