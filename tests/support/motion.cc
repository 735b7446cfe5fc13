// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/support/motion.h"

#include <cstddef>

namespace warpyard::test_support {
namespace {

Vec3 PointOf(const std::vector<double>& positions, std::uint32_t vertex) {
  const std::size_t at = std::size_t{3} * vertex;
  return {positions[at], positions[at + 1], positions[at + 2]};
}

Query MakeQuery(const Motion& motion, PairKind kind, const std::array<std::uint32_t, 4>& vertices) {
  Query query;
  query.kind = kind;
  for (std::size_t i = 0; i < 4; ++i) {
    query.start[i] = PointOf(motion.start, vertices[i]);
    query.end[i] = PointOf(motion.end, vertices[i]);
  }
  return query;
}

}  // namespace

Query VertexFaceQuery(const Motion& motion, std::uint32_t vertex, std::uint32_t face) {
  const std::uint32_t* corners = &motion.triangles[std::size_t{3} * face];
  return MakeQuery(motion, PairKind::kVertexFace, {vertex, corners[0], corners[1], corners[2]});
}

Query EdgeEdgeQuery(const Motion& motion, const std::array<std::uint32_t, 4>& vertices) {
  return MakeQuery(motion, PairKind::kEdgeEdge, vertices);
}

}  // namespace warpyard::test_support
