// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/contacts/contact_geometry.h"

#include <algorithm>
#include <cmath>

#include "core/workload/ccd/narrow/closest_points.h"
#include "core/workload/geometry/vector3.h"

namespace warpyard::ccd {
namespace {

double Length(const Vector3d& v) { return std::sqrt(Dot(v, v)); }

double LargestCoordinate(const Vector3d& v) {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

/// A vector of length 1 with the direction of `v`, which is not 0.
Vector3d Unit(const Vector3d& v) {
  const double scale = LargestCoordinate(v);
  const Vector3d scaled{v.x / scale, v.y / scale, v.z / scale};
  return (1 / Length(scaled)) * scaled;
}

/// A pair at one time, moved to its first point and scaled to size 1, so that no product of
/// coordinates overflows or underflows.
struct Moment {
  PairKind kind;
  Vector3d points[4];
  Vector3d motion[4];  ///< how the points move in the step, in any unit
  double rounding;     ///< rounding error of differences of points

  Moment(const MovingPair& pair, double time) : kind(pair.kind) {
    double far = 0, size = 0;
    for (int k = 0; k < 4; ++k) {
      points[k] = pair.At(k, time) - pair.At(0, time);
      motion[k] = pair.end[k] - pair.start[k];
      size = std::max(size, LargestCoordinate(points[k]));
      far = std::max({far, LargestCoordinate(pair.start[k]), LargestCoordinate(pair.end[k])});
    }
    if (size == 0) size = 1;
    for (Vector3d& point : points) point = {point.x / size, point.y / size, point.z / size};
    rounding = 0x1p-48 * (far / size);
  }

  /// The vector from a point of the first feature to a point of the second. Each is the sum of its
  /// feature's points with these weights.
  Vector3d Difference(const double (&weights)[4], const Vector3d (&of)[4]) const {
    Vector3d sum{0, 0, 0};
    for (int k = 0; k < 4; ++k) {
      const bool first = kind == PairKind::kVertexFace ? k == 0 : k < 2;
      sum = sum + (first ? -weights[k] : weights[k]) * of[k];
    }
    return sum;
  }
};

/// The best closest points so far, as weights of the four points of the pair.
struct Closest {
  double weights[4];
  double squared = HUGE_VAL;
  bool inside = false;  ///< inside the face, or both edges: their normal counts

  void Try(const Moment& moment, const double (&candidate)[4], bool is_inside) {
    const Vector3d offset = moment.Difference(candidate, moment.points);
    if (!(Dot(offset, offset) < squared)) return;
    squared = Dot(offset, offset);
    std::copy(candidate, candidate + 4, weights);
    inside = is_inside;
  }
};

/// The point of the segment from a to b that is closest to p, as a parameter.
double ClosestOnSegment(const Vector3d& p, const Vector3d& a, const Vector3d& b) {
  const Vector3d ab = b - a;
  const double squared = Dot(ab, ab);
  return squared > 0 ? Clamp01(Dot(p - a, ab) / squared) : 0;
}

/// Tries the face's inside and its three sides.
Closest ClosestOfVertexFace(const Moment& moment, const Vector3d& normal) {
  Closest closest;
  const Vector3d(&x)[4] = moment.points;
  const double squared = Dot(normal, normal);
  if (squared > 0) {
    const Vector3d a = x[1] - x[0], b = x[2] - x[0], c = x[3] - x[0];
    const double u = Dot(Cross(b, c), normal), v = Dot(Cross(c, a), normal),
                 w = Dot(Cross(a, b), normal), sum = u + v + w;
    if (u >= 0 && v >= 0 && w >= 0 && sum > 0) {
      closest.Try(moment, {1, u / sum, v / sum, w / sum}, true);
    }
  }
  for (int k = 0; k < 3; ++k) {
    const int from = 1 + k, to = 1 + (k + 1) % 3;
    const double s = ClosestOnSegment(x[0], x[from], x[to]);
    double weights[4] = {1, 0, 0, 0};
    weights[from] = 1 - s;
    weights[to] = s;
    closest.Try(moment, weights, false);
  }
  return closest;
}

/// Tries the crossing of both lines, and each of the four ends with the other edge.
Closest ClosestOfEdgeEdge(const Moment& moment, const Vector3d& normal) {
  Closest closest;
  const Vector3d(&x)[4] = moment.points;
  const double squared = Dot(normal, normal);
  if (squared > 0) {
    const Vector3d r = x[2] - x[0];
    const double s = Dot(Cross(r, x[3] - x[2]), normal) / squared;
    const double t = Dot(Cross(r, x[1] - x[0]), normal) / squared;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
      closest.Try(moment, {1 - s, s, 1 - t, t}, true);
    }
  }
  for (int end = 0; end < 2; ++end) {
    const double one = end, other = 1 - end;
    const double t = ClosestOnSegment(x[end], x[2], x[3]);
    closest.Try(moment, {other, one, 1 - t, t}, false);
    const double s = ClosestOnSegment(x[2 + end], x[0], x[1]);
    closest.Try(moment, {1 - s, s, other, one}, false);
  }
  return closest;
}

/// Any direction perpendicular to an axis.
Vector3d Across(const Vector3d& axis) {
  const double x = std::abs(axis.x), y = std::abs(axis.y), z = std::abs(axis.z);
  if (x <= y && x <= z) return Cross(axis, {1, 0, 0});
  return y <= z ? Cross(axis, {0, 1, 0}) : Cross(axis, {0, 0, 1});
}

/// The normal of features that touch. @shape motion: of the first feature relative to the second
Vector3d NormalOfTouch(const Vector3d (&sides)[3], const Vector3d& normal, const Vector3d& motion) {
  const Vector3d* longest = &sides[0];
  for (const Vector3d& side : sides) {
    if (Dot(side, side) > Dot(*longest, *longest)) longest = &side;
  }
  const double squared = Dot(*longest, *longest);
  constexpr double kNoArea = 1e-13;
  if (Length(normal) > kNoArea * squared) {
    return Dot(motion, normal) < 0 ? Unit(-1.0 * normal) : Unit(normal);
  }
  if (squared == 0) return LargestCoordinate(motion) > 0 ? Unit(motion) : Vector3d{1, 0, 0};
  if (LargestCoordinate(motion) > 0) {
    const Vector3d direction = Unit(motion);
    const Vector3d across = direction - (Dot(direction, *longest) / squared) * *longest;
    constexpr double kAlong = 1e-9;
    if (Length(across) > kAlong) return Unit(across);
  }
  return Unit(Across(*longest));
}

/// @shape sides: vectors along the features; normal: perpendicular to them
Vector3d NormalOf(const Moment& moment, const Closest& closest, const Vector3d (&sides)[3],
                  const Vector3d& normal) {
  const Vector3d offset = moment.Difference(closest.weights, moment.points);
  if (closest.inside) {
    // The difference of close points has no reliable direction any more, but its sign still tells
    // the side.
    const double distance = Dot(offset, normal);
    if (std::abs(distance) > moment.rounding * Length(normal)) {
      return distance < 0 ? Unit(-1.0 * normal) : Unit(normal);
    }
  } else if (Length(offset) > moment.rounding) {
    return Unit(offset);
  }
  return NormalOfTouch(sides, normal, -1.0 * moment.Difference(closest.weights, moment.motion));
}

void Store(const Vector3d& v, double (&to)[3]) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}

}  // namespace

VertexFaceGeometry VertexFaceGeometryAt(const MovingPair& pair, double time) {
  const Moment moment(pair, time);
  const Vector3d(&x)[4] = moment.points;
  const Vector3d sides[3] = {x[2] - x[1], x[3] - x[2], x[1] - x[3]};
  const Vector3d normal = Cross(sides[0], x[3] - x[1]);
  const Closest closest = ClosestOfVertexFace(moment, normal);
  VertexFaceGeometry geometry{};
  std::copy(closest.weights + 1, closest.weights + 4, geometry.weights);
  Store(NormalOf(moment, closest, sides, normal), geometry.normal);
  return geometry;
}

EdgeEdgeGeometry EdgeEdgeGeometryAt(const MovingPair& pair, double time) {
  const Moment moment(pair, time);
  const Vector3d(&x)[4] = moment.points;
  const Vector3d sides[3] = {x[1] - x[0], x[3] - x[2], {0, 0, 0}};
  const Vector3d normal = Cross(sides[0], sides[1]);
  const Closest closest = ClosestOfEdgeEdge(moment, normal);
  EdgeEdgeGeometry geometry{};
  geometry.parameters[0] = closest.weights[1];
  geometry.parameters[1] = closest.weights[3];
  Store(NormalOf(moment, closest, sides, normal), geometry.normal);
  return geometry;
}

}  // namespace warpyard::ccd
