// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The memory of a stack from which a neighbour may take, and how both sides access its words.
//
// The owner uses instructions for its own shared memory, even where the word's scope is the
// cluster. Takers use an address that names the owner's block. The names of the members contain the
// orders.
#ifndef WARPYARD_RESEARCH_BLOCK_CLUSTERS_SPACES_CUH_
#define WARPYARD_RESEARCH_BLOCK_CLUSTERS_SPACES_CUH_

#include <cstdint>

namespace warpyard::bench {

/// What is pushed and taken: one access of a lane.
struct alignas(16) Element {
  std::uint32_t id, seven, nine, eleven;
};
static_assert(sizeof(Element) == 16);

/// A barrier of all blocks of the cluster; without a cluster, of the block alone. @scope all
/// threads
__device__ inline void SyncCluster() {
  asm volatile("barrier.cluster.arrive.release; barrier.cluster.wait.acquire;" ::: "memory");
}

/// Shared memory of the blocks of a cluster.
struct ClusterSpace {
  using Address = std::uint32_t;

  template <class T>
  __device__ static T& Own(T*, T* in_shared) {
    return *in_shared;
  }
  /// The object in another block of the cluster at the same place as `in_shared` in this block.
  template <class T>
  __device__ static Address OfBlock(T*, T* in_shared, std::uint32_t block) {
    std::uint32_t size = 1;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    Address address = 0;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(address)
                 : "r"(Shared(in_shared)), "r"(block % size));
    return address;
  }

  __device__ static std::uint32_t LoadRelaxed(Address word) {
    std::uint32_t found = 0;
    asm volatile("ld.relaxed.cluster.shared::cluster.u32 %0, [%1];"
                 : "=r"(found)
                 : "r"(word)
                 : "memory");
    return found;
  }
  /// Returns the found value: `expected` if it was replaced.
  __device__ static std::uint32_t CompareExchangeAcquire(Address word, std::uint32_t expected,
                                                         std::uint32_t desired) {
    std::uint32_t found = 0;
    asm volatile("atom.acquire.cluster.shared::cluster.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(found)
                 : "r"(word), "r"(expected), "r"(desired)
                 : "memory");
    return found;
  }
  __device__ static void AddRelease(Address word, std::uint32_t value) {
    asm volatile("red.release.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(word), "r"(value)
                 : "memory");
  }
  __device__ static Element SyntheticElement(Address place) {
    Element found;
    asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(found.id), "=r"(found.seven), "=r"(found.nine), "=r"(found.eleven)
                 : "r"(place)
                 : "memory");
    return found;
  }

  __device__ static std::uint32_t LoadOwnRelaxed(const std::uint32_t& word) {
    std::uint32_t found = 0;
    asm volatile("ld.relaxed.cluster.shared::cta.u32 %0, [%1];"
                 : "=r"(found)
                 : "r"(Shared(&word))
                 : "memory");
    return found;
  }
  __device__ static std::uint32_t LoadOwnAcquire(const std::uint32_t& word) {
    std::uint32_t found = 0;
    asm volatile("ld.acquire.cluster.shared::cta.u32 %0, [%1];"
                 : "=r"(found)
                 : "r"(Shared(&word))
                 : "memory");
    return found;
  }
  __device__ static std::uint32_t AddOwnRelaxed(std::uint32_t& word, std::uint32_t value) {
    std::uint32_t found = 0;
    asm volatile("atom.relaxed.cluster.shared::cta.add.u32 %0, [%1], %2;"
                 : "=r"(found)
                 : "r"(Shared(&word)), "r"(value)
                 : "memory");
    return found;
  }
  __device__ static void AddOwnRelease(std::uint32_t& word, std::uint32_t value) {
    asm volatile("red.release.cluster.shared::cta.add.u32 [%0], %1;" ::"r"(Shared(&word)),
                 "r"(value)
                 : "memory");
  }

 private:
  __device__ static Address Shared(const void* own) {
    return static_cast<Address>(__cvta_generic_to_shared(own));
  }
};

/// Global memory: a stack for each block of the grid.
struct GlobalSpace {
  using Address = std::uint64_t;

  template <class T>
  __device__ static T& Own(T* in_global, T*) {
    return in_global[blockIdx.x];
  }
  template <class T>
  __device__ static Address OfBlock(T* in_global, T*, std::uint32_t block) {
    return Global(in_global + block);
  }

  __device__ static std::uint32_t LoadRelaxed(Address word) {
    std::uint32_t found = 0;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(found) : "l"(word) : "memory");
    return found;
  }
  __device__ static std::uint32_t CompareExchangeAcquire(Address word, std::uint32_t expected,
                                                         std::uint32_t desired) {
    std::uint32_t found = 0;
    asm volatile("atom.acquire.gpu.global.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(found)
                 : "l"(word), "r"(expected), "r"(desired)
                 : "memory");
    return found;
  }
  __device__ static void AddRelease(Address word, std::uint32_t value) {
    asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
  }
  __device__ static Element SyntheticElement(Address place) {
    Element found;
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(found.id), "=r"(found.seven), "=r"(found.nine), "=r"(found.eleven)
                 : "l"(place)
                 : "memory");
    return found;
  }

  __device__ static std::uint32_t LoadOwnRelaxed(const std::uint32_t& word) {
    return LoadRelaxed(Global(&word));
  }
  __device__ static std::uint32_t LoadOwnAcquire(const std::uint32_t& word) {
    std::uint32_t found = 0;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                 : "=r"(found)
                 : "l"(Global(&word))
                 : "memory");
    return found;
  }
  __device__ static std::uint32_t AddOwnRelaxed(std::uint32_t& word, std::uint32_t value) {
    std::uint32_t found = 0;
    asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], %2;"
                 : "=r"(found)
                 : "l"(Global(&word)), "r"(value)
                 : "memory");
    return found;
  }
  __device__ static void AddOwnRelease(std::uint32_t& word, std::uint32_t value) {
    AddRelease(Global(&word), value);
  }

 private:
  __device__ static Address Global(const void* own) {
    return static_cast<Address>(__cvta_generic_to_global(own));
  }
};

}  // namespace warpyard::bench

#endif  // WARPYARD_RESEARCH_BLOCK_CLUSTERS_SPACES_CUH_
