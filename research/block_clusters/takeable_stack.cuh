// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A block's stack from which other blocks may take elements, and a private stack.
//
// The owner pushes and pops the newest elements; takers claim the oldest ones, as with
// strategy::LocalStack. One word describes the contents. Its upper half is the place after the
// newest element, its lower half is the place of the oldest one, both modulo 2^16. Only the owner
// changes the upper half, by additions whose carry is lost. Takers change the lower half by a
// compare-exchange. A pop that finds too little has overdrawn until it gives back; takers see an
// empty stack during that time. A claimed place may be written again only after it was read. Takers
// count the elements that they have read. The owner checks the count when room seems short. Claims
// may end in any order, so the count proves that places are free only when it equals the number of
// all claimed elements.
#ifndef WARPYARD_RESEARCH_BLOCK_CLUSTERS_TAKEABLE_STACK_CUH_
#define WARPYARD_RESEARCH_BLOCK_CLUSTERS_TAKEABLE_STACK_CUH_

#include <cstddef>
#include <cstdint>

#include "research/block_clusters/spaces.cuh"

namespace warpyard::bench {

inline constexpr std::uint32_t kAllLanes = 0xffffffffu;
inline constexpr std::uint32_t kPerLane = 2;  // elements that a lane pushes or takes at most
inline constexpr std::uint32_t kMostElements = 32 * kPerLane;

__device__ inline std::uint32_t Lane() { return threadIdx.x % 32; }

/// @shape lane l of a warp has the elements l and l + 32
using Hand = Element[kPerLane];

struct StackMemory {
  static constexpr std::uint32_t kCapacity = 1024;

  std::uint32_t state;
  std::uint32_t drained;  // elements that takers have read
  Element elements[kCapacity];

  __device__ static std::uint32_t End(std::uint32_t word) { return word >> 16; }
  __device__ static std::uint32_t Taken(std::uint32_t word) { return word & 0xffffu; }
  /// Number of elements; 0 while overdrawn.
  __device__ static std::uint32_t Size(std::uint32_t word) {
    const std::uint32_t size = (End(word) - Taken(word)) & 0xffffu;
    return size <= kCapacity ? size : 0;
  }
};

/// A warp's share of `count` elements from `first` on, and copies in or out of its own memory.
struct OwnElements {
  Element* elements;
  std::uint32_t first;
  std::uint32_t count;

  __device__ void Store(const Hand& mine) const {
    for (std::uint32_t k = 0; k < kPerLane; ++k) {
      const std::uint32_t index = Lane() + 32 * k;
      if (index < count) elements[(first + index) % StackMemory::kCapacity] = mine[k];
    }
  }
  __device__ void Load(Hand& mine) const {
    for (std::uint32_t k = 0; k < kPerLane; ++k) {
      const std::uint32_t index = Lane() + 32 * k;
      if (index < count) mine[k] = elements[(first + index) % StackMemory::kCapacity];
    }
  }
};

/// kRelaxed: a lower bound for the cost of the order; takers may see places before they are
/// written.
enum class Publish { kRelease, kRelaxed };

/// The owner's side. @scope all members: one warp
template <class Space, Publish kPublish = Publish::kRelease>
class StackOwner {
 public:
  __device__ explicit StackOwner(StackMemory& memory) : memory_(memory) {}

  /// Returns false if there is no room.
  __device__ bool Push(std::uint32_t count, const Hand& mine) {
    const std::uint32_t end = StackMemory::End(Space::LoadOwnRelaxed(memory_.state));
    if (!HasRoom(end, count) && !Look(end, count)) return false;
    OwnElements{memory_.elements, end, count}.Store(mine);
    __syncwarp();
    if (Lane() == 0) {
      if constexpr (kPublish == Publish::kRelease) {
        Space::AddOwnRelease(memory_.state, count << 16);
      } else {
        Space::AddOwnRelaxed(memory_.state, count << 16);
      }
    }
    __syncwarp();
    return true;
  }

  /// Returns how many elements it took, at most `wanted`.
  __device__ std::uint32_t PopNewest(std::uint32_t wanted, Hand& mine) {
    std::uint32_t before = 0;
    if (Lane() == 0) before = Space::AddOwnRelaxed(memory_.state, 0u - (wanted << 16));
    before = __shfl_sync(kAllLanes, before, 0);
    const std::uint32_t size = StackMemory::Size(before);
    const std::uint32_t count = wanted < size ? wanted : size;
    if (count < wanted && Lane() == 0) {
      Space::AddOwnRelaxed(memory_.state, (wanted - count) << 16);
    }
    OwnElements{memory_.elements, StackMemory::End(before) - count, count}.Load(mine);
    __syncwarp();  // all lanes have read the places that the next push writes
    return count;
  }

 private:
  __device__ bool HasRoom(std::uint32_t end, std::uint32_t count) const {
    return ((end - quiet_) & 0xffffu) + count <= StackMemory::kCapacity;
  }

  /// Renews quiet_. The order of the loads matters: elements drained at the first load cover all
  /// claims seen at the later one.
  __device__ bool Look(std::uint32_t end, std::uint32_t count) {
    std::uint32_t quiet = quiet_;
    if (Lane() == 0) {
      const std::uint32_t drained = Space::LoadOwnAcquire(memory_.drained) & 0xffffu;
      const std::uint32_t taken = StackMemory::Taken(Space::LoadOwnRelaxed(memory_.state));
      if (drained == taken) quiet = taken;
    }
    quiet_ = __shfl_sync(kAllLanes, quiet, 0);
    return HasRoom(end, count);
  }

  StackMemory& memory_;
  std::uint32_t quiet_ = 0;  // all elements before this place were read
};

/// No other block takes from it: plain accesses. @scope all members: one warp
class PlainStack {
 public:
  __device__ explicit PlainStack(StackMemory& memory) : memory_(memory) {}

  __device__ bool Push(std::uint32_t count, const Hand& mine) {
    const std::uint32_t size = memory_.state;
    if (size + count > StackMemory::kCapacity) return false;
    OwnElements{memory_.elements, size, count}.Store(mine);
    __syncwarp();  // all lanes have read the size
    if (Lane() == 0) memory_.state = size + count;
    __syncwarp();
    return true;
  }

  __device__ std::uint32_t PopNewest(std::uint32_t wanted, Hand& mine) {
    const std::uint32_t size = memory_.state;
    const std::uint32_t count = wanted < size ? wanted : size;
    OwnElements{memory_.elements, size - count, count}.Load(mine);
    __syncwarp();
    if (Lane() == 0) memory_.state = size - count;
    __syncwarp();
    return count;
  }

 private:
  StackMemory& memory_;
};

}  // namespace warpyard::bench

#endif  // WARPYARD_RESEARCH_BLOCK_CLUSTERS_TAKEABLE_STACK_CUH_
