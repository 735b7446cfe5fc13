// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A closed mesh for tests of simplification, and whether a mesh is closed.
#ifndef WARPYARD_TESTS_SUPPORT_SPHERE_H_
#define WARPYARD_TESTS_SUPPORT_SPHERE_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include "core/workload/geometry/positions_view.h"

namespace warpyard::test_support {

struct SphereMesh {
  std::vector<double> positions;
  std::vector<std::uint32_t> triangles;

  geometry::PositionsView View() const {
    return {geometry::ScalarType::kFloat64, positions.data(), positions.size() / 3};
  }
};

/// A sphere of radius 1 around the origin: two poles, and `rings` circles of `sectors` vertices
/// between them.
inline SphereMesh Sphere(std::uint32_t rings, std::uint32_t sectors) {
  SphereMesh mesh;
  const auto at = [sectors](std::uint32_t ring, std::uint32_t sector) {
    return ring * sectors + sector % sectors;
  };
  for (std::uint32_t r = 0; r < rings; ++r) {
    const double polar = std::numbers::pi * (r + 1) / (rings + 1);
    for (std::uint32_t s = 0; s < sectors; ++s) {
      const double turn = 2 * std::numbers::pi * s / sectors;
      for (const double x :
           {std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn), std::cos(polar)}) {
        mesh.positions.push_back(x);
      }
    }
  }
  for (const double x : {0., 0., 1., 0., 0., -1.}) mesh.positions.push_back(x);
  const std::uint32_t top = rings * sectors, bottom = top + 1;
  const auto add = [&mesh](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    mesh.triangles.insert(mesh.triangles.end(), {a, b, c});
  };
  for (std::uint32_t s = 0; s < sectors; ++s) {
    add(top, at(0, s), at(0, s + 1));
    for (std::uint32_t r = 0; r + 1 < rings; ++r) {
      add(at(r, s), at(r + 1, s), at(r + 1, s + 1));
      add(at(r, s), at(r + 1, s + 1), at(r, s + 1));
    }
    add(bottom, at(rings - 1, s + 1), at(rings - 1, s));
  }
  return mesh;
}

/// Whether each edge has two triangles, which run along it in opposite directions.
inline bool IsClosed(const std::vector<std::uint32_t>& triangles) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const std::size_t next = i % 3 == 2 ? i - 2 : i + 1;
    ++edges[{triangles[i], triangles[next]}];
  }
  for (const auto& [edge, count] : edges) {
    const auto other = edges.find({edge.second, edge.first});
    if (count != 1 || other == edges.end()) return false;
  }
  return true;
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_SPHERE_H_
