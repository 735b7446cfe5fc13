// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// GLB, the container of binary glTF: a header, JSON, and perhaps binary data.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DATA_CONTAINER_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DATA_CONTAINER_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpyard::mesh_io {

struct GlbChunks {
  absl::string_view json;
  std::optional<absl::string_view> binary;
};

/// Whether a file begins like a GLB file.
bool LooksLikeGlb(absl::string_view contents);

/// Finds the chunks of a GLB file.
/// @errors INVALID_ARGUMENT with the byte, UNIMPLEMENTED (not version 2)
absl::StatusOr<GlbChunks> SplitGlb(absl::string_view contents);

/// A GLB file of the two chunks; without the second one if `binary` is empty.
/// @errors INVALID_ARGUMENT: more than 4 GiB
absl::StatusOr<std::string> JoinGlb(absl::string_view json, absl::string_view binary);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DATA_CONTAINER_H_
