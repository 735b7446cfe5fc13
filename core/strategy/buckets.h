// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Queuing strategy: a bucket for each event and each level, a queue in it for each procedure.
// [Steinberger §5.1.2, §5.2.2]
//
// Workers draw from the bucket with the least rank that is not empty. Ranks are set by a policy
// while workers draw, so an order of any kind costs the workers the same. Whether a bucket is empty
// is a hint, a bit of each queue, so that a look at all of them is one coalesced read and not a
// search; what a hint promises is verified by the queue's own credit.
// A hint is never lost: whoever adds elements sets the bit afterwards, and whoever clears it looks
// at the queue again. Both are read-modify-writes of the same word, so the clearer either sees the
// elements or comes first.
// Credit that a draw takes in vain hides elements from that look until it is given back, so whoever
// gave it back sets the bit again if there is something.
// Storage: pages of one pool (paged_queue.h), so that a bucket costs bytes. Order within a queue:
// first in, first out.
// Deviates from [Steinberger §5.2.2], which searches the buckets one after another and pays for
// 100 of them with nearly twice the run time.
#ifndef WARPYARD_CORE_STRATEGY_BUCKETS_H_
#define WARPYARD_CORE_STRATEGY_BUCKETS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/queue/page_pool.h"
#include "core/queue/paged_queue.h"
#include "core/queue/queue_concept.h"

namespace warpyard::strategy {

/// The first bucket in the order that has something.
struct BestBucket {
  std::uint32_t rank;      ///< kNoRank: all are empty
  std::uint32_t bucket;    ///< meaningless then
  std::uint32_t hints;     ///< a bit a queue, and Buckets::kRangeHint
  std::uint32_t own_rank;  ///< of the bucket that the caller asked for
};

/// What waits in a bucket. @shape hints: as in BestBucket
struct Waiting {
  std::uint32_t hints;
  std::uint32_t rank;
};

/// A queue: of a bucket and a procedure that is spawned.
struct Place {
  std::uint32_t bucket;
  std::uint32_t queue;
};

/// How many elements a block wants of a queue: `most`, but not more than leaves some for as many
/// `sharers`; `least` of them anyway, unless that leaves too few for those who are `idle`.
struct Wish {
  std::uint32_t most;
  std::uint32_t least;
  std::uint32_t sharers;
  std::uint32_t idle = 0;
};

/// Which buckets a block draws an element each from. @shape queue: of the procedure
struct EachOf {
  std::uint32_t shared_from;
  std::uint32_t queue;
  std::uint32_t skipped;
};

inline constexpr std::uint32_t kNoRank = 0xffffu;

/// @shape kBucketCount buckets, a multiple of 8, of kQueues queues of up to kQueueElements
/// elements,
///     which lie in kPages pages of kPageSlots
template <class ElementType, std::uint32_t kBucketCount, std::uint32_t kQueueCount,
          std::uint32_t kQueueElementCount, std::uint32_t kPageCount>
struct BucketsShape {
  using Element = ElementType;
  static constexpr std::uint32_t kBuckets = kBucketCount;
  static constexpr std::uint32_t kQueues = kQueueCount;
  static constexpr std::uint32_t kQueueElements = kQueueElementCount;
  static constexpr std::uint32_t kPages = kPageCount;
  static constexpr std::uint32_t kPageSlots = 128;
};

template <exec::ExecScope Scope, class Shape>
class Buckets {
 public:
  using Element = typename Shape::Element;
  using Pool = queue::PagePool<Scope, Shape::kPageSlots, Shape::kPages>;
  using Queue = queue::PagedQueue<Scope, Element, Pool, Shape::kQueueElements>;
  static_assert(queue::DeviceQueue<Queue>);
  static_assert(Shape::kQueues <= 15 && Shape::kBuckets % 8 == 0);

  /// The hint of a bucket whose event has a range of indices to draw from.
  static constexpr std::uint32_t kRangeHint = 1u << 15;

  /// Empties all. @scope the threads of all groups that share the work: this is number `part` of
  ///     `parts`; a grid or process barrier before use
  WY_HD void Reset(std::uint32_t part, std::uint32_t parts) {
    if (part == 0) arrivals_ = 0;
    for (std::uint32_t w = part; w < kWords; w += parts) hints_[w] = ranks_[w] = 0;
    for (std::uint32_t q = part; q < Shape::kBuckets * kStoredQueues; q += parts) {
      queues_[q].Reset(pool_);
    }
    if (part == 0) pool_.Reset();
  }

  /// The first bucket with a rank of `least` or more, and the rank of `own`. @scope the group
  template <exec::LaneScope Group>
  WY_HD BestBucket Look(Group& group, std::uint32_t own, std::uint32_t least) {
    std::uint32_t first = kNone, first_hints = 0;
    std::uint32_t own_rank = Scope::Word(ranks_[own / 2]).LoadRelaxed() >> 16 * (own % 2) & 0xffffu;
    for (std::uint32_t w = kWordsAtOnce * group.Rank(); w < kWords;
         w += kWordsAtOnce * group.Size()) {
      std::uint32_t hints[kWordsAtOnce], ranks[kWordsAtOnce];
      Scope::LoadWords(&hints_[w], hints);
      Scope::LoadWords(&ranks_[w], ranks);
      for (std::uint32_t i = 0; i < kWordsAtOnce; ++i) {
        if (hints[i] == 0) continue;
        for (std::uint32_t half = 0; half < 2; ++half) {
          const std::uint32_t found = hints[i] >> 16 * half & 0xffffu;
          const std::uint32_t rank = ranks[i] >> 16 * half & 0xffffu;
          const std::uint32_t place = rank << 16 | (2 * (w + i) + half);
          if (found == 0 || place >= first || rank < least) continue;
          first = place;
          first_hints = found;
        }
      }
    }
    own_rank = group.Broadcast(own_rank);
    const std::uint32_t best = group.Min(first);
    if (best == kNone) return {kNoRank, 0, 0, own_rank};
    // Ranks are unique but while they change; the bucket is unique anyway.
    const std::uint32_t finder = exec::LowestBit(group.Ballot(first == best));
    return {best >> 16, best & 0xffffu, group.BroadcastFrom(first_hints, finder), own_rank};
  }

  /// @scope any thread
  WY_HD Waiting WaitingIn(std::uint32_t bucket) {
    const std::uint32_t shift = 16 * (bucket % 2);
    const std::uint32_t hints = Scope::Word(hints_[bucket / 2]).LoadRelaxed();
    const std::uint32_t ranks = Scope::Word(ranks_[bucket / 2]).LoadRelaxed();
    return {hints >> shift & 0xffffu, ranks >> shift & 0xffffu};
  }

  /// Says that a bucket has something to draw. @scope any thread, after it is there
  WY_HD void SetHint(std::uint32_t bucket, std::uint32_t hint) {
    Scope::Word(hints_[bucket / 2]).FetchOrRelease(hint << 16 * (bucket % 2));
    Scope::Word(arrivals_).FetchAddRelaxed(1);
  }

  /// Changes when a hint was set: who found nothing looks here before it looks again. It may be
  /// seen before the hint is. @scope any thread
  WY_HD std::uint32_t Arrivals() { return Scope::Word(arrivals_).LoadRelaxed(); }

  /// Takes it back; the caller then looks whether it must say it again. @scope any thread
  WY_HD void ClearHint(std::uint32_t bucket, std::uint32_t hint) {
    Scope::Word(hints_[bucket / 2]).FetchAndAcqRel(~(hint << 16 * (bucket % 2)));
  }

  /// Sets the ranks of two buckets. @scope one thread at a time for a pair
  WY_HD void SetRanks(std::uint32_t pair, std::uint32_t first, std::uint32_t second) {
    const std::uint32_t ranks = first | second << 16;
    const auto word = Scope::Word(ranks_[pair]);
    if (word.LoadRelaxed() != ranks) word.StoreRelaxed(ranks);
  }

  /// Each thread that is `offering` adds its element; those that go to one queue go together, and
  /// different queues are served at the same time. kFull for the elements that found no room.
  /// @scope the group @shape queue_index: of the procedure, less than kQueues
  template <exec::LaneScope Group>
  WY_DEVICE_CALL WY_HD queue::PushResult Push(Group& group, bool offering, const Element& element,
                                              std::uint32_t queue_index) {
    const std::uint32_t target = element.Bucket() * kStoredQueues + queue_index;
    const std::uint32_t alike = LanesWithSame(group, offering, target);
    if (group.Ballot(offering) == 0) return queue::PushResult::kOk;
    const std::uint32_t leader = offering ? exec::LowestBit(alike) : 0;
    const bool leads = offering && leader == group.Rank();
    Queue& queue = queues_[offering ? target : 0];
    queue::Claim claim{0, 0};
    if (leads) {
      queue::ProducerView view;
      claim = queue.ReservePush(exec::CountBits(alike), view);
    }
    claim = group.BroadcastFrom(claim, leader);
    queue::PushResult result = queue::PushResult::kOk;
    if (offering) {
      const std::uint32_t below = alike & ((1u << group.Rank()) - 1u);
      result = claim.count == 0 ? queue::PushResult::kFull
                                : queue.Put(claim.first + exec::CountBits(below), element);
    }
    group.Barrier();  // all that go together are there
    if (leads && claim.count != 0) SetHint(element.Bucket(), 1u << queue_index);
    return result;
  }

  /// Draws elements of a queue; returns how many, kStuck after a wait that ran out.
  /// @scope the group @shape out: room for `wish.most`
  template <exec::LaneScope Group>
  WY_DEVICE_CALL WY_HD std::uint32_t Draw(Group& group, const Place& place, const Wish& wish,
                                          Element* out) {
    Queue& queue = queues_[place.bucket * kStoredQueues + place.queue];
    queue::Claim claim{0, 0};
    std::uint32_t wanted = wish.most;
    // Credit that is taken in vain hides elements from others: look first.
    const std::uint32_t size = group.Rank() == 0 ? queue.ApproximateSize() : 0;
    if (size != 0) {
      const std::uint32_t fair = size / wish.sharers + 1;
      std::uint32_t least = wish.least;
      if (wish.idle != 0 && size / wish.idle < least) least = size / wish.idle + 1;
      if (least < fair) least = fair;
      if (wanted > least) wanted = least;
      claim = queue.ReservePop(wanted);
    }
    claim = group.Broadcast(claim);
    bool stuck = false;
    for (std::uint32_t i = group.Rank(); i < claim.count; i += group.Size()) {
      stuck |= queue.Get(claim.first + i, out[i]) != queue::PopResult::kOk;
    }
    if (group.Any(stuck)) return kStuck;
    if (group.Rank() == 0) {
      if (claim.count != 0) queue.FinishPop(claim);
      if (claim.count < wanted) TellAfterVain(place.bucket, place.queue);
    }
    group.Barrier();
    return claim.count;
  }
  static constexpr std::uint32_t kStuck = 0xffffffffu;
  static constexpr std::uint32_t kFew = 0xfffffffeu;

  /// Draws an element from each of several buckets, those that come first among the ones from
  /// `shared_from` on, whose ranks are in their order; up to `wanted` elements. Some of the first
  /// are left to others: `skipped`, or as many as there are. Returns how many, or kStuck, or kFew:
  /// there are too few buckets to share. @scope the group, at most 32 threads
  /// @shape wanted: at most a thread's one each; out: room for as many
  template <exec::LaneScope Group>
  WY_DEVICE_CALL WY_HD std::uint32_t DrawEach(Group& group, const EachOf& each,
                                              std::uint32_t wanted, Element* out) {
    std::uint32_t turns = 0, high = 0, total = 0;  // a bit for each turn below
    for (std::uint32_t turn = 0; WordOf(group, each, turn, 0) < kWords; ++turn) {
      const std::uint32_t w = WordOf(group, each, turn, group.Rank());
      const std::uint32_t hints = w < kWords ? Scope::Word(hints_[w]).LoadRelaxed() : 0;
      const bool low = (hints >> each.queue & 1u) != 0;
      const bool has = low || (hints >> 16 >> each.queue & 1u) != 0;
      turns |= has ? 1u << turn : 0;
      high |= has && !low ? 1u << turn : 0;
      total += exec::CountBits(group.Ballot(has));
    }
    if (total < kFewBuckets) return kFew;
    const std::uint32_t skipped = total > wanted ? each.skipped % (total - wanted + 1) : 0;
    std::uint32_t bucket = kNone, seen = 0;
    for (std::uint32_t turn = 0; seen < skipped + wanted && seen < total; ++turn) {
      const bool has = (turns >> turn & 1u) != 0;
      const std::uint32_t lanes = group.Ballot(has);
      const std::uint32_t place = seen + exec::CountBits(lanes & ((1u << group.Rank()) - 1u));
      if (has && bucket == kNone && place >= skipped && place < skipped + wanted) {
        bucket = 2 * WordOf(group, each, turn, group.Rank()) + (high >> turn & 1u);
      }
      seen += exec::CountBits(lanes);
    }
    Element element{};
    const queue::PopResult result =
        bucket == kNone ? queue::PopResult::kEmpty : TakeOne(bucket, each.queue, element);
    if (group.Any(result == queue::PopResult::kStuck)) return kStuck;
    const std::uint32_t taken = group.Ballot(result == queue::PopResult::kOk);
    const std::uint32_t below = taken & ((1u << group.Rank()) - 1u);
    if (result == queue::PopResult::kOk) out[exec::CountBits(below)] = element;
    group.Barrier();
    return exec::CountBits(taken);
  }

  /// Whether pushes are likely to find room: where they would not, they take long to find out.
  /// @scope any thread
  WY_HD bool HasRoom() { return pool_.ApproximateFree() > kReservedPages; }

  /// Elements that wait for a procedure, in all buckets. @scope any thread
  WY_HD std::uint32_t ApproximateSize(std::uint32_t queue_index) {
    std::uint32_t sum = 0;
    for (std::uint32_t bucket = 0; bucket < Shape::kBuckets; ++bucket) {
      sum += SizeOf(bucket, queue_index);
    }
    return sum;
  }
  WY_HD std::uint32_t SizeOf(std::uint32_t bucket, std::uint32_t queue_index) {
    return queues_[bucket * kStoredQueues + queue_index].ApproximateSize();
  }

  /// Elements that all queues can hold together.
  WY_HD static constexpr std::uint32_t Capacity() { return Shape::kPages * Shape::kPageSlots; }

 private:
  static constexpr std::uint32_t kWords = Shape::kBuckets / 2;
  static constexpr std::uint32_t kWordsAtOnce = 4;
  static_assert(kWords % kWordsAtOnce == 0);
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static constexpr std::uint32_t kFewBuckets = 8;
  static constexpr std::uint32_t kReservedPages = Shape::kPages / 32;
  static constexpr std::uint32_t kStoredQueues = Shape::kQueues == 0 ? 1 : Shape::kQueues;

  template <class Group>
  WY_HD static std::uint32_t WordOf(Group& group, const EachOf& each, std::uint32_t turn,
                                    std::uint32_t rank) {
    return each.shared_from / 2 + turn * group.Size() + rank;
  }

  /// The threads of the group that are `offering` with the same value as this one.
  template <class Group>
  WY_HD static std::uint32_t LanesWithSame(Group& group, bool offering, std::uint32_t value) {
    std::uint32_t same = 0;
    for (std::uint32_t left = group.Ballot(offering); left != 0;) {
      const std::uint32_t common = group.BroadcastFrom(value, exec::LowestBit(left));
      const std::uint32_t lanes = group.Ballot(offering && value == common);
      if (offering && value == common) same = lanes;
      left &= ~lanes;
    }
    return same;
  }

  WY_HD queue::PopResult TakeOne(std::uint32_t bucket, std::uint32_t queue_index,
                                 Element& element) {
    const queue::PopResult result = queues_[bucket * kStoredQueues + queue_index].TryPop(element);
    if (result == queue::PopResult::kOk) {
      ClearIfEmpty(bucket, queue_index);
    } else {
      TellAfterVain(bucket, queue_index);
    }
    return result;
  }

  /// Who took credit in vain has hidden elements meanwhile: another may have looked and taken the
  /// hint back for good. So whoever gives such credit back says what is there.
  WY_HD void TellAfterVain(std::uint32_t bucket, std::uint32_t queue_index) {
    if (SizeOf(bucket, queue_index) != 0) {
      SetHint(bucket, 1u << queue_index);
    } else {
      ClearIfEmpty(bucket, queue_index);
    }
  }

  WY_HD void ClearIfEmpty(std::uint32_t bucket, std::uint32_t queue_index) {
    if (SizeOf(bucket, queue_index) != 0) return;
    ClearHint(bucket, 1u << queue_index);
    if (SizeOf(bucket, queue_index) != 0) SetHint(bucket, 1u << queue_index);
  }

  // A half-word a bucket, two to a word.
  alignas(Scope::kContendedBytes) std::uint32_t hints_[kWords] = {};
  alignas(128) std::uint32_t ranks_[kWords] = {};
  alignas(Scope::kContendedBytes) std::uint32_t arrivals_ = 0;
  Queue queues_[Shape::kBuckets * kStoredQueues];
  Pool pool_;
};

}  // namespace warpyard::strategy

#endif  // WARPYARD_CORE_STRATEGY_BUCKETS_H_
