// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// ExecScope of a CUDA thread within its block.
#ifndef WARPYARD_CORE_EXEC_DEVICE_SCOPE_CUH_
#define WARPYARD_CORE_EXEC_DEVICE_SCOPE_CUH_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/exec/atomic_ref.h"
#include "core/exec/scope.h"

namespace warpyard::exec {

class DeviceScope {
 public:
  /// @shape `shared`: dynamic shared memory of the block; `mailbox`: 16 further bytes of it, for
  ///     Broadcast
  __device__ DeviceScope(std::byte* shared, std::uint64_t* mailbox)
      : shared_(shared), mailbox_(mailbox) {}

  template <class T>
  WY_HD static AtomicRef<T, cuda::thread_scope_device> Word(T& word) {
    return AtomicRef<T, cuda::thread_scope_device>(word);
  }
  template <class T>
  WY_HD static AtomicRef<T, cuda::thread_scope_block> BlockWord(T& word) {
    return AtomicRef<T, cuda::thread_scope_block>(word);
  }

  template <class Ready>
  __device__ static bool Wait(const char* reason, Ready ready) {
    static_cast<void>(reason);
    if (ready()) return true;
    const std::uint64_t limit = NowNs() + WaitLimitNs();
    for (std::uint32_t round = 0; !ready(); ++round) {
      if (NowNs() > limit) return false;
      Pause(round);
    }
    return true;
  }

  /// 32 ns doubling to 1 us (research: peers guess between 1 and 500 ns; longer costs latency).
  __device__ static void Pause(std::uint32_t round) { __nanosleep(32u << (round < 5 ? round : 5)); }

  __device__ static std::uint64_t NowNs() {
    std::uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
  }
  WY_HD static std::uint64_t WaitLimitNs() { return 2'000'000'000; }

  __device__ std::uint32_t Rank() const { return threadIdx.x; }
  __device__ std::uint32_t Size() const { return blockDim.x; }
  __device__ void Barrier() const { __syncthreads(); }
  __device__ bool Any(bool value) const { return __syncthreads_or(value) != 0; }
  template <class T>
  __device__ T Broadcast(T value) const {
    static_assert(sizeof(T) <= 16);
    if (threadIdx.x == 0) memcpy(mailbox_, &value, sizeof(T));
    __syncthreads();
    T result;
    memcpy(&result, mailbox_, sizeof(T));
    __syncthreads();  // the mailbox may be written again
    return result;
  }
  __device__ std::byte* Shared() const { return shared_; }

 private:
  std::byte* shared_;
  std::uint64_t* mailbox_;
};

static_assert(ExecScope<DeviceScope>);

}  // namespace warpyard::exec

#endif  // WARPYARD_CORE_EXEC_DEVICE_SCOPE_CUH_
