// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// PLY (Stanford polygon format): element "vertex" with x y z, and optionally element "face" with a
// list "vertex_indices" or "vertex_index"; every other element and property is skipped.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_PLY_READER_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_PLY_READER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/mesh_io.h"

namespace warpyard::mesh_io {

/// Whether a file's first line is that of a PLY file.
bool LooksLikePly(absl::string_view contents);

/// Parses a PLY file's contents; leaves Mesh::positions_are_float false.
/// @errors INVALID_ARGUMENT with the line (header, ASCII) and the element's number
absl::StatusOr<Mesh> ParsePly(absl::string_view contents);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_PLY_READER_H_
