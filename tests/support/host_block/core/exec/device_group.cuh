// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Stands in for the header of the same name, so that the blocks of the megakernel run on the host
// in seeded interleavings: what warps of a block say to each other, teams above all.
//
// Each function of a Schedule is a warp of one lane, the next ones of a block after each other. A
// test puts this folder before the root of the project in the path of includes.
#ifndef WARPYARD_CORE_EXEC_DEVICE_GROUP_CUH_
#define WARPYARD_CORE_EXEC_DEVICE_GROUP_CUH_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/exec/one_thread.h"
#include "core/exec/scope.h"
#include "tests/support/scheduled_scope.h"
#include "tests/support/workers/scheduler_run.h"

#define __device__

namespace warpyard::test_support {

/// The shape of a grid. @shape kWarps: of each block; the first block, the controller, has none
struct HostGrid {
  static constexpr std::uint32_t kWarps = 4;
  static constexpr std::uint32_t kMostBlocks = 4;
  inline static std::uint32_t blocks = 1;  ///< with the controller

  /// Numbers of the warp that runs.
  static std::uint32_t Block() {
    return 1 + static_cast<std::uint32_t>(Schedule::Running()) / kWarps;
  }
  static std::uint32_t Warp() { return static_cast<std::uint32_t>(Schedule::Running()) % kWarps; }
};

/// The built-in variables of CUDA.
struct ThreadIdx {
  struct X {
    operator std::uint32_t() const { return 32 * HostGrid::Warp(); }
  } x;
};
struct BlockIdx {
  struct X {
    operator std::uint32_t() const { return HostGrid::Block(); }
  } x;
};
struct GridDim {
  struct X {
    operator std::uint32_t() const { return HostGrid::blocks; }
  } x;
};

/// A barrier of a block, by its number.
struct HostBarrier {
  std::uint32_t arrived = 0;
  std::uint32_t generation = 0;

  void Sync(std::uint32_t warps) {
    Schedule::Step();
    const std::uint32_t own = generation;
    if (++arrived == warps) {
      arrived = 0;
      ++generation;
    }
    while (generation == own) Schedule::Step();
    Schedule::Step();
  }
};
inline HostBarrier host_barriers[HostGrid::kMostBlocks][8];

/// A bounded wait that runs out, as where a warp has died inside a queue.
struct HostFault {
  inline static std::uint32_t waits = 0;  ///< the last of so many from now on runs out; 0: none
  inline static bool has_come = false;    ///< then later waits may run out, too

  /// Whether this wait is the one.
  static bool Comes() {
    if (waits == 0 || --waits != 0) return false;
    return has_come = true;
  }
};

}  // namespace warpyard::test_support

inline constexpr warpyard::test_support::ThreadIdx threadIdx;
inline constexpr warpyard::test_support::BlockIdx blockIdx;
inline constexpr warpyard::test_support::GridDim gridDim;
inline int __any_sync(std::uint32_t, bool value) { return value ? 1 : 0; }
inline void __syncwarp() {}
inline void __nanosleep(std::uint32_t) { warpyard::test_support::Schedule::Step(); }

namespace warpyard::exec {

class DeviceScope : public test_support::SchedulerScope {
  using HostFault = test_support::HostFault;
  using Schedule = test_support::Schedule;

 public:
  DeviceScope(std::byte* shared, std::uint64_t*) : SchedulerScope(shared) {}
  using SchedulerScope::Near;
  template <class T>
  static T* Near(T* pointer) {
    return pointer;
  }
  /// So fast that all periods of the megakernel pass within a test.
  static std::uint64_t Cycles() { return 64 * NowNs(); }
  static const char* StuckReason() { return "a wait"; }
  template <class Ready>
  static bool Wait(const char* reason, Ready ready) {
    if (HostFault::Comes()) return false;
    if (!HostFault::has_come) return SchedulerScope::Wait(reason, ready);
    for (std::uint32_t probe = 0; probe < kProbesAfterFault; ++probe) {
      if (ready()) return true;
      Schedule::Step();
    }
    return false;
  }

 private:
  static constexpr std::uint32_t kProbesAfterFault = 100;
};

class WarpScope : public DeviceScope {
 public:
  WarpScope() : DeviceScope(nullptr, nullptr) {}
};

struct NamedBarrier {
  static constexpr std::uint32_t kGroups = 4;
  static constexpr std::uint32_t kWholeBlock = kGroups;

  template <std::uint32_t kThreads>
  static void Sync(std::uint32_t number) {
    test_support::host_barriers[test_support::HostGrid::Block()][number].Sync(kThreads / 32);
  }
};

/// A thread of each warp stands for all of its lanes.
template <std::uint32_t kThreads, bool kIsBlock = false>
class DeviceGroup : public DeviceScope {
 public:
  DeviceGroup(std::byte* shared, std::uint64_t* mailbox, std::uint32_t rank, std::uint32_t index)
      : DeviceScope(shared, mailbox), mailbox_(mailbox), rank_(rank / 32), index_(index) {}

  std::uint32_t Rank() const { return kThreads > 32 ? rank_ : 0; }
  static constexpr std::uint32_t Size() { return kThreads > 32 ? kThreads / 32 : 1; }
  void Barrier() const {
    constexpr std::uint32_t kBlock = NamedBarrier::kWholeBlock;
    if constexpr (kThreads > 32) NamedBarrier::Sync<kThreads>(kIsBlock ? kBlock : index_);
  }
  template <class T>
  T Broadcast(const T& value) const {
    if constexpr (kThreads <= 32) return value;
    static_assert(sizeof(T) <= 16);
    if (rank_ == 0) std::memcpy(mailbox_, &value, sizeof(T));
    Barrier();
    T result;
    std::memcpy(&result, mailbox_, sizeof(T));
    Barrier();
    return result;
  }
  bool Any(bool value) const {
    if constexpr (kThreads <= 32) return value;
    if (rank_ == 0) mailbox_[0] = 0;
    Barrier();
    if (value) mailbox_[0] = 1;
    Barrier();
    const bool any = mailbox_[0] != 0;
    Barrier();
    return any;
  }

 private:
  std::uint64_t* mailbox_;
  std::uint32_t rank_;
  std::uint32_t index_;
};

}  // namespace warpyard::exec

#endif  // WARPYARD_CORE_EXEC_DEVICE_GROUP_CUH_
