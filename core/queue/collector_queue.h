// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Collector queue: an array that a stage fills and a later stage empties.
//
// When to use: the output of a stage, where the number of elements is not known before.
// When not: elements that are to be consumed while others are still pushed (it is no
// DeviceQueue).
// Phases: the five requirements (queue_concept.h) hold only if each use is in one of three
// phases,
//   collect  Reserve, Put, TryPush, AppendTogether, Wanted; any number of threads
//   consume  TakeRange, Get, TryPop, Collected, Wanted; any number of threads
//   reset    Reset; one thread
// Between two phases lies a point that all threads of the first phase pass before any thread of the
// second goes on, and that orders memory: the end of a kernel, the join of threads, the count of an
// event's outstanding elements that falls to zero by acquire and release, or the barrier of a block
// that is alone. Within a phase no thread waits for another. Requirement 1 (one index, one thread)
// holds by the read-modify-write of each end; 2 and 3 hold by the point between the phases; 4
// because indices past the capacity are not stored; 5 because the back stands still while the front
// moves.
// Progress: wait-free.
// Atomics: 1 RMW each for a push and for a pop of any number of elements.
// Source: [Steinberger §4.2.1]. Deviates from it: the array does not wrap, so nothing is
// overwritten; the back goes on past the capacity, so that it tells how large the queue should have
// been; and indices have 64 bits, so that neither end wraps.
#ifndef WARPYARD_CORE_QUEUE_COLLECTOR_QUEUE_H_
#define WARPYARD_CORE_QUEUE_COLLECTOR_QUEUE_H_

#include <cstdint>
#include <type_traits>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/queue/queue_concept.h"

namespace warpyard::queue {

/// Consecutive indices [first, first + count).
struct IndexRange {
  std::uint64_t first;
  std::uint64_t count;
};

/// A queue in memory that the caller owns; copies refer to the same queue.
/// @shape items: room for `capacity`; pushed, taken: a word each, zero before the first use. All
/// threads contend for both words: Scope::kContendedBytes apart is best
template <exec::ExecScope Scope, class ItemType>
class CollectorQueue {
 public:
  using Item = ItemType;
  static_assert(std::is_trivially_copyable_v<Item>);

  CollectorQueue() = default;
  WY_HD CollectorQueue(Item* items, std::uint64_t capacity, std::uint64_t* pushed,
                       std::uint64_t* taken)
      : items_(items), capacity_(capacity), pushed_(pushed), taken_(taken) {}

  /// Empties the queue. @scope one thread, in a phase of its own
  WY_HD void Reset() {
    *pushed_ = 0;
    *taken_ = 0;
  }

  /// Claims `wanted` consecutive indices and returns the first. Each index must then be Put, unless
  /// it is past the capacity. @scope one thread for many, collect phase
  WY_HD std::uint64_t Reserve(std::uint64_t wanted) {
    return Scope::Word(*pushed_).FetchAddRelaxed(wanted);
  }

  /// Stores the element of a claimed index. @errors kFull: past the capacity, only counted.
  /// @scope any thread, once an index, collect phase
  WY_HD PushResult Put(std::uint64_t index, const Item& item) {
    if (index >= capacity_) return PushResult::kFull;
    items_[index] = item;
    return PushResult::kOk;
  }

  /// Adds an element. @scope any thread, collect phase
  WY_HD PushResult TryPush(const Item& item) { return Put(Reserve(1), item); }

  /// Adds `count` elements that the block gathered; returns how many were stored.
  /// @shape items: in memory that the block shares, written before its last barrier
  /// @scope the block, collect phase
  WY_HD std::uint64_t AppendTogether(Scope& scope, const Item* items, std::uint32_t count) {
    std::uint64_t first = 0;
    if (scope.Rank() == 0 && count > 0) first = Reserve(count);
    first = scope.Broadcast(first);
    for (std::uint32_t i = scope.Rank(); i < count; i += scope.Size()) Put(first + i, items[i]);
    return Below(first + count) - Below(first);
  }

  /// Claims up to `wanted` of the remaining elements. @scope one thread for many, consume phase
  WY_HD IndexRange TakeRange(std::uint64_t wanted) {
    const std::uint64_t end = Collected();
    // Do not move the front of an empty queue: polling would increase it for ever.
    if (Scope::Word(*taken_).LoadRelaxed() >= end) return {0, 0};
    const std::uint64_t first = Scope::Word(*taken_).FetchAddRelaxed(wanted);
    if (first >= end) return {0, 0};
    return {first, end - first < wanted ? end - first : wanted};
  }

  /// @scope any thread, for an index of its claim, consume phase
  WY_HD const Item& Get(std::uint64_t index) const { return items_[index]; }

  /// Takes one element. @scope any thread, consume phase
  WY_HD PopResult TryPop(Item& item) {
    const IndexRange range = TakeRange(1);
    if (range.count == 0) return PopResult::kEmpty;
    item = Get(range.first);
    return PopResult::kOk;
  }

  /// Elements that were pushed, stored or not. More than Capacity() means that some were not
  /// stored. Final when the collect phase is over. @scope any thread
  WY_HD std::uint64_t Wanted() const { return Scope::Word(*pushed_).LoadRelaxed(); }

  /// Elements that were stored, whether or not they were taken since. @scope any thread, consume
  /// phase
  WY_HD std::uint64_t Collected() const { return Below(Wanted()); }

  WY_HD std::uint64_t Capacity() const { return capacity_; }

 private:
  WY_HD std::uint64_t Below(std::uint64_t index) const {
    return index < capacity_ ? index : capacity_;
  }

  Item* items_ = nullptr;
  std::uint64_t capacity_ = 0;
  std::uint64_t* pushed_ = nullptr;
  std::uint64_t* taken_ = nullptr;
};

}  // namespace warpyard::queue

#endif  // WARPYARD_CORE_QUEUE_COLLECTOR_QUEUE_H_
