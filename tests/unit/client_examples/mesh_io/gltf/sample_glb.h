// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// glTF files for tests, made of parts.
#ifndef WARPYARD_TESTS_UNIT_CLIENT_EXAMPLES_MESH_IO_GLTF_SAMPLE_GLB_H_
#define WARPYARD_TESTS_UNIT_CLIENT_EXAMPLES_MESH_IO_GLTF_SAMPLE_GLB_H_

#include <cstddef>
#include <string>
#include <vector>

#include "client_examples/mesh_io/component.h"
#include "client_examples/mesh_io/gltf/data/container.h"
#include "client_examples/mesh_io/gltf/data/json.h"
#include "client_examples/mesh_io/model.h"

namespace warpyard::mesh_io {

/// The bytes of numbers, one after the other.
template <class T>
std::string BytesOf(const std::vector<T>& numbers) {
  std::string bytes;
  for (const T number : numbers) AppendLittleEndian(number, bytes);
  return bytes;
}

/// A glTF file under construction.
struct GltfParts {
  Json json = {{"asset", {{"version", "2.0"}}}};
  std::string binary;

  /// Adds a buffer view and returns its number.
  std::size_t AddView(const std::string& bytes, std::size_t stride = 0);

  /// Adds an accessor of a new buffer view and returns its number.
  std::size_t Add(const std::string& bytes, int component_type, const std::string& type,
                  std::size_t count, std::size_t stride = 0);

  std::string Glb();
};

/// A square of 3 x 3 vertices and 8 triangles in primitive 0 of mesh 0. @shape 3 a vertex
std::vector<float> GridPositions();
std::vector<std::uint16_t> GridIndices();

/// One mesh with the grid: no attribute but POSITION.
GltfParts Grid();

/// A file with most of what glTF has: nodes with names, extras and transforms, two meshes,
/// materials, a texture, a skin, an animation, a morph target, points, and an unknown extension.
GltfParts RichFile();

/// The bytes of the image in RichFile.
std::string TinyPng();

/// The model of a file that must be readable.
Model Read(GltfParts parts);

/// Parses the JSON of a GLB file that was written.
Json JsonOf(const std::string& glb);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_TESTS_UNIT_CLIENT_EXAMPLES_MESH_IO_GLTF_SAMPLE_GLB_H_
