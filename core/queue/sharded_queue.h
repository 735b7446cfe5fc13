// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Sharded queue: several queues side by side, used as one.
//
// When to use: every warp pushes for itself, so that the queue is bound by the words at which all
// warps meet. Each shard has such words of its own.
// When not: blocks claim for all their threads at once (one ring is as fast, and in order), or the
// order between producers matters. Not over paged queues, until the open question in docs/adr/0013
// is answered.
// Order: FIFO of tickets within a shard, none between shards. Elements of one producer are in one
// shard, in order, as long as that shard was never full for it.
// Which shard: the caller gives a hint, any number that spreads over callers, such as its block's
// number; the remainder is the shard. Use the same hint for a caller's pushes and pops: then it
// mostly finds its own elements. A push moves on where a shard is full, a pop where one is empty.
// "Full": all shards were seen full. "Empty": all were seen empty, one after another. Elements that
// move meanwhile (popped from a shard not yet seen, pushed to one already seen) may be missed. So
// empty means that there is nothing to do now, not that all is done.
// Progress: as of the shards' queue; nothing waits for another shard.
// Atomics: those of the shards' queue. A pop adds a load for each shard that it looks at; a push
// that finds its shard full adds a try for each further one.
// Source: ours (docs/adr/0013).
#ifndef WARPYARD_CORE_QUEUE_SHARDED_QUEUE_H_
#define WARPYARD_CORE_QUEUE_SHARDED_QUEUE_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/queue/queue_concept.h"
#include "core/queue/sequence_ring.h"

namespace warpyard::queue {

/// A claim of one shard.
struct ShardClaim : Claim {
  std::uint32_t shard;
};

/// Where a producer pushes: its shard (at first the hint, any number), and its last view of that
/// shard. Keep and drop it like a ProducerView.
struct ShardView {
  std::uint32_t shard = 0;
  ProducerView seen;
};

/// @shape QueueType: with claims (SequenceRing, PagedQueue), for each of kShardCount shards. All
/// claims under way may meet in one shard, so a ring's slack covers all producers
template <exec::ExecScope Scope, class QueueType, std::uint32_t kShardCount>
class ShardedQueue {
 public:
  using Item = typename QueueType::Item;
  static constexpr std::uint32_t kShards = kShardCount;
  static_assert(kShards > 0);
  static_assert(alignof(QueueType) >= Scope::kContendedBytes, "shards must not meet at a unit");

  /// Empties all shards. @shape args: of the shards' Reset. @scope one thread, before any other
  /// uses the queue
  template <class... Args>
  WY_HD void Reset(Args&&... args) {
    for (QueueType& shard : shards_) shard.Reset(args...);
  }

  /// Claims places for `wanted` elements in one shard, or none; each must then be Put.
  /// @scope one thread for many
  WY_HD ShardClaim ReservePush(std::uint32_t wanted, ShardView& view) {
    for (std::uint32_t step = 0; step < kShards; ++step) {
      view.shard %= kShards;
      const Claim claim = shards_[view.shard].ReservePush(wanted, view.seen);
      if (claim.count != 0) return {claim, view.shard};
      view = {view.shard + 1, {}};
    }
    return {{0, 0}, 0};
  }

  /// Writes the element of a claimed place. @errors kStuck. @shape index: less than claim.count
  /// @scope any thread, once an index
  WY_HD PushResult Put(const ShardClaim& claim, std::uint32_t index, const Item& item) {
    return shards_[claim.shard].Put(claim.first + index, item);
  }

  /// Claims up to `wanted` elements of one shard; each must then be Got, and FinishPop called for
  /// them. Fewer than wanted does not mean that no other shard has more. May be polled: it looks
  /// before it takes. No thread that Gets of the claim may push before FinishPop.
  /// @scope one thread for many
  WY_HD ShardClaim ReservePop(std::uint32_t wanted, std::uint32_t hint = 0) {
    const std::uint32_t home = hint % kShards;
    for (std::uint32_t step = 0; step < kShards; ++step) {
      const std::uint32_t shard = (home + step) % kShards;
      // A failed pop hides elements of the shard from others for a moment: look first.
      if (shards_[shard].ApproximateSize() == 0) continue;
      const Claim claim = shards_[shard].ReservePop(wanted);
      if (claim.count != 0) return {claim, shard};
    }
    return {{0, 0}, 0};
  }

  /// Reads a claimed element. @errors kStuck. @scope any thread, once an index
  WY_HD PopResult Get(const ShardClaim& claim, std::uint32_t index, Item& item) {
    return shards_[claim.shard].Get(claim.first + index, item);
  }

  /// Tells producers that all elements of a claim were Got. @scope one thread for many, under the
  /// rules of the shards' queue
  WY_HD void FinishPop(const ShardClaim& claim) { shards_[claim.shard].FinishPop(claim); }

  /// Adds an element. @scope any thread
  WY_HD PushResult TryPush(const Item& item, std::uint32_t hint = 0) {
    const std::uint32_t home = hint % kShards;
    PushResult result = PushResult::kFull;
    for (std::uint32_t step = 0; step < kShards && result == PushResult::kFull; ++step) {
      result = shards_[(home + step) % kShards].TryPush(item);
    }
    return result;
  }

  /// Takes the oldest element of the first shard from the hint on that has one. @scope any thread
  WY_HD PopResult TryPop(Item& item, std::uint32_t hint = 0) {
    const std::uint32_t home = hint % kShards;
    PopResult result = PopResult::kEmpty;
    for (std::uint32_t step = 0; step < kShards && result == PopResult::kEmpty; ++step) {
      result = shards_[(home + step) % kShards].TryPop(item);
    }
    return result;
  }

  /// Elements of all shards, seen one after another. @scope any thread
  WY_HD std::uint32_t ApproximateSize() {
    std::uint32_t size = 0;
    for (QueueType& shard : shards_) size += shard.ApproximateSize();
    return size;
  }
  WY_HD static constexpr std::uint32_t Capacity() { return kShards * QueueType::Capacity(); }

 private:
  QueueType shards_[kShards];
};

}  // namespace warpyard::queue

#endif  // WARPYARD_CORE_QUEUE_SHARDED_QUEUE_H_
