// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// PLY (Stanford polygon format): element "vertex" with x y z and perhaps nx ny nz, u v or s t, red
// green blue alpha; elements "face" and "tristrips" (old scans) with a list "vertex_indices" or
// "vertex_index". Every other element and property is skipped.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_PLY_READER_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_PLY_READER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/model.h"

namespace warpyard::mesh_io {

/// Whether a file's first line is that of a PLY file.
bool LooksLikePly(absl::string_view contents);

/// Parses a PLY file's contents. Polygons become fans of triangles; integer colours are scaled to
/// [0, 1].
/// @errors INVALID_ARGUMENT with the line (header, ASCII) and the element's number
absl::StatusOr<Primitive> ParsePly(absl::string_view contents);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_PLY_READER_H_
