// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// One warp of a block hands work to all other warps, by the block's hardware barriers.
//
// The giving warp hands out pieces of work, numbered from 0, at most two ahead. The other warps
// wait for each piece at a named barrier; the giving warp only arrives there and does not wait.
// Each working warp reports at an mbarrier when it is done with the piece, and the giving warp can
// test that without waiting. A piece takes about two hundred cycles this way. With words in shared
// memory, acquire and release, it takes about a thousand.
#ifndef WARPYARD_CORE_EXEC_BLOCK_HANDOFF_CUH_
#define WARPYARD_CORE_EXEC_BLOCK_HANDOFF_CUH_

#include <cstdint>

#include "core/exec/device_group.cuh"

namespace warpyard::exec {

/// @shape kWorkers: working threads, without the giving warp
template <std::uint32_t kWorkers>
class BlockHandoff {
 public:
  /// @shape in shared memory
  struct Memory {
    std::uint64_t finished[2];
  };

  __device__ explicit BlockHandoff(Memory& memory) : memory_(memory) {}

  /// @scope one thread, before a barrier of the whole block
  __device__ void Initialise() {
    for (std::uint64_t& word : memory_.finished) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(Address(word)),
                   "r"(kWorkers / 32)
                   : "memory");
    }
  }

  /// Gives a piece. The workers see all stores that the warp made before. @scope the giving warp
  __device__ void Give(std::uint32_t number) {
    __syncwarp();
    if (number % 2 == 0) {
      Arrive<NamedBarrier::kHandoff>();
    } else {
      Arrive<NamedBarrier::kHandoff + 1>();
    }
  }

  /// Waits for a piece. @scope all working threads
  __device__ void Await(std::uint32_t number) {
    if (number % 2 == 0) {
      __barrier_sync_count(NamedBarrier::kHandoff, kWorkers + 32);
    } else {
      __barrier_sync_count(NamedBarrier::kHandoff + 1, kWorkers + 32);
    }
  }

  /// Reports that this warp is done with a piece. @scope all working threads
  __device__ void Finish(std::uint32_t number) {
    __syncwarp();
    if (threadIdx.x % 32 != 0) return;
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(
                     Address(memory_.finished[number % 2]))
                 : "memory");
  }

  /// Whether all warps are done with a piece; then their stores are visible. Waits up to about
  /// `ns`. The wait costs the workers nothing, because the hardware wakes the warp. Call it for
  /// each piece, in order, until it returns true. @scope the giving warp
  __device__ bool IsFinished(std::uint32_t number, std::uint32_t ns) {
    std::uint32_t finished;
    asm volatile(
        "{.reg .pred done; mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 done, [%1], %2, %3;"
        "selp.u32 %0, 1, 0, done;}"
        : "=r"(finished)
        : "r"(Address(memory_.finished[number % 2])), "r"(number / 2 % 2), "r"(ns)
        : "memory");
    return __all_sync(0xffffffffu, finished) != 0;
  }

 private:
  template <std::uint32_t kBarrier>
  __device__ static void Arrive() {
    asm volatile("barrier.cta.arrive %0, %1;" ::"n"(kBarrier), "n"(kWorkers + 32) : "memory");
  }

  __device__ static std::uint32_t Address(std::uint64_t& word) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(&word));
  }

  Memory& memory_;
};

}  // namespace warpyard::exec

#endif  // WARPYARD_CORE_EXEC_BLOCK_HANDOFF_CUH_
