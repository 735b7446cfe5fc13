// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The compressed buffer views of EXT_meshopt_compression, by the meshoptimizer library.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DATA_MESHOPT_CODEC_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DATA_MESHOPT_CODEC_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpyard::mesh_io {

inline constexpr char kMeshoptExtension[] = "EXT_meshopt_compression";

/// What the extension says of a buffer view.
struct MeshoptLayout {
  std::size_t count = 0;
  std::size_t stride = 0;
  /// "ATTRIBUTES", "TRIANGLES" or "INDICES"
  std::string mode;
  /// "NONE", "OCTAHEDRAL", "QUATERNION" or "EXPONENTIAL"
  std::string filter;
};

/// The count * stride bytes of a compressed buffer view. A result is at most 64 times as long as
/// the data: the shortest that the codec makes.
/// @errors INVALID_ARGUMENT
absl::StatusOr<std::string> DecodeMeshopt(const MeshoptLayout& layout, absl::string_view data);

/// Compresses count * stride bytes in mode ATTRIBUTES or TRIANGLES, without a filter. The triangles
/// of the latter keep their order, but may begin at another corner.
std::string EncodeMeshopt(const MeshoptLayout& layout, absl::string_view bytes);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DATA_MESHOPT_CODEC_H_
