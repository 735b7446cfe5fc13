// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Checks that the geometry of a result belongs to the closest points at the times of its pairs.
#ifndef WARPYARD_TESTS_PROPERTY_GEOMETRY_FAULT_H_
#define WARPYARD_TESTS_PROPERTY_GEOMETRY_FAULT_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include "core/workload/ccd/collision_types.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/oracles/feature_distance.h"

namespace warpyard::test_support {

/// The weighted sum of some of a query's points.
inline Vec3 Weighted(const std::array<Vec3, 4>& points, const std::array<double, 4>& weights) {
  Vec3 sum{};
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t axis = 0; axis < 3; ++axis) sum[axis] += weights[k] * points[k][axis];
  }
  return sum;
}

/// The fault in the geometry of one pair; empty if there is none. @shape first, second: weights of
/// the four points
inline std::string GeometryFault(const Query& query, double time,
                                 const std::array<double, 4>& first,
                                 const std::array<double, 4>& second, const double (&normal)[3]) {
  for (const auto& weights : {first, second}) {
    double sum = 0;
    for (const double weight : weights) {
      if (!(weight >= 0 && weight <= 1)) return "a weight is not in [0, 1]";
      sum += weight;
    }
    if (!(std::abs(sum - 1) < 1e-14)) return "the sum of the weights is not 1";
  }
  double squared = 0, along = 0;
  const std::array<Vec3, 4> points = PointsAt(query, time);
  const Vec3 p = Weighted(points, first), q = Weighted(points, second);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    squared += normal[axis] * normal[axis];
    along += normal[axis] * (q[axis] - p[axis]);
  }
  if (!(std::abs(squared - 1) < 1e-14)) return "the normal is not of length 1";
  const double distance = Distance(p, q), rounding = 1e-14 * (1 + std::abs(p[0]));
  if (distance > DistanceAt(query, time) + rounding) return "other points are closer";
  if (along < distance * (1 - 1e-6) - 2 * rounding) return "the normal goes elsewhere";
  return "";
}

/// The first fault in the geometry of a result with both kinds of pairs; empty if there is none.
inline std::string GeometryFault(const Motion& motion, const ccd::CollisionResult& result) {
  if (result.vertex_face_geometry.size() != result.vertex_face.size() ||
      result.edge_edge_geometry.size() != result.edge_edge.size()) {
    return "not one for each pair";
  }
  for (std::size_t i = 0; i < result.vertex_face.size(); ++i) {
    const auto& pair = result.vertex_face[i];
    const auto& [w, normal] = result.vertex_face_geometry[i];
    const std::string fault = GeometryFault(VertexFaceQuery(motion, pair.vertex, pair.face),
                                            pair.time, {1, 0, 0, 0}, {0, w[0], w[1], w[2]}, normal);
    if (!fault.empty()) return "vertex-face " + std::to_string(i) + ": " + fault;
  }
  for (std::size_t i = 0; i < result.edge_edge.size(); ++i) {
    const auto& pair = result.edge_edge[i];
    const auto& [s, normal] = result.edge_edge_geometry[i];
    const std::string fault =
        GeometryFault(EdgeEdgeQuery(motion, {pair.a0, pair.a1, pair.b0, pair.b1}), pair.time,
                      {1 - s[0], s[0], 0, 0}, {0, 0, 1 - s[1], s[1]}, normal);
    if (!fault.empty()) return "edge-edge " + std::to_string(i) + ": " + fault;
  }
  return "";
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_PROPERTY_GEOMETRY_FAULT_H_
