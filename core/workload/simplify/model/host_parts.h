// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Work of the host on large arrays, on several threads.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_HOST_PARTS_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_HOST_PARTS_H_

#include <tbb/parallel_for.h>

#include <cstddef>

#include "absl/status/status.h"
#include "core/base/macros.h"

namespace warpyard::simplify {

/// Parts of an array that have a thread each: four reach the bandwidth of memory or of the bus. A
/// device has eight channels for copies, and jobs beside a build need some of them.
inline constexpr std::size_t kHostParts = 4;
/// Below so many bytes one thread is as fast.
inline constexpr std::size_t kLeastHostBytes = std::size_t{2} << 20;

/// Indices [begin, end).
struct IndexPart {
  std::size_t number;  ///< less than kHostParts
  std::size_t begin, end;
};

/// Calls `visit`, which returns a status, for parts of [0, count): for one if they have few bytes,
/// else for kHostParts at the same time. Returns the first part's error.
template <class Visit>
absl::Status ForEachPart(std::size_t count, std::size_t bytes, Visit&& visit) {
  if (bytes < kLeastHostBytes) return visit(IndexPart{0, 0, count});
  absl::Status statuses[kHostParts];
  tbb::parallel_for(std::size_t{0}, kHostParts, [&](std::size_t i) {
    statuses[i] = visit(IndexPart{i, count * i / kHostParts, count * (i + 1) / kHostParts});
  });
  for (const absl::Status& status : statuses) WY_RETURN_IF_ERROR(status);
  return absl::OkStatus();
}

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_HOST_PARTS_H_
