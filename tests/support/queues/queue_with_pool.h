// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A queue and the page pool that it draws from, to be used as one queue.
#ifndef WARPYARD_TESTS_SUPPORT_QUEUES_QUEUE_WITH_POOL_H_
#define WARPYARD_TESTS_SUPPORT_QUEUES_QUEUE_WITH_POOL_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/queue/page_pool.h"
#include "core/queue/paged_queue.h"
#include "tests/support/queues/queue_contract.h"

namespace warpyard::test_support {

inline constexpr queue::PushResult kPushed = queue::PushResult::kOk;
inline constexpr queue::PopResult kPopped = queue::PopResult::kOk;

/// @shape Queue: whose Reset takes the pool and the first ticket
template <class PoolType, class Queue>
class QueueWithPool : public Queue {
 public:
  using Pool = PoolType;

  /// Starts generations so that turns wrap after each page was returned a few times.
  WY_HD void Reset(std::uint32_t first_ticket) {
    pool_.Reset(0x7ffffffdu);
    Queue::Reset(pool_, first_ticket);
  }
  Pool& pool() { return pool_; }

 private:
  Pool pool_;
};

template <class Scope, std::uint32_t kPageSlots, std::uint32_t kCapacity, std::uint32_t kPages>
using PagedWithPool = QueueWithPool<
    queue::PagePool<Scope, kPageSlots, kPages>,
    queue::PagedQueue<Scope, ContractItem, queue::PagePool<Scope, kPageSlots, kPages>, kCapacity>>;

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_QUEUES_QUEUE_WITH_POOL_H_
