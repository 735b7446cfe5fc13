// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What all files of a city are written from.
#ifndef WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_CITY_H_
#define WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_CITY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "client_examples/city_io/instance.h"
#include "client_examples/city_io/unit_mesh.h"

namespace warpyard::city_io {

/// A city whose instances have meshes and materials that exist: CheckCity.
struct City {
  const CityNames& names;
  const std::vector<UnitMesh>& meshes;  ///< in the order of the names
  absl::Span<const Instance> instances;

  const UnitMesh& MeshOf(const Instance& instance) const { return meshes[instance.mesh]; }

  /// The name by which an instance is painted: its material's, or its mesh's where it has none.
  const std::string& PaintName(std::uint16_t mesh, std::uint16_t material) const {
    const std::string& name = names.materials[material];
    return name.empty() ? names.meshes[mesh].name : name;
  }
};

/// Checks numbers that came from elsewhere: finite places, meshes and materials that have names.
/// @errors INVALID_ARGUMENT with the position of the instance
absl::Status CheckCity(const City& city);

/// The number of triangles of all instances.
std::uint64_t TrianglesOf(const City& city);
/// Those of meshes from files, which servers do not count: they do not have the files.
std::uint64_t TrianglesFromFiles(const City& city);

/// A mesh in its place. @shape as UnitMesh; normals have the length 1
struct PlacedMesh {
  std::vector<Vector> positions;
  std::vector<Vector> normals;
  std::vector<std::uint32_t> triangles;
};

/// Replaces `placed`, whose memory serves again.
void Place(const UnitMesh& mesh, const Instance& instance, PlacedMesh& placed);

}  // namespace warpyard::city_io

#endif  // WARPYARD_CLIENT_EXAMPLES_CITY_IO_OUTPUT_CITY_H_
