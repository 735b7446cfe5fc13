// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A paged queue with its pool, for the runners in queue_runners.h.
#ifndef WARPYARD_TESTS_SUPPORT_PAGED_HOLDER_H_
#define WARPYARD_TESTS_SUPPORT_PAGED_HOLDER_H_

#include <cstdint>
#include <memory>

#include "core/queue/paged_queue.h"
#include "tests/support/queue_contract.h"

namespace warpyard::test_support {

inline constexpr queue::PushResult kPushed = queue::PushResult::kOk;
inline constexpr queue::PopResult kPopped = queue::PopResult::kOk;

/// Generations start so that turns wrap when each page was returned a few times.
template <class Scope, std::uint32_t kPageSlots, std::uint32_t kCapacity, std::uint32_t kPages>
class PagedHolder {
 public:
  using Pool = queue::PagePool<Scope, kPageSlots, kPages>;
  using Queue = queue::PagedQueue<Scope, ContractItem, Pool, kCapacity>;
  static_assert(queue::DeviceQueue<Queue>);

  explicit PagedHolder(std::uint32_t first_ticket)
      : pool_(std::make_unique<Pool>()), queue_(std::make_unique<Queue>()) {
    pool_->Reset(0x7ffffffdu);
    queue_->Reset(*pool_, first_ticket);
  }
  Queue& Get() { return *queue_; }
  Pool& pool() { return *pool_; }

 private:
  std::unique_ptr<Pool> pool_;
  std::unique_ptr<Queue> queue_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_PAGED_HOLDER_H_
