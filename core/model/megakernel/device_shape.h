// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The shape of a program's megakernel: warps of a block, stacks, memory.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_DEVICE_SHAPE_H_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_DEVICE_SHAPE_H_

#include <cstdint>

namespace warpyard::model {

/// Warps of a block, and blocks that a multiprocessor is to hold, which bounds the registers of a
/// thread. Alone, the hungriest procedure would take nearly all registers for a few warps. Measured
/// on collision jobs, 16 warps that spill a little are faster than fewer warps without spills, and
/// than more warps (docs/scheduler.md). A program of light procedures sets other numbers by
/// kBlockWarps and kMegakernelBlocks.
template <class Program>
constexpr std::uint32_t BlockWarps() {
  if constexpr (requires { Program::kBlockWarps; }) {
    return Program::kBlockWarps;
  } else {
    return 8;
  }
}
template <class Program>
constexpr unsigned MegakernelBlocks() {
  if constexpr (requires { Program::kMegakernelBlocks; }) {
    return Program::kMegakernelBlocks;
  } else {
    return 2;
  }
}

/// Elements of a warp's stack. The blocks' memory is taken from the first-level cache, which
/// procedures with many registers need; a program of light procedures sets more by kStackElements.
template <class Program>
constexpr std::uint32_t StackElements() {
  if constexpr (requires { Program::kStackElements; }) {
    return Program::kStackElements;
  } else {
    return 192;
  }
}

template <class Program>
struct DeviceShape {
  static constexpr std::uint32_t kLanes = 32;
  static constexpr std::uint32_t kBlockWorkers = BlockWarps<Program>();
  static constexpr std::uint32_t kWorkers = 4096;
  static constexpr std::uint32_t kStackElements = StackElements<Program>();
  static constexpr std::uint32_t kReserveElements = 1024;
  static constexpr std::uint32_t kPages = 4096;
  static constexpr std::uint32_t kNewestCycles = 0;
};

/// Warps of the controller block that take orders. Each has a ring of its own, since an order takes
/// longer to arrive and to obey than a short job runs.
template <class Program>
inline constexpr std::uint32_t kOrderTakers = BlockWarps<Program>() / 2;

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_DEVICE_SHAPE_H_
