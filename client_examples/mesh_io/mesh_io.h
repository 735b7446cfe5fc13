// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Reads bare triangle meshes from PLY and OBJ files, and writes PLY. For attributes, materials, STL
// and glTF there are models (client_examples/mesh_io/model_io.h).
//
// Files are untrusted: reading any file ends with a mesh or with an error that names the file and
// the place, and takes memory in proportion to the file's size.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_MESH_IO_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_MESH_IO_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace warpyard::mesh_io {

/// An indexed triangle mesh.
struct Mesh {
  /// @shape x y z a vertex; all finite
  std::vector<double> positions;
  /// True when every coordinate is exactly a float, so that sending floats loses nothing.
  bool positions_are_float = false;
  /// @shape 3 vertex indices a triangle, all below the number of vertices; may be empty
  std::vector<std::uint32_t> triangles;
};

/// Reads a mesh; polygons become fans of triangles. The vertices keep
/// their numbers; normals, colours and other elements of a file are skipped.
///
/// PLY: ASCII and binary of both byte orders, any scalar types, faces and strips of triangles. OBJ:
/// `v` and `f` in all forms.
/// The format follows from the contents (PLY begins with "ply") and else from the name.
/// @errors NOT_FOUND, PERMISSION_DENIED, or INVALID_ARGUMENT (not a mesh, or malformed; the message
///     has the line or the element), each with the path
absl::StatusOr<Mesh> ReadMesh(const std::string& path);

/// Checks that two frames belong to one mesh: equal numbers of vertices and equal triangles.
/// @shape `paths`: of START and END, for the message
/// @errors INVALID_ARGUMENT
absl::Status CheckFrames(const std::vector<std::string>& paths, const Mesh& start, const Mesh& end);

/// Writes binary little-endian PLY, with float coordinates if positions_are_float, else with
/// doubles.
/// @errors INVALID_ARGUMENT (sizes that are not multiples of 3, an index out of range, a number
/// that
///     is not finite), UNAVAILABLE (the file cannot be written)
absl::Status WritePly(const std::string& path, const Mesh& mesh);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_MESH_IO_H_
