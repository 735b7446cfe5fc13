// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Host memory for the lists of a result.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_HOST_ROOM_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_HOST_ROOM_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "core/base/macros.h"
#include "core/device/backend.h"
#include "core/memory/host_vector.h"

namespace warpyard::ccd {

/// Host memory for a pair: in the result, and in the copy that a sort makes.
template <class Collision>
constexpr std::size_t kHostBytesOf = 2 * sizeof(Collision);

/// Checks that the memory limit leaves this many bytes to the host. @shape pairs: of the result
/// @errors RESOURCE_EXHAUSTED
absl::Status CheckHostBytes(const device::Backend& backend, std::uint64_t pairs,
                            std::size_t needed);

/// @shape each: bytes of all that the host keeps for one item @errors RESOURCE_EXHAUSTED
template <class T>
absl::Status MakeHostRoom(const device::Backend& backend, std::uint64_t count, std::size_t each,
                          memory::HostVector<T>& items) {
  WY_RETURN_IF_ERROR(CheckHostBytes(backend, count, static_cast<std::size_t>(count) * each));
  items = {};  // first: old and new lists together may not fit in pinned memory
  items = memory::HostVector<T>(static_cast<std::size_t>(count),
                                memory::HostAllocator<T>(backend.HostMemory()));
  return absl::OkStatus();
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_HOST_ROOM_H_
