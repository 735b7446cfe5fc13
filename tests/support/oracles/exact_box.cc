// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/support/oracles/exact_box.h"

#include <gmpxx.h>

#include <cstddef>
#include <vector>

namespace warpyard::test_support {
namespace {

using Exact = std::array<mpq_class, 3>;

Exact RowOf(const float (&v)[3]) { return {mpq_class(v[0]), mpq_class(v[1]), mpq_class(v[2])}; }

mpq_class Dot(const Exact& a, const Exact& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Exact Cross(const Exact& a, const Exact& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Exact Difference(const Exact& a, const Exact& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

mpq_class Reach(const geometry::OrientedBox& box, const Exact& along) {
  mpq_class reach = 0;
  for (int i = 0; i < 3; ++i) {
    reach += mpq_class(box.half[i]) * abs(Dot(along, RowOf(box.axis[i])));
  }
  return reach;
}

}  // namespace

bool Contains(const geometry::OrientedBox& box, const geometry::Vector3d& point) {
  const Exact at =
      Difference({mpq_class(point.x), mpq_class(point.y), mpq_class(point.z)}, RowOf(box.center));
  const Exact a[3] = {RowOf(box.axis[0]), RowOf(box.axis[1]), RowOf(box.axis[2])};
  const mpq_class volume = abs(Dot(a[0], Cross(a[1], a[2])));
  for (std::size_t i = 0; i < 3; ++i) {
    const mpq_class part = abs(Dot(at, Cross(a[(i + 1) % 3], a[(i + 2) % 3])));
    if (part > mpq_class(box.half[i]) * volume) return false;
  }
  return true;
}

bool CertainlyApart(const geometry::OrientedBox& a, const geometry::OrientedBox& b) {
  std::vector<Exact> directions;
  for (const geometry::OrientedBox* box : {&a, &b}) {
    for (int i = 0; i < 3; ++i) {
      directions.push_back(RowOf(box->axis[i]));
      directions.push_back(Cross(RowOf(box->axis[i]), RowOf(box->axis[(i + 1) % 3])));
    }
  }
  for (int i = 0; i < 9; ++i) {
    directions.push_back(Cross(RowOf(a.axis[i / 3]), RowOf(b.axis[i % 3])));
  }
  const Exact between = Difference(RowOf(b.center), RowOf(a.center));
  for (const Exact& along : directions) {
    if (abs(Dot(along, between)) > Reach(a, along) + Reach(b, along)) return true;
  }
  return false;
}

std::array<geometry::Vector3d, 8> CornersOf(const geometry::OrientedBox& box, double half) {
  std::array<geometry::Vector3d, 8> corners;
  for (unsigned c = 0; c < 8; ++c) {
    corners[c] = {box.center[0], box.center[1], box.center[2]};
    for (unsigned i = 0; i < 3; ++i) {
      const double side = (c >> i & 1U) != 0 ? half : -half;
      const float(&axis)[3] = box.axis[i];
      corners[c] = corners[c] + (side * static_cast<double>(box.half[i])) *
                                    geometry::Vector3d{axis[0], axis[1], axis[2]};
    }
  }
  return corners;
}

}  // namespace warpyard::test_support
