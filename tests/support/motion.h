// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The subjects of collision tests: two frames of a mesh, and one pair of features in motion.
#ifndef WARPYARD_TESTS_SUPPORT_MOTION_H_
#define WARPYARD_TESTS_SUPPORT_MOTION_H_

#include <array>
#include <cstdint>
#include <vector>

namespace warpyard::test_support {

using Vec3 = std::array<double, 3>;

/// Two frames of one mesh; between them each vertex moves on a straight line at constant speed.
struct Motion {
  /// @shape x y z a vertex, at t = 0
  std::vector<double> start;
  /// @shape x y z a vertex, at t = 1
  std::vector<double> end;
  /// @shape 3 vertex indices a triangle
  std::vector<std::uint32_t> triangles;
  /// @shape one group a vertex, or empty
  std::vector<std::uint32_t> vertex_groups;

  std::size_t Vertices() const { return start.size() / 3; }
  std::size_t Triangles() const { return triangles.size() / 3; }
};

enum class PairKind { kVertexFace, kEdgeEdge };

/// One pair of features in motion.
struct Query {
  PairKind kind = PairKind::kVertexFace;
  /// @shape vertex, f0, f1, f2 or a0, a1, b0, b1, at t = 0
  std::array<Vec3, 4> start{};
  /// @shape the same at t = 1
  std::array<Vec3, 4> end{};
};

/// The pair of a vertex and a face (a triangle's index).
Query VertexFaceQuery(const Motion& motion, std::uint32_t vertex, std::uint32_t face);

/// The pair of the edges a0-a1 and b0-b1.
Query EdgeEdgeQuery(const Motion& motion, const std::array<std::uint32_t, 4>& vertices);

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_MOTION_H_
