// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "research/normal_cones/moving_normals.h"

#include <algorithm>
#include <cmath>

namespace warpyard::normal_cones {
namespace {

/// If the length of a coefficient is at least this fraction of the product of its sides, its
/// direction is right to 2^-20.
constexpr double kShortestNormal = 0x1p-28;
/// The error of a product of two unit vectors, one of which is such a coefficient, is far smaller.
constexpr double kLeastProduct = 0x1p-12;
constexpr double kNarrowest = 0.03;
constexpr int kMostSteps = 1000;

double Length(const Vector3d& vector) { return std::sqrt(Dot(vector, vector)); }

/// The coefficient with the least product with `direction`.
Vector3d LeastAlong(std::span<const MovingNormal> normals, const Vector3d& direction) {
  Vector3d least = normals[0][0];
  for (const MovingNormal& normal : normals) {
    for (const Vector3d& part : normal) {
      if (Dot(part, direction) < Dot(least, direction)) least = part;
    }
  }
  return least;
}

}  // namespace

std::optional<MovingNormal> MovingNormalOf(const std::array<Vector3d, 3>& start,
                                           const std::array<Vector3d, 3>& end) {
  const Vector3d u0 = start[1] - start[0], v0 = start[2] - start[0];
  const Vector3d u1 = end[1] - end[0], v1 = end[2] - end[0];
  MovingNormal normal{Cross(u0, v0), 0.5 * (Cross(u0, v1) + Cross(u1, v0)), Cross(u1, v1)};
  const double size = std::max(Length(u0), Length(u1)) * std::max(Length(v0), Length(v1));
  for (Vector3d& part : normal) {
    const double length = Length(part);
    if (!(length > kShortestNormal * size)) return std::nullopt;
    part = (1 / length) * part;
  }
  return normal;
}

// Gilbert's algorithm: `nearest` converges to the point of the convex hull of all coefficients that
// is closest to the origin. The least product with it is at most its length, and no direction is
// better.
std::optional<Vector3d> CommonDirection(std::span<const MovingNormal> normals) {
  if (normals.empty()) return std::nullopt;
  Vector3d nearest{0, 0, 0};
  for (const MovingNormal& normal : normals) nearest = nearest + normal[0] + normal[1] + normal[2];
  nearest = (1.0 / (3.0 * static_cast<double>(normals.size()))) * nearest;
  for (int step = 0; step < kMostSteps; ++step) {
    const double length = Length(nearest);
    if (length < kNarrowest) return std::nullopt;
    const Vector3d least = LeastAlong(normals, nearest);
    const double product = Dot(least, nearest) / length;
    if (product > kLeastProduct && product >= 0.5 * length) return (1 / length) * nearest;
    const Vector3d way = least - nearest;
    const double share = -Dot(way, nearest) / Dot(way, way);
    nearest = nearest + std::min(share, 1.0) * way;
  }
  return std::nullopt;
}

}  // namespace warpyard::normal_cones
