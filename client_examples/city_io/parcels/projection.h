// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// From coordinates of maps to metres around a city.
#ifndef WARPYARD_CLIENT_EXAMPLES_CITY_IO_PARCELS_PROJECTION_H_
#define WARPYARD_CLIENT_EXAMPLES_CITY_IO_PARCELS_PROJECTION_H_

#include <array>

namespace warpyard::city_io {

/// A place of a map. @shape longitude and latitude in degrees, or east and north in metres
using MapPoint = std::array<double, 2>;

/// Metres from an origin: x is east and z is south, since y points up and the axes are
/// right-handed.
using LocalPoint = std::array<double, 2>;

/// Takes the origin away: coordinates of maps are too large for floats.
///
/// Degrees become metres on the plane that touches the earth (WGS 84) at the origin: an angle times
/// the ellipsoid's radius of curvature there, along the meridian for latitudes and along the
/// parallel for longitudes. Within 10 km of the origin, lengths are right to about 0.2 % at
/// latitude 50.
class Projection {
 public:
  Projection(const MapPoint& origin, bool is_degrees);

  LocalPoint Project(const MapPoint& point) const;

  const MapPoint& origin() const { return origin_; }

 private:
  MapPoint origin_;
  bool is_degrees_;
  MapPoint metres_;  ///< for one unit of the map
};

/// The longitude of the same meridian that is nearest to another one: cities lie across the 180th,
/// too.
double NearestLongitude(double longitude, double other);

}  // namespace warpyard::city_io

#endif  // WARPYARD_CLIENT_EXAMPLES_CITY_IO_PARCELS_PROJECTION_H_
