// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Queues of elements that all workers share: one for each level (Context::SpawnAt), whose elements
// are of any event; and one for each event. [Steinberger §5.1.2, §5.2.2]
//
// Workers put elements into an event's queue only where accounts divide the device among them: an
// account could not get its share of blocks whose workers have nothing of it (queue_moves.h).
//
// Each queue has a bit that says whether it has elements; the queue itself then verifies the
// bit. A bit is never lost: a push sets it after it added elements, and a draw that clears it looks
// at the queue again. Both are read-modify-writes of the same word, so the clearing thread either
// sees the elements or comes first. The board shows in the same way which words of bits are not 0.
// A failed pop briefly hides elements from a look, until its credit is returned. So the bit is set
// again after returning the credit, if the queue has elements.
// Many workers want the few elements of the first level. A worker that loses such a race tries
// again at once, and chooses among a quarter more of the first levels. A worker that wins chooses
// among fewer the next time. Storage: pages of one pool (paged_queue.h), so that an empty queue
// costs bytes. Order within a queue: first in, first out.
#ifndef WARPYARD_CORE_MODEL_WORKER_SHARED_QUEUES_H_
#define WARPYARD_CORE_MODEL_WORKER_SHARED_QUEUES_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/lane_sets.h"
#include "core/exec/scope.h"
#include "core/model/worker/board/board.h"
#include "core/procedure/element.h"
#include "core/queue/page_pool.h"
#include "core/queue/paged_queue.h"
#include "core/queue/queue_concept.h"

namespace warpyard::model {

/// A worker's memory of its races for levels.
struct LevelWindow {
  std::uint32_t width;   ///< levels among which it chooses
  std::uint32_t random;  ///< state of a generator
};

/// What a draw or a push did. @shape stuck: a bounded wait ran out
struct QueueResult {
  std::uint32_t count;
  bool stuck;
};

/// @shape Reset before use
template <exec::ExecScope Scope, std::uint32_t kPages>
class SharedQueues {
 public:
  using Element = procedure::Element;
  static constexpr std::uint32_t kLevels = procedure::kLevels;
  static constexpr std::uint32_t kEvents = procedure::kEventBuckets;
  static constexpr std::uint32_t kPageSlots = 128;

  /// Empties all. @scope the threads of all groups that share the work: this is number `part` of
  ///     `parts`; a grid or process barrier before use
  WY_HD void Reset(std::uint32_t part, std::uint32_t parts) {
    for (std::uint32_t number = part; number < kQueues; number += parts) {
      queues_[number].Reset(pool_);
    }
    if (part != 0) return;
    for (std::uint32_t& word : bits_) word = 0;
    pool_.Reset();
  }

  /// Each thread that is `offering` adds its element to the queue of the element's bucket. Returns
  /// the lanes whose elements found no room. @scope the group
  template <exec::LaneScope Group>
  WY_DEVICE_CALL WY_HD QueueResult Push(Group& group, Board<Scope>& board, bool offering,
                                        const Element& element) {
    Scope::OrderBeforePut();
    QueueResult refused{0, false};
    const std::uint32_t own = offering ? NumberOf(element.Bucket()) : 0;
    exec::ForEachPeerSet(group, offering, own, [&](std::uint32_t number, std::uint32_t peers) {
      const bool mine = offering && own == number;
      queue::Claim claim{0, 0};
      if (group.Rank() == 0) {
        queue::ProducerView view;
        claim = queues_[number].ReservePush(exec::CountBits(peers), view);
      }
      claim = group.Broadcast(claim);
      if (claim.count == 0) {
        refused.count |= peers;
        return;
      }
      bool stuck = false;
      if (mine) {
        const std::uint32_t place = exec::PlaceAmong(peers, group.Rank());
        stuck = queues_[number].Put(claim.first + place, element) != queue::PushResult::kOk;
      }
      refused.stuck |= group.Any(stuck);
      group.Barrier();  // all elements are there
      if (group.Rank() == 0) Show(board, number);
    });
    return refused;
  }

  /// Draws up to `wanted` elements of one of the first levels. @scope the group
  /// @shape out: room for `wanted`; window: zero-initialised, kept by the group
  template <exec::LaneScope Group>
  WY_DEVICE_CALL WY_HD QueueResult Draw(Group& group, Board<Scope>& board, std::uint32_t wanted,
                                        LevelWindow& window, Element* out) {
    QueueResult drawn{0, false};
    for (std::uint32_t tries = 0; tries < kTries && drawn.count == 0 && !drawn.stuck; ++tries) {
      const std::uint32_t level = group.Broadcast(group.Rank() == 0 ? Choose(window) : kLevels);
      if (level >= kLevels) {
        if (group.Rank() == 0) HideEmptyWords(board, 0, kLevelWords);
        group.Barrier();
        break;
      }
      drawn = DrawOf(group, board, level, wanted, out);
      if (group.Rank() == 0) {
        const std::uint32_t wider = window.width + window.width / 4 + 1;
        window.width = drawn.count != 0 ? window.width - (window.width + 3) / 4
                                        : exec::Least(wider, kMostWindow);
      }
      group.Barrier();
    }
    return drawn;
  }

  /// Draws up to `wanted` elements of an event's queue. @scope the group @shape out: room for them
  template <exec::LaneScope Group>
  WY_DEVICE_CALL WY_HD QueueResult DrawOfEvent(Group& group, Board<Scope>& board,
                                               std::uint32_t event, std::uint32_t wanted,
                                               Element* out) {
    return DrawOf(group, board, NumberOf(event), wanted, out);
  }

  /// Elements that wait in the queue of an event. @scope any thread
  WY_HD std::uint32_t ApproximateSizeOf(std::uint32_t event) {
    return queues_[NumberOf(event)].ApproximateSize();
  }
  /// Whether the queue of an event has elements. @scope any thread
  WY_HD bool HasSome(std::uint32_t event) {
    const std::uint32_t number = NumberOf(event);
    return (Scope::Word(bits_[number / 32]).LoadRelaxed() >> number % 32 & 1u) != 0;
  }
  /// A bit for each event of [32 * w, 32 * w + 32) whose queue has elements. @scope any thread
  WY_HD std::uint32_t EventsWithSome(std::uint32_t w) {
    return Scope::Word(bits_[kLevelWords + w]).LoadRelaxed();
  }

  /// Takes the same events off the board, if their queues are all empty. @scope any thread
  WY_HD void HideEmptyEvents(Board<Scope>& board, std::uint32_t w) {
    HideEmptyWords(board, kLevelWords + w, kLevelWords + w + 1);
  }

  /// Elements that wait, in all queues. @scope any thread
  WY_HD std::uint32_t ApproximateSize() {
    std::uint32_t sum = 0;
    for (Queue& queue : queues_) sum += queue.ApproximateSize();
    return sum;
  }

  /// Elements that all queues can hold together.
  WY_HD static constexpr std::uint32_t Capacity() { return kPages * kPageSlots; }

 private:
  static constexpr std::uint32_t kLevelWords = kLevels / 32;
  static constexpr std::uint32_t kQueues = kLevels + kEvents;
  static constexpr std::uint32_t kWords = kQueues / 32;
  static constexpr std::uint32_t kMostWindow = 64;
  static constexpr std::uint32_t kTries = 8;  // of a draw; coming back later takes longer
  using Pool = queue::PagePool<Scope, kPageSlots, kPages>;
  using Queue = queue::PagedQueue<Scope, Element, Pool, 16 * kPages>;
  static_assert(kLevels % 32 == 0 && kEvents % 32 == 0 && queue::DeviceQueue<Queue>);

  /// The queue of a bucket: the levels come first.
  WY_HD static std::uint32_t NumberOf(std::uint32_t bucket) { return (bucket + kLevels) % kQueues; }

  /// Draws up to `wanted` elements of one queue. @scope the group
  template <exec::LaneScope Group>
  WY_HD QueueResult DrawOf(Group& group, Board<Scope>& board, std::uint32_t number,
                           std::uint32_t wanted, Element* out) {
    queue::Claim claim{0, 0};
    // A failed pop hides elements from others: look first.
    if (group.Rank() == 0 && queues_[number].ApproximateSize() != 0) {
      claim = queues_[number].ReservePop(wanted);
    }
    claim = group.Broadcast(claim);
    bool stuck = false;
    for (std::uint32_t i = group.Rank(); i < claim.count; i += group.Size()) {
      stuck |= queues_[number].Get(claim.first + i, out[i]) != queue::PopResult::kOk;
    }
    stuck = group.Any(stuck);
    group.Barrier();
    if (group.Rank() == 0) {
      if (claim.count != 0 && !stuck) queues_[number].FinishPop(claim);
      if (queues_[number].ApproximateSize() == 0) {
        Hide(board, number);
      } else if (claim.count != wanted) {
        Show(board, number);  // this pop hid elements while another worker looked
      }
    }
    if (claim.count != 0) Scope::OrderAfterGet();
    group.Barrier();
    return {claim.count, stuck};
  }

  /// One of the first levels that have elements; kLevels: there are none. @scope one thread
  WY_HD std::uint32_t Choose(LevelWindow& window) {
    window.random = window.random * 1664525u + 1013904223u;
    std::uint32_t skipped = (window.random >> 16) % (window.width + 1);
    std::uint32_t last = kLevels;
    for (std::uint32_t w = 0; w < kLevelWords; ++w) {
      for (std::uint32_t left = Scope::Word(bits_[w]).LoadRelaxed(); left != 0; left &= left - 1) {
        last = 32 * w + exec::LowestBit(left);
        if (skipped-- == 0) return last;
      }
    }
    return last;
  }

  /// @scope any thread, after an element was added
  WY_HD void Show(Board<Scope>& board, std::uint32_t number) {
    const std::uint32_t bit = 1u << number % 32;
    if (Scope::Word(bits_[number / 32]).FetchOrRelease(bit) == 0) board.SetWaiting(number / 32);
  }

  /// @scope any thread that found the queue empty
  WY_HD void Hide(Board<Scope>& board, std::uint32_t number) {
    const std::uint32_t w = number / 32, bit = 1u << number % 32;
    if (Scope::Word(bits_[w]).FetchAndAcqRel(~bit) == bit) {
      board.ClearWaiting(w);
      if (Scope::Word(bits_[w]).LoadAcquire() != 0) board.SetWaiting(w);
    }
    if (queues_[number].ApproximateSize() != 0) Show(board, number);
  }

  /// A push may show a word on the board after a draw has hidden it: then nothing waits there.
  WY_HD void HideEmptyWords(Board<Scope>& board, std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t w = begin; w < end; ++w) {
      if (Scope::Word(bits_[w]).LoadRelaxed() != 0) continue;
      board.ClearWaiting(w);
      if (Scope::Word(bits_[w]).LoadAcquire() != 0) board.SetWaiting(w);
    }
  }

  alignas(Scope::kContendedBytes) std::uint32_t bits_[kWords] = {};
  Queue queues_[kQueues];
  Pool pool_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_SHARED_QUEUES_H_
