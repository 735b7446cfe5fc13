// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Parts of a CUDA block as ExecScopes: a warp, and groups of threads that execute together.
//
// A group of 2 to 32 threads lies within a warp and meets there; a larger one has a named barrier
// of its own, so that groups of one block do not wait for each other. [Steinberger §6.4]
#ifndef WARPYARD_CORE_EXEC_DEVICE_GROUP_CUH_
#define WARPYARD_CORE_EXEC_DEVICE_GROUP_CUH_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/exec/device_scope.cuh"

namespace warpyard::exec {

/// The value that one lane of `mask` has. @scope the lanes of `mask`
template <class T>
__device__ T ShuffleFrom(std::uint32_t mask, const T& value, std::uint32_t lane) {
  constexpr std::size_t kWords = (sizeof(T) + 3) / 4;
  std::uint32_t words[kWords] = {};
  memcpy(words, &value, sizeof(T));
  for (std::uint32_t& word : words) word = __shfl_sync(mask, word, static_cast<int>(lane));
  T result;
  memcpy(&result, words, sizeof(T));
  return result;
}

/// A whole warp; a LaneScope.
class WarpScope : public DeviceScope {
 public:
  __device__ WarpScope() : DeviceScope(nullptr, nullptr) {}

  WY_HD std::uint32_t Rank() const {
#ifdef __CUDA_ARCH__
    return threadIdx.x & 31u;
#else
    return 0;
#endif
  }
  WY_HD static constexpr std::uint32_t Size() { return 32; }
  WY_HD void Barrier() const {
#ifdef __CUDA_ARCH__
    __syncwarp();
#endif
  }
  WY_HD bool Any(bool value) const { return Ballot(value) != 0; }
  WY_HD std::uint32_t Ballot([[maybe_unused]] bool value) const {
#ifdef __CUDA_ARCH__
    return __ballot_sync(0xffffffffu, value);
#else
    return 0;
#endif
  }
  WY_HD std::uint32_t Min(std::uint32_t value) const {
#ifdef __CUDA_ARCH__
    return __reduce_min_sync(0xffffffffu, value);
#else
    return value;
#endif
  }
  template <class T>
  WY_HD T BroadcastFrom(const T& value, [[maybe_unused]] std::uint32_t lane) const {
#ifdef __CUDA_ARCH__
    return ShuffleFrom(0xffffffffu, value, lane);
#else
    return value;
#endif
  }
  template <class T>
  WY_HD T Broadcast(const T& value) const {
    return BroadcastFrom(value, 0);
  }
};

static_assert(LaneScope<WarpScope>);

/// Named barriers. Their numbers are constants in the code: a kernel that computes a number
/// reserves all 16 barriers, and a multiprocessor has only enough for four such blocks. A number
/// always counts the same threads: where a group met at the number of a larger one right after that
/// had met there, the device reported an illegal instruction.
/// A barrier counts a warp as soon as any lane of it arrives. So the lanes meet first: otherwise
/// some of them pass the barrier, and the others wait at it for ever.
struct NamedBarrier {
  static constexpr std::uint32_t kFirst = 3;
  static constexpr std::uint32_t kGroups = 4;            ///< of groups that are parts of a block
  static constexpr std::uint32_t kWholeBlock = kGroups;  ///< the number of the whole block

  /// @shape number: less than kGroups, or kWholeBlock
  template <std::uint32_t kThreads>
  __device__ static void Sync(std::uint32_t number) {
    __syncwarp();
    // Three comparisons at most, and none if the number is a constant: each package has a barrier.
    if (number == kWholeBlock) return __barrier_sync_count(kFirst + kWholeBlock, kThreads);
    if (number < 2) {
      if (number == 0) return __barrier_sync_count(kFirst, kThreads);
      return __barrier_sync_count(kFirst + 1, kThreads);
    }
    if (number == 2) return __barrier_sync_count(kFirst + 2, kThreads);
    return __barrier_sync_count(kFirst + 3, kThreads);
  }
};

/// A group of kThreads among the worker threads of a block. @shape kIsBlock: it is all of them
template <std::uint32_t kThreads, bool kIsBlock = false>
class DeviceGroup : public DeviceScope {
 public:
  static constexpr bool kInWarp = kThreads <= 32;
  static_assert(kInWarp || kThreads % 32 == 0, "a named barrier counts whole warps");

  /// @shape rank: of the calling thread in the group; index: of its barrier, if the group is larger
  ///     than a warp; mailbox: 16 bytes of shared memory of the group
  __device__ DeviceGroup(std::byte* shared, std::uint64_t* mailbox, std::uint32_t rank,
                         std::uint32_t index)
      : DeviceScope(shared, mailbox), rank_(rank), index_(index) {}

  WY_HD std::uint32_t Rank() const { return kThreads == 1 ? 0 : rank_; }
  WY_HD static constexpr std::uint32_t Size() { return kThreads; }

  WY_HD void Barrier() const {
#ifdef __CUDA_ARCH__
    if constexpr (kThreads == 1) {
      return;
    } else if constexpr (kInWarp) {
      __syncwarp(Mask());
    } else {
      NamedBarrier::Sync<kThreads>(kIsBlock ? NamedBarrier::kWholeBlock : index_);
    }
#endif
  }

  WY_HD bool Any(bool value) const {
#ifdef __CUDA_ARCH__
    if constexpr (kThreads == 1) {
      return value;
    } else if constexpr (kInWarp) {
      return __any_sync(Mask(), value) != 0;
    } else {
      // Votes meet in the mailbox: a barrier that votes takes its number from a register.
      auto& votes = *reinterpret_cast<std::uint32_t*>(Mailbox());
      if (rank_ == 0) BlockWord(votes).StoreRelaxed(0);
      Barrier();
      if (value) BlockWord(votes).StoreRelaxed(1);
      Barrier();
      const std::uint32_t any = BlockWord(votes).LoadRelaxed();
      Barrier();
      return any != 0;
    }
#else
    return value;
#endif
  }

  template <class T>
  WY_HD T Broadcast(const T& value) const {
#ifdef __CUDA_ARCH__
    if constexpr (kThreads == 1) {
      return value;
    } else if constexpr (kInWarp) {
      return ShuffleFrom(Mask(), value, (threadIdx.x & 31u) - rank_);
    } else {
      static_assert(sizeof(T) <= 16);
      if (rank_ == 0) memcpy(Mailbox(), &value, sizeof(T));
      Barrier();
      T result;
      memcpy(&result, Mailbox(), sizeof(T));
      Barrier();  // the mailbox may be written again
      return result;
    }
#else
    return value;
#endif
  }

  /// A bit for each thread of a group within a warp.
  WY_HD std::uint32_t Ballot(bool value) const requires kInWarp {
#ifdef __CUDA_ARCH__
    const std::uint32_t lanes = __ballot_sync(Mask(), value);
    return kThreads == 32 ? lanes : lanes >> ((threadIdx.x & 31u) - rank_);
#else
    return value ? 1 : 0;
#endif
  }
  WY_HD std::uint32_t Min(std::uint32_t value) const requires kInWarp {
#ifdef __CUDA_ARCH__
    return __reduce_min_sync(Mask(), value);
#else
    return value;
#endif
  }
  template <class T>
  WY_HD T BroadcastFrom(const T& value,
                        [[maybe_unused]] std::uint32_t rank) const requires kInWarp {
#ifdef __CUDA_ARCH__
    return ShuffleFrom(Mask(), value, (threadIdx.x & 31u) - rank_ + rank);
#else
    return value;
#endif
  }

 private:
  /// Lanes of the group.
  WY_HD std::uint32_t Mask() const {
    if constexpr (kThreads == 32) return 0xffffffffu;
#ifdef __CUDA_ARCH__
    return ((1u << (kThreads & 31u)) - 1u) << ((threadIdx.x & 31u) - rank_);
#else
    return 1;
#endif
  }

  std::uint32_t rank_;
  std::uint32_t index_;
};

static_assert(ExecScope<DeviceGroup<1>> && ExecScope<DeviceGroup<8>> &&
              ExecScope<DeviceGroup<128>>);
static_assert(LaneScope<DeviceGroup<32>>);

}  // namespace warpyard::exec

#endif  // WARPYARD_CORE_EXEC_DEVICE_GROUP_CUH_
