// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Ways for elements from one block to another: a stack from which others take, or a global queue.
//
// A way has an Owner with Give and a Taker with Take; a warp calls each. Neither waits for room or
// elements; both report that there are none. A passed element may refer to other memory, which the
// owner wrote before. With stacks a release and an acquire order this memory; with queues
// Scope::OrderBeforePut and OrderAfterGet do.
#ifndef WARPYARD_RESEARCH_BLOCK_CLUSTERS_WAYS_CUH_
#define WARPYARD_RESEARCH_BLOCK_CLUSTERS_WAYS_CUH_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/device_scope.cuh"
#include "core/queue/page_pool.h"
#include "core/queue/paged_queue.h"
#include "core/queue/queue_concept.h"
#include "core/queue/sequence_ring.h"
#include "research/block_clusters/spaces.cuh"
#include "research/block_clusters/takeable_stack.cuh"

namespace warpyard::bench {

using Scope = exec::DeviceScope;

/// The result of a take, and its cost. @units cycles
struct Taken {
  std::uint32_t count = 0;   ///< 0: nothing was taken, and the rest has no meaning
  bool whole = true;         ///< all elements are as they were written
  std::uint32_t look = 0;    ///< until it saw elements
  std::uint32_t claim = 0;   ///< from then until they were claimed
  std::uint32_t read = 0;    ///< from then until all lanes had theirs
  std::uint32_t finish = 0;  ///< from then until the owner or the queue is told; excludes time for
                             ///< which no thread waits

  /// Times of a take: when it began, saw elements, had claimed them, had read them, and was over.
  struct Times {
    std::uint32_t begin, looked, claimed, read, end;
  };
  __device__ void NoteTimes(const Times& times) {
    look = times.looked - times.begin;
    claim = times.claimed - times.looked;
    read = times.read - times.claimed;
    finish = times.end - times.read;
  }
};

__device__ inline std::uint32_t Clock() {
  std::uint32_t now = 0;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
  return now;
}

__device__ inline Element MakeElement(std::uint32_t id) { return {id, 7, 9, 11}; }

/// Whether all elements have arrived whole. Waits for their loads. @scope the warp
__device__ inline bool AreWhole(std::uint32_t count, const Hand& mine) {
  bool whole = true;
  for (std::uint32_t k = 0; k < kPerLane; ++k) {
    if (Lane() + 32 * k >= count) continue;
    whole &= mine[k].seven == 7 && mine[k].nine == 9 && mine[k].eleven == 11;
  }
  return __all_sync(kAllLanes, whole) != 0;
}

template <class StackSpace>
struct StackWay {
  using Space = StackSpace;
  struct Place {
    StackMemory* in_global;  ///< one for each block, or none
  };

  class Owner {
   public:
    __device__ Owner(Place place, StackMemory* in_shared)
        : stack_(Space::Own(place.in_global, in_shared)) {}

    __device__ bool Give(std::uint32_t count, const Hand& mine) { return stack_.Push(count, mine); }

   private:
    StackOwner<Space> stack_;
  };

  class Taker {
   public:
    __device__ Taker(Place place, StackMemory* in_shared, std::uint32_t owner)
        : memory_(Space::OfBlock(place.in_global, in_shared, owner)) {}

    __device__ Taken Take(std::uint32_t wanted, Hand& mine) {
      Taken taken;
      const std::uint32_t begin = Clock();
      std::uint32_t word = 0;
      if (Lane() == 0) word = Space::LoadRelaxed(memory_ + offsetof(StackMemory, state));
      word = __shfl_sync(kAllLanes, word, 0);
      if (StackMemory::Size(word) < wanted) return taken;
      const std::uint32_t looked = Clock();
      const std::uint32_t count = Claim(word, wanted);
      if (count == 0) return taken;
      const std::uint32_t claimed = Clock();
      Load(StackMemory::Taken(word), count, mine);
      taken.count = count;
      taken.whole = AreWhole(count, mine);
      if (!taken.whole) return taken;  // a branch, so that the clock is read after the elements
      const std::uint32_t read = Clock();
      __syncwarp();
      if (Lane() == 0) Space::AddRelease(memory_ + offsetof(StackMemory, drained), count);
      taken.NoteTimes({begin, looked, claimed, read, Clock()});
      return taken;
    }

   private:
    /// Claims and pushes of other blocks make the attempt fail.
    static constexpr std::uint32_t kAttempts = 16;

    /// Claims the oldest elements; returns how many. @shape word: the last state seen; afterwards
    /// the state that was replaced
    __device__ std::uint32_t Claim(std::uint32_t& word, std::uint32_t wanted) {
      std::uint32_t count = 0;
      if (Lane() == 0) {
        WY_ROLLED
        for (std::uint32_t attempt = 0; attempt < kAttempts; ++attempt) {
          const std::uint32_t size = StackMemory::Size(word);
          count = wanted < size ? wanted : size;
          if (count == 0) break;
          const std::uint32_t desired = (word & 0xffff0000u) | StackMemory::Taken(word + count);
          const std::uint32_t found =
              Space::CompareExchangeAcquire(memory_ + offsetof(StackMemory, state), word, desired);
          if (found == word) break;
          word = found;
          count = 0;
        }
      }
      word = __shfl_sync(kAllLanes, word, 0);
      count = __shfl_sync(kAllLanes, count, 0);
      __syncwarp();  // what the claim acquired holds for all lanes
      return count;
    }

    __device__ void Load(std::uint32_t first, std::uint32_t count, Hand& mine) const {
      for (std::uint32_t k = 0; k < kPerLane; ++k) {
        const std::uint32_t index = Lane() + 32 * k;
        const std::uint32_t place = (first + index) % StackMemory::kCapacity;
        if (index < count) {
          mine[k] = Space::SyntheticElement(
              memory_ + static_cast<std::uint32_t>(offsetof(StackMemory, elements) +
                                                   place * sizeof(Element)));
        }
      }
    }

    typename Space::Address memory_;
  };
};

/// The contents of a queue's slot beside its turn.
struct QueuedElement {
  std::uint32_t id, seven, nine;
};

/// One queue for all blocks. @shape Storage: has `queue`, and Reset of one thread
template <class QueueStorage>
struct QueueWay {
  using Storage = QueueStorage;
  struct Place {
    Storage* storage;
  };

  class Owner {
   public:
    __device__ Owner(Place place, StackMemory*) : storage_(*place.storage) {}

    __device__ bool Give(std::uint32_t count, const Hand& mine) {
      queue::Claim claim{};
      if (Lane() == 0) claim = storage_.queue.ReservePush(count, view_);
      claim.first = __shfl_sync(kAllLanes, claim.first, 0);
      if (__shfl_sync(kAllLanes, claim.count, 0) == 0) return false;
      Scope::OrderBeforePut();
      for (std::uint32_t k = 0; k < kPerLane; ++k) {
        const std::uint32_t index = Lane() + 32 * k;
        if (index >= count) continue;
        const QueuedElement item{mine[k].id, mine[k].seven, mine[k].nine};
        stuck_ |= storage_.queue.Put(claim.first + index, item) != queue::PushResult::kOk;
      }
      return __any_sync(kAllLanes, stuck_) == 0;
    }

   private:
    Storage& storage_;
    queue::ProducerView view_;
    bool stuck_ = false;  // for ever: the limit of the caller ends it
  };

  class Taker {
   public:
    __device__ Taker(Place place, StackMemory*, std::uint32_t) : storage_(*place.storage) {}

    __device__ Taken Take(std::uint32_t wanted, Hand& mine) {
      Taken taken;
      const std::uint32_t begin = Clock();
      std::uint32_t size = 0;
      if (Lane() == 0) size = storage_.queue.ApproximateSize();
      if (__shfl_sync(kAllLanes, size, 0) < wanted) return taken;
      const std::uint32_t looked = Clock();
      queue::Claim claim{};
      if (Lane() == 0) claim = storage_.queue.ReservePop(wanted);
      claim.first = __shfl_sync(kAllLanes, claim.first, 0);
      claim.count = __shfl_sync(kAllLanes, claim.count, 0);
      if (claim.count == 0) return taken;
      const std::uint32_t claimed = Clock();
      for (std::uint32_t k = 0; k < kPerLane; ++k) {
        const std::uint32_t index = Lane() + 32 * k;
        QueuedElement item{};
        if (index < claim.count) storage_.queue.Get(claim.first + index, item);
        mine[k] = {item.id, item.seven, item.nine, 11};
      }
      Scope::OrderAfterGet();
      taken.count = claim.count;
      taken.whole = AreWhole(claim.count, mine);
      if (!taken.whole) return taken;
      const std::uint32_t read = Clock();
      __syncwarp();
      if (Lane() == 0) storage_.queue.FinishPop(claim);
      __syncwarp();
      taken.NoteTimes({begin, looked, claimed, read, Clock()});
      return taken;
    }

   private:
    Storage& storage_;
  };
};

inline constexpr std::uint32_t kQueueElements = 1u << 19;  // when full, owners try again
inline constexpr std::uint32_t kMostGivers = 1024;

struct RingStorage {
  static constexpr std::uint32_t kSlack = kMostGivers * kMostElements;
  queue::SequenceRing<Scope, QueuedElement, kQueueElements, kSlack> queue;

  __device__ void Reset() { queue.Reset(); }
};

/// Pages like those of the scheduler's buckets.
struct PagedStorage {
  static constexpr std::uint32_t kPageSlots = 128;
  using Pool = queue::PagePool<Scope, kPageSlots, kQueueElements / kPageSlots + 64>;

  __device__ void Reset() {
    pool.Reset();
    queue.Reset(pool);
  }

  Pool pool;
  queue::PagedQueue<Scope, QueuedElement, Pool, kQueueElements> queue;
};

}  // namespace warpyard::bench

#endif  // WARPYARD_RESEARCH_BLOCK_CLUSTERS_WAYS_CUH_
