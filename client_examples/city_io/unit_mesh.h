// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The meshes of a city: triangles in the unit cube, as files hold them.
#ifndef WARPYARD_CLIENT_EXAMPLES_CITY_IO_UNIT_MESH_H_
#define WARPYARD_CLIENT_EXAMPLES_CITY_IO_UNIT_MESH_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client_examples/city_io/instance.h"

namespace warpyard::city_io {

/// Triangles are counterclockwise where they are seen from outside.
/// @shape normals: one for each position; triangles: 3 vertices each
struct UnitMesh {
  std::vector<Vector> positions;
  std::vector<Vector> normals;
  std::vector<std::uint32_t> triangles;

  std::size_t Triangles() const { return triangles.size() / 3; }
};

/// One of the meshes that every grammar has: box, quad, cyl (16 sides), prism or tri.
/// @shape number: below kBuiltInMeshes
UnitMesh BuiltInMesh(std::size_t number);

/// Whether all of it is at z = 0.
bool IsFlat(const UnitMesh& mesh);

/// Mirrors along x, and turns the triangles around so that they still face outside.
UnitMesh Mirrored(const UnitMesh& mesh);

/// The meshes of a city, and what the user should know about them.
struct CityMeshes {
  std::vector<UnitMesh> meshes;    ///< in the order of the names
  std::vector<std::string> notes;  ///< which files are missing
};

/// Reads the files of a grammar's own meshes, OBJ or PLY, and stretches each to fill the unit cube.
/// A box stands for a mesh without a file. @shape folder: the grammar's
/// @errors INVALID_ARGUMENT: a file is no mesh, or its name leads out of the folder
absl::StatusOr<CityMeshes> ReadMeshes(const std::vector<MeshName>& names,
                                      const std::string& folder);

/// Whether a name in a grammar stays in the grammar's folder: relative, and without "..".
bool StaysInFolder(const std::string& name);

}  // namespace warpyard::city_io

#endif  // WARPYARD_CLIENT_EXAMPLES_CITY_IO_UNIT_MESH_H_
