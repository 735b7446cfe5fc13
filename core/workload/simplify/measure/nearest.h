// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The distance from a point to the triangles of a model.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_MEASURE_NEAREST_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_MEASURE_NEAREST_H_

#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/base/macros.h"
#include "core/workload/simplify/measure/link.h"

namespace warpyard::simplify {

/// The squared distance from a point to a segment.
WY_HD inline double SquaredToSegment(const Vector3d& p, const Vector3d& a, const Vector3d& b) {
  const Vector3d along = b - a;
  const double length = Dot(along, along);
  double part = length > 0 ? Dot(p - a, along) / length : 0;
  part = part > 0 ? (part < 1 ? part : 1) : 0;
  const Vector3d apart = p - (a + part * along);
  return Dot(apart, apart);
}

/// The squared distance from a point to a triangle: to its plane above it, else to its sides.
WY_HD inline double SquaredToTriangle(const Vector3d& p, const Vector3d (&at)[3]) {
  const Vector3d normal = Cross(at[1] - at[0], at[2] - at[0]);
  const double squared = Dot(normal, normal);
  bool is_above = squared > 0;
  double least = SquaredToSegment(p, at[2], at[0]);
  for (int k = 0; k < 3; ++k) {
    const Vector3d& next = at[k == 2 ? 0 : k + 1];
    is_above = is_above && Dot(Cross(next - at[k], p - at[k]), normal) >= 0;
    if (k == 2) break;
    const double side = SquaredToSegment(p, at[k], next);
    least = side < least ? side : least;
  }
  if (!is_above) return least;
  const double height = Dot(p - at[0], normal);
  const double above = height * height / squared;
  return above < least ? above : least;
}

/// Goes through the tree without a stack: down to the first child, on to the next one, and up
/// again.
class NearestSearch {
 public:
  /// @shape point: relative to the model
  WY_HD NearestSearch(const SearchView& search, const Vector3d& point)
      : search_(search), point_(point) {}

  /// The squared distance to the nearest triangle.
  WY_HD double Squared() {
    Descend();
    std::uint32_t node = search_.first_child[search_.nodes];
    while (node != kNone) {
      const bool enters = Apart(node) < least_;
      if (enters && node < search_.leaves) TryTriangles(node);
      node = enters && node >= search_.leaves ? search_.first_child[node] : Next(node);
    }
    return squared_;
  }

 private:
  /// The least distance that a triangle below a node may have.
  WY_HD double Apart(std::uint32_t node) const {
    float reach;
    std::memcpy(&reach, &search_.reach[node], sizeof reach);
    return LengthOf(point_ - PlaceAt(search_, node)) - reach;
  }
  WY_HD std::uint32_t Next(std::uint32_t node) const {
    while (node != kNone && search_.sibling[node] == kNone) node = search_.parents[node];
    return node == kNone ? kNone : search_.sibling[node];
  }
  /// Finds some distance that is small, so that the search leaves most out.
  WY_HD void Descend() {
    std::uint32_t list = search_.nodes;
    while (list >= search_.leaves) {
      std::uint32_t nearest = search_.first_child[list];
      double least = LengthOf(point_ - PlaceAt(search_, nearest));
      for (std::uint32_t node = search_.sibling[nearest]; node != kNone;
           node = search_.sibling[node]) {
        const double apart = LengthOf(point_ - PlaceAt(search_, node));
        if (!(apart < least)) continue;
        least = apart;
        nearest = node;
      }
      list = nearest;
    }
    TryTriangles(list);
  }
  WY_HD void TryTriangles(std::uint32_t leaf) {
    for (std::uint32_t t = search_.first_triangle[leaf]; t != kNone; t = search_.next_triangle[t]) {
      const std::uint32_t* const corners = CornersOf(search_, t);
      const Vector3d at[3] = {PlaceAt(search_, corners[0]), PlaceAt(search_, corners[1]),
                              PlaceAt(search_, corners[2])};
      const double squared = SquaredToTriangle(point_, at);
      if (!(squared < squared_)) continue;
      squared_ = squared;
      least_ = sqrt(squared);
    }
  }

  const SearchView& search_;
  const Vector3d point_;
  double squared_ = 1e300, least_ = 1e300;
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_MEASURE_NEAREST_H_
