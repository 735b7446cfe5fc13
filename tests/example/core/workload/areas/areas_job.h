// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The job type of area counts: the number of triangles of a mesh in each class of area, and their
// total area.
#ifndef WARPYARD_TESTS_EXAMPLE_CORE_WORKLOAD_AREAS_AREAS_JOB_H_
#define WARPYARD_TESTS_EXAMPLE_CORE_WORKLOAD_AREAS_AREAS_JOB_H_

#include <cstdint>
#include <type_traits>

#include "core/base/macros.h"
#include "core/workload/geometry/vector3.h"

namespace warpyard::areas {

/// Largest number of limits between classes; there is one class more than limits.
inline constexpr std::uint32_t kMaxLimits = 31;
inline constexpr std::uint32_t kMaxClasses = kMaxLimits + 1;

/// Number of triangles whose areas one thread adds up. It is fixed, so that every backend rounds
/// alike.
inline constexpr std::uint32_t kSpan = 256;

/// @shape pointers: device memory that outlives the event
struct AreasJob {
  const geometry::Vector3d* positions;  ///< [vertices]
  const std::uint32_t* corners;         ///< [triangles][3]
  std::uint32_t triangles;
  std::uint32_t limit_count;
  double limits[kMaxLimits];  ///< ascending; an area is in the class of the limits that it reaches
  double* areas;              ///< [triangles], from the first stage to the second
  std::uint32_t* counts;      ///< [limit_count + 1], zero when the event begins
  double* sums;               ///< [Spans()], of the areas of each span

  WY_HD std::uint32_t Spans() const { return (triangles + kSpan - 1) / kSpan; }
};
static_assert(std::is_trivially_copyable_v<AreasJob>);

}  // namespace warpyard::areas

#endif  // WARPYARD_TESTS_EXAMPLE_CORE_WORKLOAD_AREAS_AREAS_JOB_H_
