// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Pairs of features for tests of the narrow phase, in the forms of the core and of the exact
// oracle.
#ifndef WARPYARD_TESTS_UNIT_WORKLOAD_CCD_NARROW_EXACT_PAIR_H_
#define WARPYARD_TESTS_UNIT_WORKLOAD_CCD_NARROW_EXACT_PAIR_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ostream>

#include "core/workload/ccd/job/moving_pair.h"
#include "core/workload/geometry/vector3.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/motion.h"

namespace warpyard::test_support {

/// A query of the oracle as a pair of the core.
inline ccd::MovingPair ToMovingPair(const Query& query) {
  ccd::MovingPair pair{};
  pair.kind =
      query.kind == PairKind::kVertexFace ? ccd::PairKind::kVertexFace : ccd::PairKind::kEdgeEdge;
  for (std::size_t k = 0; k < 4; ++k) {
    pair.start[k] = {query.start[k][0], query.start[k][1], query.start[k][2]};
    pair.end[k] = {query.end[k][0], query.end[k][1], query.end[k][2]};
  }
  return pair;
}

inline PairKind OtherKind(std::uint32_t i) {
  return i % 2 == 0 ? PairKind::kVertexFace : PairKind::kEdgeEdge;
}

/// Points anywhere in a cube at both times: about one pair in ten touches.
inline Query RandomQuery(Random& random, PairKind kind, double half_side) {
  Query query;
  query.kind = kind;
  for (auto* frame : {&query.start, &query.end}) {
    for (Vec3& point : *frame) point = random.Point(half_side);
  }
  return query;
}

/// A pair that meets at a random time and place, except for rounding; `miss` moves it apart there.
inline Query AimedQuery(Random& random, PairKind kind, double miss) {
  Query query = RandomQuery(random, kind, 1);
  const double t = random.Uniform(0, 1), u = random.Uniform(0, 1), v = random.Uniform(0, 1 - u);
  const auto at = [&](std::size_t k, std::size_t axis) {
    return (1 - t) * query.start[k][axis] + t * query.end[k][axis];
  };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double gap =
        kind == PairKind::kVertexFace
            ? at(0, axis) -
                  (at(1, axis) + u * (at(2, axis) - at(1, axis)) + v * (at(3, axis) - at(1, axis)))
            : (1 - u) * at(0, axis) + u * at(1, axis) - (1 - v) * at(2, axis) - v * at(3, axis);
    const double shift = miss - gap;
    const std::size_t first_group = kind == PairKind::kVertexFace ? 1 : 2;
    for (std::size_t k = 0; k < first_group; ++k) {
      query.start[k][axis] += shift;
      query.end[k][axis] += shift;
    }
  }
  return query;
}

/// Features that slide in one plane. The plane is turned, so rounding moves points off it, and the
/// volume that the points span is only rounding error.
inline Query SlidingQuery(Random& random, PairKind kind) {
  Query query = RandomQuery(random, kind, 1);
  const Vec3 u = random.Point(1), v = random.Point(1), origin = random.Point(1);
  for (auto* frame : {&query.start, &query.end}) {
    for (Vec3& point : *frame) {
      const double a = point[0], b = point[1];
      for (std::size_t axis = 0; axis < 3; ++axis) {
        point[axis] = origin[axis] + a * u[axis] + b * v[axis];
      }
    }
  }
  return query;
}

/// The pair in other units, and far from the origin.
inline Query Moved(Query query, double scale, const Vec3& by) {
  for (auto* frame : {&query.start, &query.end}) {
    for (Vec3& point : *frame) {
      for (std::size_t axis = 0; axis < 3; ++axis) point[axis] = scale * point[axis] + by[axis];
    }
  }
  return query;
}

/// Prints coordinates in hexadecimal, so that a failure can be reproduced.
inline std::ostream& operator<<(std::ostream& out, const Query& query) {
  out << (query.kind == PairKind::kVertexFace ? "vertex-face" : "edge-edge") << std::hexfloat;
  for (const auto* frame : {&query.start, &query.end}) {
    out << "\n ";
    for (const Vec3& point : *frame) {
      out << " {" << point[0] << ", " << point[1] << ", " << point[2] << "}";
    }
  }
  return out << std::defaultfloat;
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_WORKLOAD_CCD_NARROW_EXACT_PAIR_H_
