// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The triangles of a glTF primitive, and the vertices that they use.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_TRIANGULATE_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_TRIANGULATE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client_examples/mesh_io/gltf/data/accessors.h"

namespace warpyard::mesh_io {

/// glTF's modes of primitives that consist of triangles.
enum class TriangleMode : std::uint8_t { kList = 4, kStrip = 5, kFan = 6 };

/// The indices of an accessor, all below `vertices`.
/// @errors INVALID_ARGUMENT
absl::StatusOr<std::vector<std::uint32_t>> ReadIndices(const AccessorView& view,
                                                       std::size_t vertices);

/// Makes triangles of a list, strip or fan of corners. Triangles of strips and fans that name a
/// corner twice only link parts of it, and are left out.
/// @errors INVALID_ARGUMENT: the number of corners does not fit
absl::StatusOr<std::vector<std::uint32_t>> Triangulate(TriangleMode mode,
                                                       std::vector<std::uint32_t> corners);

/// The vertices that corners use, ascending; the corners become indices into them. Time and memory
/// are in proportion to the corners, however many vertices there are.
std::vector<std::uint32_t> TakeUsedVertices(std::size_t vertices,
                                            std::vector<std::uint32_t>& corners);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_TRIANGULATE_H_
