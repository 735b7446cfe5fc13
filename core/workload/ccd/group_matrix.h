// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Which groups may collide, as a matrix of bits.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_GROUP_MATRIX_H_
#define WARPYARD_CORE_WORKLOAD_CCD_GROUP_MATRIX_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "core/workload/ccd/collision_types.h"

namespace warpyard::ccd {

/// Largest number of groups in a matrix: the bits of a row.
inline constexpr std::size_t kMostMatrixGroups = 64;

/// Checks that a scene may have these groups with this matrix. A matrix is only for
/// GroupRule::kMatrix and has a row for each group. Bit b of row a and bit a of row b must be
/// equal; both say whether groups a and b may collide. @shape vertex_groups: of all vertices, or
/// empty @errors INVALID_ARGUMENT
absl::Status CheckGroupMatrix(GroupRule rule, std::span<const std::uint32_t> vertex_groups,
                              std::span<const std::uint64_t> matrix);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_GROUP_MATRIX_H_
