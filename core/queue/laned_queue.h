// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Laned queue: several queues side by side, used as one.
//
// When to use: every warp pushes for itself, so that what bounds a queue are the words at which all
// warps meet. Each lane has such words of its own.
// When not: blocks claim for all their threads at once (one ring is as fast, and in order), or the
// order between producers matters. Of paged queues, until the open question in docs/adr/0013 is
// answered.
// Order: FIFO of tickets within a lane, none between lanes. Elements of one producer are in one
// lane, in order, as long as that lane was never full for it.
// Which lane: the caller gives a hint, any number that spreads over callers, such as that of its
// block; the lane is its remainder. Pushes and pops of one caller should have the same hint: then
// it mostly finds what it pushed. A push moves on to the next lane where one is full, a pop where
// one is empty.
// "Full": all lanes were seen full. "Empty": all were seen empty, one after another, so elements
// that move meanwhile (popped from a lane not yet seen, pushed again to one already seen) may be
// missed. It means that there is nothing to do now, not that all is done.
// Progress: as of the lanes' queue; nothing waits for another lane.
// Atomics: those of the lanes' queue. A pop adds a load for each lane that it looks at, a push that
// finds its lane full a try for each further one.
// Source: ours (docs/adr/0013).
#ifndef WARPYARD_CORE_QUEUE_LANED_QUEUE_H_
#define WARPYARD_CORE_QUEUE_LANED_QUEUE_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/queue/queue_concept.h"
#include "core/queue/sequence_ring.h"

namespace warpyard::queue {

/// A claim of one lane.
struct LaneClaim : Claim {
  std::uint32_t lane;
};

/// Where a producer pushes: its lane (at first the hint, any number) and what it last saw of it.
/// Kept as a ProducerView is.
struct LaneView {
  std::uint32_t lane = 0;
  ProducerView seen;
};

/// @shape QueueType: with claims (SequenceRing, PagedQueue), for each of kLaneCount lanes. All
/// claims
///     under way may meet in one lane, so a ring's slack is that of all producers
template <exec::ExecScope Scope, class QueueType, std::uint32_t kLaneCount>
class LanedQueue {
 public:
  using Item = typename QueueType::Item;
  static constexpr std::uint32_t kLanes = kLaneCount;
  static_assert(kLanes > 0);
  static_assert(alignof(QueueType) >= Scope::kContendedBytes, "lanes must not meet at a unit");

  /// Empties all lanes. @shape args: of the lanes' Reset. @scope one thread, before any other uses
  ///     the queue
  template <class... Args>
  WY_HD void Reset(Args&&... args) {
    for (QueueType& lane : lanes_) lane.Reset(args...);
  }

  /// Claims places for `wanted` elements in one lane, or none; each must then be Put.
  /// @scope one thread for many
  WY_HD LaneClaim ReservePush(std::uint32_t wanted, LaneView& view) {
    for (std::uint32_t step = 0; step < kLanes; ++step) {
      view.lane %= kLanes;
      const Claim claim = lanes_[view.lane].ReservePush(wanted, view.seen);
      if (claim.count != 0) return {claim, view.lane};
      view = {view.lane + 1, {}};
    }
    return {{0, 0}, 0};
  }

  /// Writes the element of a claimed place. @errors kStuck. @shape index: less than claim.count
  /// @scope any thread, once an index
  WY_HD PushResult Put(const LaneClaim& claim, std::uint32_t index, const Item& item) {
    return lanes_[claim.lane].Put(claim.first + index, item);
  }

  /// Claims up to `wanted` elements of one lane; each must then be Got, and FinishPop called for
  /// them. Fewer than wanted does not mean that no other lane has more. May be polled: it looks
  /// before it takes. No thread that Gets of the claim may push before FinishPop.
  /// @scope one thread for many
  WY_HD LaneClaim ReservePop(std::uint32_t wanted, std::uint32_t hint = 0) {
    const std::uint32_t home = hint % kLanes;
    for (std::uint32_t step = 0; step < kLanes; ++step) {
      const std::uint32_t lane = (home + step) % kLanes;
      // Credit taken in vain hides elements from all others of the lane until it is given back.
      if (lanes_[lane].ApproximateSize() == 0) continue;
      const Claim claim = lanes_[lane].ReservePop(wanted);
      if (claim.count != 0) return {claim, lane};
    }
    return {{0, 0}, 0};
  }

  /// Reads a claimed element. @errors kStuck. @scope any thread, once an index
  WY_HD PopResult Get(const LaneClaim& claim, std::uint32_t index, Item& item) {
    return lanes_[claim.lane].Get(claim.first + index, item);
  }

  /// Tells producers that all elements of a claim were Got. @scope one thread for many, as the
  /// lanes' queue says
  WY_HD void FinishPop(const LaneClaim& claim) { lanes_[claim.lane].FinishPop(claim); }

  /// Adds an element. @scope any thread
  WY_HD PushResult TryPush(const Item& item, std::uint32_t hint = 0) {
    const std::uint32_t home = hint % kLanes;
    PushResult result = PushResult::kFull;
    for (std::uint32_t step = 0; step < kLanes && result == PushResult::kFull; ++step) {
      result = lanes_[(home + step) % kLanes].TryPush(item);
    }
    return result;
  }

  /// Takes the oldest element of the first lane from the hint on that has one. @scope any thread
  WY_HD PopResult TryPop(Item& item, std::uint32_t hint = 0) {
    const std::uint32_t home = hint % kLanes;
    PopResult result = PopResult::kEmpty;
    for (std::uint32_t step = 0; step < kLanes && result == PopResult::kEmpty; ++step) {
      result = lanes_[(home + step) % kLanes].TryPop(item);
    }
    return result;
  }

  /// Elements of all lanes, seen one after another. @scope any thread
  WY_HD std::uint32_t ApproximateSize() {
    std::uint32_t size = 0;
    for (QueueType& lane : lanes_) size += lane.ApproximateSize();
    return size;
  }
  WY_HD static constexpr std::uint32_t Capacity() { return kLanes * QueueType::Capacity(); }

 private:
  QueueType lanes_[kLanes];
};

}  // namespace warpyard::queue

#endif  // WARPYARD_CORE_QUEUE_LANED_QUEUE_H_
