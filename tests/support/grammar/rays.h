// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Rays between an eye and points of boxes: what an oracle knows of occlusion.
#ifndef WARPYARD_TESTS_SUPPORT_GRAMMAR_RAYS_H_
#define WARPYARD_TESTS_SUPPORT_GRAMMAR_RAYS_H_

#include <algorithm>
#include <random>

#include "core/workload/grammar/occlusion/world_box.h"

namespace warpyard::test_support {

/// Whether the way from `from` to `to` goes through the box: the slab test, in its axes.
inline bool Meets(const grammar::WorldBox& box, const grammar::Vector3d& from,
                  const grammar::Vector3d& to) {
  double begin = 0, end = 1;
  for (const grammar::Vector3d& edge : box.edges) {
    const double square = geometry::Dot(edge, edge);
    const double a = geometry::Dot(from - box.corner, edge) / square;
    const double b = geometry::Dot(to - box.corner, edge) / square;
    if (a == b) {
      if (a < 0 || a > 1) return false;
      continue;
    }
    const double first = (0 - a) / (b - a), last = (1 - a) / (b - a);
    begin = std::max(begin, std::min(first, last));
    end = std::min(end, std::max(first, last));
  }
  return begin <= end;
}

/// A point of a box. Many are on its sides, edges and corners.
inline grammar::Vector3d PointIn(const grammar::WorldBox& box, std::mt19937& random) {
  std::uniform_real_distribution<double> part(-0.25, 1.25);
  grammar::Vector3d point = box.corner;
  for (const grammar::Vector3d& edge : box.edges) {
    point = point + std::clamp(part(random), 0.0, 1.0) * edge;
  }
  return point;
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_GRAMMAR_RAYS_H_
