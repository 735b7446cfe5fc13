// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// STL (stereolithography), ASCII and binary. Its triangles share no vertices, and none are welded
// here; the normals of facets follow from the corners and are skipped.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_STL_READER_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_STL_READER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/model.h"

namespace warpyard::mesh_io {

/// Parses an STL file's contents; each solid of an ASCII file is a mesh.
///
/// A file is binary if its length is that of the number of triangles in it, because some binary
/// files begin with "solid" like ASCII ones.
/// @errors INVALID_ARGUMENT with the line (ASCII) or the triangle (binary)
absl::StatusOr<Model> ParseStl(absl::string_view contents);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_STL_READER_H_
