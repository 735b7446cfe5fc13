// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/parcels/projection.h"

#include <cmath>
#include <numbers>

namespace warpyard::city_io {
namespace {

// WGS 84: half the axis through the equator, and the square of the eccentricity.
constexpr double kEquator = 6378137, kEccentricity2 = 0.00669437999014;
constexpr double kRadians = std::numbers::pi / 180;

}  // namespace

Projection::Projection(const MapPoint& origin, bool is_degrees)
    : origin_(origin), is_degrees_(is_degrees), metres_{1, 1} {
  if (!is_degrees) return;
  const double sine = std::sin(origin[1] * kRadians);
  const double root = std::sqrt(1 - kEccentricity2 * sine * sine);
  const double across = kEquator / root;
  const double along = kEquator * (1 - kEccentricity2) / (root * root * root);
  metres_ = {across * std::cos(origin[1] * kRadians) * kRadians, along * kRadians};
}

LocalPoint Projection::Project(const MapPoint& point) const {
  const double east = is_degrees_ ? NearestLongitude(point[0], origin_[0]) : point[0];
  return {(east - origin_[0]) * metres_[0], (origin_[1] - point[1]) * metres_[1]};
}

double NearestLongitude(double longitude, double other) {
  return other + std::remainder(longitude - other, 360);
}

}  // namespace warpyard::city_io
