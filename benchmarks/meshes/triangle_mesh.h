// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A generated mesh, and the parts that several generators use.
#ifndef WARPYARD_BENCHMARKS_MESHES_TRIANGLE_MESH_H_
#define WARPYARD_BENCHMARKS_MESHES_TRIANGLE_MESH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warpyard::meshes {

using Point = std::array<double, 3>;

/// An indexed triangle mesh. Every coordinate is exactly a float, so that files and programs with
/// floats lose nothing.
struct TriangleMesh {
  std::string name;
  std::vector<double> positions;         ///< @shape x y z a vertex
  std::vector<std::uint32_t> triangles;  ///< @shape 3 vertex indices a triangle

  std::size_t Vertices() const { return positions.size() / 3; }
  std::size_t Triangles() const { return triangles.size() / 3; }

  /// Appends a vertex, rounded to floats; returns its index. @units magnitudes at most 3e38
  std::uint32_t AddVertex(const Point& point) {
    for (const double value : point) positions.push_back(static_cast<float>(value));
    return static_cast<std::uint32_t>(Vertices() - 1);
  }

  void AddTriangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    triangles.insert(triangles.end(), {a, b, c});
  }

  /// Appends two triangles for a quad whose corners are given counter-clockwise.
  void AddQuad(const std::array<std::uint32_t, 4>& corners) {
    AddTriangle(corners[0], corners[1], corners[2]);
    AddTriangle(corners[0], corners[2], corners[3]);
  }

  /// Appends another mesh as separate vertices; its name is not used.
  void Append(const TriangleMesh& other) {
    const auto first = static_cast<std::uint32_t>(Vertices());
    positions.insert(positions.end(), other.positions.begin(), other.positions.end());
    for (const std::uint32_t vertex : other.triangles) triangles.push_back(first + vertex);
  }
};

}  // namespace warpyard::meshes

#endif  // WARPYARD_BENCHMARKS_MESHES_TRIANGLE_MESH_H_
