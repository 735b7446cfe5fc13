// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Small valid messages, for tests to use and to break.
#ifndef WARPYARD_TESTS_UNIT_SERVER_MESSAGES_H_
#define WARPYARD_TESTS_UNIT_SERVER_MESSAGES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "warpyard/v1/collision_service.pb.h"
#include "warpyard/v1/mesh.pb.h"

namespace warpyard::test_support {

template <class Number, class Allocator = std::allocator<Number>>
std::string Bytes(const std::vector<Number, Allocator>& numbers) {
  return std::string(reinterpret_cast<const char*>(numbers.data()),
                     numbers.size() * sizeof(Number));
}

template <class Number>
std::vector<Number> Numbers(const std::string& bytes) {
  const auto* first = reinterpret_cast<const Number*>(bytes.data());
  return {first, first + bytes.size() / sizeof(Number)};
}

inline v1::Positions Doubles(const std::vector<double>& numbers) {
  v1::Positions positions;
  positions.set_scalar_type(v1::SCALAR_TYPE_FLOAT64);
  positions.set_data(Bytes(numbers));
  return positions;
}

/// A unit square of two triangles in the plane z = 0.
inline v1::TriangleMesh SquareMesh() {
  v1::TriangleMesh mesh;
  *mesh.mutable_positions() = Doubles({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0});
  mesh.set_triangles(Bytes<std::uint32_t>({0, 1, 2, 0, 2, 3}));
  return mesh;
}

/// The square, moved up.
inline v1::Positions SquareEnd() { return Doubles({0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1}); }

/// Two triangles (vertices 0..2 below, 3..5 above); the upper one falls through the lower one.
inline v1::TriangleMesh FallingTriangleMesh() {
  v1::TriangleMesh mesh;
  *mesh.mutable_positions() = Doubles({0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 1, 1.5, 1, 2, 1, 1.5, 2});
  mesh.set_triangles(Bytes<std::uint32_t>({0, 1, 2, 3, 4, 5}));
  return mesh;
}

/// The positions after the fall: vertex 3 has passed face 0 at t = 0.5.
inline v1::Positions FallingTriangleEnd() {
  return Doubles({0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, -1, 1.5, 1, 1, 1, 1.5, 1});
}

/// Equal triangles, each with its own vertices: all of them touch from the start.
inline v1::TriangleMesh ClumpMesh(std::uint32_t triangles) {
  std::vector<double> positions;
  std::vector<std::uint32_t> indices;
  for (std::uint32_t i = 0; i < triangles; ++i) {
    for (const double coordinate : {0., 0., 0., 1., 0., 0., .5, 1., 0.}) {
      positions.push_back(coordinate);
    }
    for (std::uint32_t k = 0; k < 3; ++k) indices.push_back(3 * i + k);
  }
  v1::TriangleMesh mesh;
  *mesh.mutable_positions() = Doubles(positions);
  mesh.set_triangles(Bytes(indices));
  return mesh;
}

/// Number of vertex-face pairs of a clump: each vertex with all triangles but its own.
inline std::uint64_t ClumpVertexFacePairs(std::uint64_t triangles) {
  return 3 * triangles * (triangles - 1);
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_SERVER_MESSAGES_H_
