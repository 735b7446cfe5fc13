// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_RESIDENT_OPTIONS_H_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_RESIDENT_OPTIONS_H_

#include <chrono>
#include <cstdint>

#include "core/policy/policy.h"

namespace warpyard::model {

/// How a resident kernel behaves.
struct ResidentOptions {
  policy::PolicyOptions policy;
  /// The kernel leaves when it was idle for so long. 0: at once, so that it can run under a
  /// profiler or sanitizer, whose launches may not return before the kernel has ended.
  std::uint64_t linger_ns = 2'000'000;
  static constexpr std::uint64_t kLingerAlways = ~std::uint64_t{0};
  /// Blocks of the kernel, one of them for orders, so at least two; 0: as many as fit. Fewer blocks
  /// leave multiprocessors to other kernels. While there are more multiprocessors than blocks, each
  /// block has one for itself.
  unsigned most_blocks = 0;
  /// A job that still runs after so long does not react to its cancel: the device counts as lost.
  std::uint64_t event_limit_ns = 60'000'000'000;
  /// The host waits so long for the kernel to leave; then the device counts as lost.
  std::chrono::milliseconds stop_limit{10'000};
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_RESIDENT_OPTIONS_H_
