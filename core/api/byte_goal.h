// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Simplifies to a number of bytes: guesses a number of triangles, and asks for fewer while the
// result is too large. How many vertices some triangles have is known only afterwards.
#ifndef WARPYARD_CORE_API_BYTE_GOAL_H_
#define WARPYARD_CORE_API_BYTE_GOAL_H_

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "core/workload/simplify/simplify_types.h"

namespace warpyard::simplify {

/// What counts as the bytes of a mesh: three floats a vertex and three indices a triangle, and four
/// bytes for each channel and group of a vertex.
inline constexpr std::uint64_t kBytesPerVertex = 12, kBytesPerTriangle = 12;
/// The bytes of one triangle.
inline constexpr std::uint64_t kLeastBytes = 3 * kBytesPerVertex + kBytesPerTriangle;

std::uint64_t MeshBytes(const SimplifiedMesh& mesh);

/// The triangles of a closed mesh without handles of so many bytes; at least 1.
std::uint64_t TrianglesOfBytes(std::uint64_t bytes);

/// How many triangles to ask for after a mesh that is too large; 0 if there can be no fewer.
/// @shape asked: at least 1
std::uint64_t FewerTriangles(std::uint64_t asked, const SimplifiedMesh& mesh,
                             std::uint64_t max_bytes);

/// Calls `simplify` with fewer and fewer triangles until the mesh has at most `max_bytes`. If none
/// has, the smallest one is returned, and its statistics say why it is too large. Its phases are
/// those of all calls.
/// @errors INVALID_ARGUMENT (less than kLeastBytes), and those of `simplify`
absl::StatusOr<SimplifiedMesh> SimplifyToBytes(
    std::uint64_t max_bytes,
    const std::function<absl::StatusOr<SimplifiedMesh>(std::uint64_t triangles)>& simplify);

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_API_BYTE_GOAL_H_
