// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Wavefront OBJ: vertices and faces, everything else skipped.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_OBJ_READER_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_OBJ_READER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/mesh_io.h"

namespace warpyard::mesh_io {

/// Parses an OBJ file's contents; leaves Mesh::positions_are_float false.
/// @errors INVALID_ARGUMENT with the line number
absl::StatusOr<Mesh> ParseObj(absl::string_view contents);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_OBJ_READER_H_
