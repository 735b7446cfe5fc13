// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Block-local queue: a few elements in the memory that a block shares.
//
// When to use: in front of a global queue, for elements that the block spawns and draws itself.
// When not: for elements that other blocks are to see (spill them), or for pops by part of a block.
// Order: newest first for the block's own pops, oldest first for spills. A block that works
// depth-first keeps few elements, and old elements stand for more work, so they are worth sharing.
// The rule: any thread may push (TryPush, or Reserve and Put) at any time. Pops and spills are
// calls of the whole block, with a barrier before their first access and after their last. So a
// push and a pop never overlap, and "full" and "empty" are exact: a push is refused only if all
// places were taken since the last pop, and a pop gets all that was pushed before it. A part of a
// block (a warp with a barrier of its own) must not pop.
// Progress: wait-free but for the barriers.
// Atomics: a push costs 1 RMW of a word in block memory, for any number of elements that one thread
// reserves for many; a pop or a spill costs none.
// Source: [Steinberger §4.3.1]. Deviates from it: a refused push does not take its count back,
// since the count would be wrong for other threads until then. The count goes on past the capacity,
// and the next pop, which runs alone, corrects it. And the array is a ring, so that the oldest
// elements can leave without moving the others.
#ifndef WARPYARD_CORE_QUEUE_BLOCK_LOCAL_QUEUE_H_
#define WARPYARD_CORE_QUEUE_BLOCK_LOCAL_QUEUE_H_

#include <cstdint>
#include <type_traits>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/queue/queue_concept.h"
#include "core/queue/sequence_ring.h"

namespace warpyard::queue {

/// @shape in shared memory, which is not initialised: Reset before use
/// @shape kHighWaterMark: elements from which on a block should spill
template <exec::ExecScope Scope, class ItemType, std::uint32_t kCapacity,
          std::uint32_t kHighWaterMark = kCapacity - kCapacity / 4>
class BlockLocalQueue {
 public:
  using Item = ItemType;
  static constexpr std::uint32_t kHighWater = kHighWaterMark;
  static_assert(std::is_trivially_copyable_v<Item>);
  static_assert(kCapacity > 0 && (kCapacity & (kCapacity - 1)) == 0, "places wrap by a mask");
  static_assert(kHighWater > 0 && kHighWater <= kCapacity);

  /// Empties the queue. @scope the block
  WY_HD void Reset(Scope& scope) {
    scope.Barrier();
    if (scope.Rank() == 0) SetEnds(0, 0);
    scope.Barrier();
  }

  /// Claims `wanted` consecutive places and returns the first. Each place must then be Put; Put
  /// refuses places past the capacity. @scope one thread for many of its block
  WY_HD std::uint32_t Reserve(std::uint32_t wanted) {
    return Scope::BlockWord(count_).FetchAddRelaxed(wanted);
  }

  /// Stores the element of a claimed place. @errors kFull. @scope any thread of the block, once a
  /// place
  WY_HD PushResult Put(std::uint32_t place, const Item& item) {
    if (place >= kCapacity) return PushResult::kFull;
    items_[(oldest_ + place) % kCapacity] = item;
    return PushResult::kOk;
  }

  /// Adds an element. @scope any thread of the block
  WY_HD PushResult TryPush(const Item& item) { return Put(Reserve(1), item); }

  /// Takes up to `wanted` of the newest elements, at most one for each thread; returns how many.
  /// Threads whose rank is less than that number get one element each in `mine`; rank 0 gets the
  /// newest.
  /// @scope the block, with the same `wanted`
  WY_HD std::uint32_t PopTogether(Scope& scope, std::uint32_t wanted, Item& mine) {
    scope.Barrier();
    const std::uint32_t size = Size();
    std::uint32_t taken = wanted < size ? wanted : size;
    if (taken > scope.Size()) taken = scope.Size();
    if (scope.Rank() < taken) mine = items_[(oldest_ + size - 1 - scope.Rank()) % kCapacity];
    const std::uint32_t oldest = oldest_;
    scope.Barrier();  // all have read the ends and their elements
    if (scope.Rank() == 0) SetEnds(oldest, size - taken);
    scope.Barrier();
    return taken;
  }

  /// Moves up to `wanted` of the oldest elements to a queue of many blocks; returns how many. If
  /// that queue is full, none is moved. @errors kStuck of the queue: see `stuck`.
  /// @shape queue: with ReservePush and Put as SequenceRing; view: the block's own view of that
  /// queue
  /// @scope the block, with the same `wanted`
  template <class Queue>
  WY_HD std::uint32_t SpillTogether(Scope& scope, std::uint32_t wanted, Queue& queue,
                                    ProducerView& view, bool& stuck) {
    scope.Barrier();
    const std::uint32_t size = Size();
    const std::uint32_t oldest = oldest_;
    const std::uint32_t offered = wanted < size ? wanted : size;
    Claim claim{0, 0};
    if (scope.Rank() == 0 && offered > 0) claim = queue.ReservePush(offered, view);
    claim = scope.Broadcast(claim);
    for (std::uint32_t i = scope.Rank(); i < claim.count; i += scope.Size()) {
      const Item& item = items_[(oldest + i) % kCapacity];
      if (queue.Put(claim.first + i, item) != PushResult::kOk) stuck = true;
    }
    scope.Barrier();  // all have read the ends and their elements
    if (scope.Rank() == 0) SetEnds((oldest + claim.count) % kCapacity, size - claim.count);
    scope.Barrier();
    return claim.count;
  }

  /// Elements now. @scope any thread; the same for all threads of the block only between a barrier
  /// after the last push and one before the next
  WY_HD std::uint32_t Size() {
    const std::uint32_t count = Scope::BlockWord(count_).LoadRelaxed();
    return count < kCapacity ? count : kCapacity;
  }

  /// Whether a block should spill before it goes on. @scope as Size
  WY_HD bool IsNearlyFull() { return Size() >= kHighWater; }

  WY_HD static constexpr std::uint32_t Capacity() { return kCapacity; }

 private:
  WY_HD void SetEnds(std::uint32_t oldest, std::uint32_t count) {
    oldest_ = oldest;
    Scope::BlockWord(count_).StoreRelaxed(count);
  }

  std::uint32_t count_;   // above the capacity: some pushes were refused
  std::uint32_t oldest_;  // index of the oldest element; changes in pops and spills only
  Item items_[kCapacity];
};

}  // namespace warpyard::queue

#endif  // WARPYARD_CORE_QUEUE_BLOCK_LOCAL_QUEUE_H_
