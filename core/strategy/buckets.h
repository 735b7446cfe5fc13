// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Queuing strategy: a bucket for each event and each level, a queue in it for each procedure.
// [Steinberger §5.1.2, §5.2.2]
//
// Workers draw from the bucket with the least rank that is not empty. A policy sets the ranks while
// workers draw, so any order costs the workers the same. Each queue has a bit in its bucket's hint
// that says whether the queue has elements. One coalesced read of all hints replaces a search; the
// queue's own credit then verifies a hint.
// A hint is never lost: a push sets the bit after it added elements, and a draw that clears the bit
// looks at the queue again. Both are read-modify-writes of the same word, so the clearing thread
// either sees the elements or comes first.
// A failed pop briefly hides elements from a look, until its credit is returned. So set the bit
// again after returning the credit, if the queue has elements.
// Storage: pages of one pool (paged_queue.h), so that an empty bucket costs bytes. Order within a
// queue: first in, first out.
// Deviates from [Steinberger §5.2.2], which searches the buckets one after another: 100 buckets
// nearly double its run time.
#ifndef WARPYARD_CORE_STRATEGY_BUCKETS_H_
#define WARPYARD_CORE_STRATEGY_BUCKETS_H_

#include <concepts>
#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/lane_sets.h"
#include "core/exec/scope.h"
#include "core/queue/page_pool.h"
#include "core/queue/paged_queue.h"
#include "core/queue/queue_concept.h"

namespace warpyard::strategy {

/// The first bucket in the order that is not empty.
struct BestBucket {
  std::uint32_t rank;      ///< kNoRank: all are empty
  std::uint32_t bucket;    ///< meaningless if all are empty
  std::uint32_t hints;     ///< a bit for each queue, and Buckets::kRangeHint
  std::uint32_t own_rank;  ///< rank of the bucket that the caller asked for
};

/// The state of one bucket. @shape hints: as in BestBucket
struct Waiting {
  std::uint32_t hints;
  std::uint32_t rank;
};

/// Names a queue: its bucket, and the procedure's number among those that are spawned.
struct QueueId {
  std::uint32_t bucket;
  std::uint32_t queue;
};

/// How many elements a block wants from a queue: `most`, but no more than a fair part of the queue
/// for `sharers` blocks. It gets at least `least`, unless that would starve the `idle` blocks.
struct Wish {
  std::uint32_t most;
  std::uint32_t least;
  std::uint32_t sharers;
  std::uint32_t idle = 0;
};

/// The buckets from which a block draws one element each: those from `shared_from` on, without the
/// first `skipped`. @shape shared_from: even; queue: of the procedure
struct EachOf {
  std::uint32_t shared_from;
  std::uint32_t queue;
  std::uint32_t skipped;
};

inline constexpr std::uint32_t kNoRank = 0xffffu;

/// Sizes of Buckets, as a struct of named constants: kBuckets buckets of kQueues queues each. A
/// queue holds up to kQueueElements elements; all queues together have kPages pages.
template <class S>
concept BucketsShape = requires {
  typename S::Element;
  { S::kBuckets + S::kQueues + S::kQueueElements + S::kPages } -> std::same_as<std::uint32_t>;
};

template <exec::ExecScope Scope, BucketsShape Shape>
class Buckets {
 public:
  using Element = typename Shape::Element;
  static constexpr std::uint32_t kPageSlots = 128;
  using Pool = queue::PagePool<Scope, kPageSlots, Shape::kPages>;
  using Queue = queue::PagedQueue<Scope, Element, Pool, Shape::kQueueElements>;
  static_assert(queue::DeviceQueue<Queue>);
  static_assert(Shape::kBuckets % 8 == 0 && Shape::kBuckets <= 1u << 16);

  /// A hint has 32 bits: one for each queue, and kRangeHint.
  static constexpr std::uint32_t kMaxQueues = 31;
  static_assert(Shape::kQueues <= kMaxQueues,
                "a program has at most 31 procedures that are spawned: a bucket's hint has a bit "
                "for each, and one for the open stage");

  /// The hint of a bucket whose event has a range of indices to draw from.
  static constexpr std::uint32_t kRangeHint = 1u << kMaxQueues;

  /// Ranks are stored in pairs: of buckets `pair` and `pair + kPairs`.
  static constexpr std::uint32_t kPairs = Shape::kBuckets / 2;

  /// Empties all buckets. @scope the threads of all groups that share the work: this is group
  /// `part` of `parts`; a grid or process barrier must follow before use
  WY_HD void Reset(std::uint32_t part, std::uint32_t parts) {
    if (part == 0) arrivals_ = 0;
    for (std::uint32_t pair = part; pair < kPairs; pair += parts) {
      hints_[pair] = hints_[pair + kPairs] = ranks_[pair] = 0;
    }
    for (std::uint32_t q = part; q < Shape::kBuckets * kStoredQueues; q += parts) {
      queues_[q].Reset(pool_);
    }
    if (part == 0) pool_.Reset();
  }

  /// The first bucket with a rank of `least` or more, and the rank of `own`. @scope the group
  template <exec::LaneScope Group>
  WY_HD BestBucket Look(Group& group, std::uint32_t own, std::uint32_t least) {
    std::uint32_t first = kNone, first_hints = 0;
    std::uint32_t own_rank = RankOf(own);
    for (std::uint32_t pair = kPairsAtOnce * group.Rank(); pair < kPairs;
         pair += kPairsAtOnce * group.Size()) {
      std::uint32_t hints[2][kPairsAtOnce], ranks[kPairsAtOnce];
      Scope::LoadWords(&hints_[pair], hints[0]);
      Scope::LoadWords(&hints_[pair + kPairs], hints[1]);
      Scope::LoadWords(&ranks_[pair], ranks);
      for (std::uint32_t i = 0; i < kPairsAtOnce; ++i) {
        for (std::uint32_t half = 0; half < 2; ++half) {
          if (hints[half][i] == 0) continue;
          const std::uint32_t rank = exec::PackedPair{ranks[i]}.Get(half);
          const std::uint32_t place = rank << 16 | (pair + i + half * kPairs);
          if (place >= first || rank < least) continue;
          first = place;
          first_hints = hints[half][i];
        }
      }
    }
    own_rank = group.Broadcast(own_rank);
    const std::uint32_t best = group.Min(first);
    if (best == kNone) return {kNoRank, 0, 0, own_rank};
    // Two buckets may have the same rank while ranks change; the bucket makes `first` unique.
    const std::uint32_t finder = exec::LowestBit(group.Ballot(first == best));
    return {best >> 16, best & 0xffffu, group.BroadcastFrom(first_hints, finder), own_rank};
  }

  /// @scope any thread
  WY_HD Waiting WaitingIn(std::uint32_t bucket) {
    return {Scope::Word(hints_[bucket]).LoadRelaxed(), RankOf(bucket)};
  }

  /// Marks a bucket as having something to draw. @scope any thread, after the elements are in the
  /// bucket
  WY_HD void SetHint(std::uint32_t bucket, std::uint32_t hint) {
    Scope::Word(hints_[bucket]).FetchOrRelease(hint);
    Scope::Word(arrivals_).FetchAddRelaxed(1);
  }

  /// Changes when a hint was set. A worker that found nothing reads it before it searches again.
  /// The change may be visible before the hint. @scope any thread
  WY_HD std::uint32_t Arrivals() { return Scope::Word(arrivals_).LoadRelaxed(); }

  /// Clears a hint. The caller must then look whether to set the hint again.
  /// @scope any thread
  WY_HD void ClearHint(std::uint32_t bucket, std::uint32_t hint) {
    Scope::Word(hints_[bucket]).FetchAndAcqRel(~hint);
  }

  /// Sets the ranks of buckets `pair` and `pair + kPairs`. @scope one thread at a time for a pair
  WY_HD void SetRanks(std::uint32_t pair, std::uint32_t first, std::uint32_t second) {
    const std::uint32_t ranks = exec::PackedPair::Of(first, second).word;
    const auto word = Scope::Word(ranks_[pair]);
    if (word.LoadRelaxed() != ranks) word.StoreRelaxed(ranks);
  }

  /// Each thread that is `offering` adds its element. Elements for the same queue are added
  /// together; different queues are served at the same time. kFull for elements that found no room.
  /// @scope the group @shape queue_index: of the procedure, less than kQueues
  template <exec::LaneScope Group>
  WY_DEVICE_CALL WY_HD queue::PushResult Push(Group& group, bool offering, const Element& element,
                                              std::uint32_t queue_index) {
    const std::uint32_t target = element.Bucket() * kStoredQueues + queue_index;
    std::uint32_t alike = 0;
    exec::ForEachPeerSet(group, offering, target, [&](std::uint32_t value, std::uint32_t peers) {
      if (offering && value == target) alike = peers;
    });
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
      const std::uint32_t place = exec::PlaceAmong(alike, group.Rank());
      result =
          claim.count == 0 ? queue::PushResult::kFull : queue.Put(claim.first + place, element);
    }
    group.Barrier();  // all elements that are added together are there
    if (leads && claim.count != 0) SetHint(element.Bucket(), 1u << queue_index);
    return result;
  }

  /// Draws elements from a queue. Returns how many, or kStuck after a wait that timed out.
  /// @scope the group @shape out: room for `wish.most`
  template <exec::LaneScope Group>
  WY_DEVICE_CALL WY_HD std::uint32_t Draw(Group& group, const QueueId& id, const Wish& wish,
                                          Element* out) {
    Queue& queue = queues_[id.bucket * kStoredQueues + id.queue];
    queue::Claim claim{0, 0};
    std::uint32_t wanted = wish.most;
    // A failed pop hides elements from others: look first.
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
      if (claim.count < wanted) TellAfterFailure(id.bucket, id.queue);
    }
    group.Barrier();
    return claim.count;
  }
  static constexpr std::uint32_t kStuck = 0xffffffffu;
  static constexpr std::uint32_t kFew = 0xfffffffeu;

  /// Draws one element from each of several buckets, up to `wanted` elements. It takes the first
  /// buckets that have elements, from `each.shared_from` on, where ranks follow the order of the
  /// buckets. Leaves the first `each.skipped` buckets to other blocks, or fewer if there are too
  /// few. Of two neighbours it draws from one. Returns how many elements, or kStuck, or kFew: too
  /// few buckets to share. @scope the group, at most 32 threads @shape wanted: at most one for each
  /// thread; out: room for as many
  template <exec::LaneScope Group>
  WY_DEVICE_CALL WY_HD std::uint32_t DrawEach(Group& group, const EachOf& each,
                                              std::uint32_t wanted, Element* out) {
    std::uint32_t turns = 0, second = 0, total = 0;  // a bit for each turn below
    for (std::uint32_t turn = 0; NeighboursOf(group, each, turn, 0) < Shape::kBuckets; ++turn) {
      const std::uint32_t bucket = NeighboursOf(group, each, turn, group.Rank());
      std::uint32_t hints[2] = {0, 0};
      if (bucket < Shape::kBuckets) Scope::LoadWords(&hints_[bucket], hints);
      const bool in_first = (hints[0] >> each.queue & 1u) != 0;
      const bool has = in_first || (hints[1] >> each.queue & 1u) != 0;
      turns |= has ? 1u << turn : 0;
      second |= has && !in_first ? 1u << turn : 0;
      total += exec::CountBits(group.Ballot(has));
    }
    if (total < kFewBuckets) return kFew;
    const std::uint32_t skipped = total > wanted ? each.skipped % (total - wanted + 1) : 0;
    std::uint32_t bucket = kNone, seen = 0;
    for (std::uint32_t turn = 0; seen < skipped + wanted && seen < total; ++turn) {
      const bool has = (turns >> turn & 1u) != 0;
      const std::uint32_t lanes = group.Ballot(has);
      const std::uint32_t place = seen + exec::PlaceAmong(lanes, group.Rank());
      if (has && bucket == kNone && place >= skipped && place < skipped + wanted) {
        bucket = NeighboursOf(group, each, turn, group.Rank()) + (second >> turn & 1u);
      }
      seen += exec::CountBits(lanes);
    }
    Element element{};
    const queue::PopResult result =
        bucket == kNone ? queue::PopResult::kEmpty : TakeOne(bucket, each.queue, element);
    if (group.Any(result == queue::PopResult::kStuck)) return kStuck;
    const bool got = result == queue::PopResult::kOk;
    const std::uint32_t taken = group.Ballot(got);
    if (got) out[exec::PlaceAmong(taken, group.Rank())] = element;
    group.Barrier();
    return exec::CountBits(taken);
  }

  /// Whether pushes are likely to find room: a push that finds none takes long.
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
  WY_HD static constexpr std::uint32_t Capacity() { return Shape::kPages * kPageSlots; }

 private:
  static constexpr std::uint32_t kPairsAtOnce = 4;
  static_assert(kPairs % kPairsAtOnce == 0);
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static constexpr std::uint32_t kFewBuckets = 8;
  static constexpr std::uint32_t kReservedPages = Shape::kPages / 32;
  static constexpr std::uint32_t kStoredQueues = Shape::kQueues == 0 ? 1 : Shape::kQueues;

  WY_HD std::uint32_t RankOf(std::uint32_t bucket) {
    const exec::PackedPair ranks{Scope::Word(ranks_[bucket % kPairs]).LoadRelaxed()};
    return ranks.Get(bucket / kPairs);
  }

  /// The first of the two neighbours that a thread looks at in a turn of DrawEach.
  template <class Group>
  WY_HD static std::uint32_t NeighboursOf(Group& group, const EachOf& each, std::uint32_t turn,
                                          std::uint32_t rank) {
    return each.shared_from + 2 * (turn * group.Size() + rank);
  }

  WY_HD queue::PopResult TakeOne(std::uint32_t bucket, std::uint32_t queue_index,
                                 Element& element) {
    const queue::PopResult result = queues_[bucket * kStoredQueues + queue_index].TryPop(element);
    if (result == queue::PopResult::kOk) {
      ClearIfEmpty(bucket, queue_index);
    } else {
      TellAfterFailure(bucket, queue_index);
    }
    return result;
  }

  /// A failed pop briefly hides elements, and another block may clear the hint meanwhile. So sets
  /// the hint again after the credit was returned.
  WY_HD void TellAfterFailure(std::uint32_t bucket, std::uint32_t queue_index) {
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

  alignas(Scope::kContendedBytes) std::uint32_t hints_[Shape::kBuckets] = {};
  alignas(128) std::uint32_t ranks_[kPairs] = {};  // PackedPair each
  alignas(Scope::kContendedBytes) std::uint32_t arrivals_ = 0;
  Queue queues_[Shape::kBuckets * kStoredQueues];
  Pool pool_;
};

}  // namespace warpyard::strategy

#endif  // WARPYARD_CORE_STRATEGY_BUCKETS_H_
