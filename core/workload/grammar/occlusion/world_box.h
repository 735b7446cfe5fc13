// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Boxes in the world, as a camera sees them.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_OCCLUSION_WORLD_BOX_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_OCCLUSION_WORLD_BOX_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "core/workload/geometry/vector3.h"
#include "core/workload/grammar/grammar_types.h"

namespace warpyard::grammar {

using geometry::Vector3d;

/// @shape edges: from the corner, square to each other
struct WorldBox {
  Vector3d corner;
  std::array<Vector3d, 3> edges;

  static constexpr std::size_t kCorners = 8;
  /// @shape number: a bit for each edge
  Vector3d Corner(std::size_t number) const {
    Vector3d point = corner;
    for (std::size_t e = 0; e < 3; ++e) {
      if ((number >> e & 1) != 0) point = point + edges[e];
    }
    return point;
  }
};

inline double LengthOf(const Vector3d& v) { return std::sqrt(geometry::Dot(v, v)); }

/// @shape rotation: nearly a unit quaternion. It is made one, so that edges are square to each
/// other
inline WorldBox BoxOf(const float (&position)[3], const float (&rotation)[4],
                      const float (&size)[3]) {
  double square = 0;
  for (const double part : rotation) square += part * part;
  const double scale = 1 / std::sqrt(square);
  const double x = scale * rotation[0], y = scale * rotation[1], z = scale * rotation[2],
               w = scale * rotation[3];
  const Vector3d axes[3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
                            {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
                            {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}};
  WorldBox box{{position[0], position[1], position[2]}, {}};
  for (std::size_t e = 0; e < 3; ++e) box.edges[e] = double{size[e]} * axes[e];
  return box;
}

inline WorldBox BoxOf(const Instance& instance) {
  return BoxOf(instance.position, instance.rotation, instance.size);
}
inline WorldBox BoxOf(const Parcel& parcel) {
  return BoxOf(parcel.position, parcel.rotation, parcel.size);
}

/// From a point to the nearest point of a box; 0 inside.
inline double NearestOf(const WorldBox& box, const Vector3d& from) {
  Vector3d nearest = box.corner;
  for (const Vector3d& edge : box.edges) {
    const double square = geometry::Dot(edge, edge);
    if (square == 0) continue;
    const double along = geometry::Dot(from - box.corner, edge) / square;
    nearest = nearest + std::clamp(along, 0.0, 1.0) * edge;
  }
  return LengthOf(nearest - from);
}

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_OCCLUSION_WORLD_BOX_H_
