// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// STL (stereolithography), ASCII and binary. The triangles of a file share no vertices, so corners
// at one position become one vertex here; otherwise a mesh would have up to six times as many. The
// normals of facets follow from the corners and are skipped.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_STL_READER_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_STL_READER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/model.h"

namespace warpyard::mesh_io {

/// Parses an STL file's contents; each solid of an ASCII file is a mesh. Triangles keep their
/// order, also those with a repeated corner; vertices come in the order of their first corners, and
/// -0 becomes 0.
///
/// A file is binary if its length is that of the number of triangles in it, because some binary
/// files begin with "solid" like ASCII ones.
/// @errors INVALID_ARGUMENT with the line (ASCII) or the triangle (binary)
absl::StatusOr<Model> ParseStl(absl::string_view contents);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_STL_READER_H_
