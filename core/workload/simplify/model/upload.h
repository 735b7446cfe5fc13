// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Copies of a model's input to a device. A large copy is mostly a copy by the host, to pinned
// memory, and one thread makes that slower than the bus is.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_UPLOAD_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_UPLOAD_H_

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>

#include "absl/status/status.h"
#include "core/base/macros.h"
#include "core/device/backend.h"
#include "core/workload/simplify/model/host_parts.h"

namespace warpyard::simplify {

/// @errors UNAVAILABLE: the device is lost
absl::Status UploadAll(device::Backend& backend, std::span<const device::HostCopy> copies);

/// Makes values for a device. Each block of them is copied while it is in the caches of the host,
/// so that no array of all is filled and read again.
/// @shape to: [count], on the device; fill: gets the first index, the end, and room for the values
/// @errors UNAVAILABLE: the device is lost
template <class T, class Fill>
absl::Status UploadMade(device::Backend& backend, std::size_t count, T* to, Fill&& fill) {
  constexpr std::size_t kBlockBytes = std::size_t{512} << 10;
  constexpr std::size_t kBlock = kBlockBytes / sizeof(T);
  return ForEachPart(count, count * sizeof(T), [&](const IndexPart& part) -> absl::Status {
    const std::size_t room = std::min(kBlock, part.end - part.begin);
    const auto block = std::make_unique_for_overwrite<T[]>(room);
    for (std::size_t begin = part.begin; begin < part.end; begin += kBlock) {
      const std::size_t end = std::min(begin + kBlock, part.end);
      fill(begin, end, block.get());
      WY_RETURN_IF_ERROR(backend.CopyIn(to + begin, block.get(), (end - begin) * sizeof(T)));
    }
    return absl::OkStatus();
  });
}

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_UPLOAD_H_
