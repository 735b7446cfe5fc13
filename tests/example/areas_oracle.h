// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Meshes for tests of the example workload, and their areas with more precision than double.
#ifndef WARPYARD_TESTS_EXAMPLE_AREAS_ORACLE_H_
#define WARPYARD_TESTS_EXAMPLE_AREAS_ORACLE_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace warpyard::test_support {

/// @shape positions: x y z a vertex; triangles: 3 indices each
struct AreasMeshData {
  std::vector<double> positions;
  std::vector<std::uint32_t> triangles;
};

/// Triangles of many sizes between random vertices; there are about as many vertices as triangles.
inline AreasMeshData RandomAreasMesh(std::uint64_t seed, std::uint32_t triangles) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> coordinate(-1, 1);
  AreasMeshData mesh;
  for (std::uint32_t i = 0; i < 3 * (triangles + 2); ++i) {
    mesh.positions.push_back(coordinate(random));
  }
  for (std::uint32_t t = 0; t < triangles; ++t) {
    for (std::uint32_t corner = 0; corner < 3; ++corner) mesh.triangles.push_back(t + corner);
  }
  return mesh;
}

struct ExpectedAreas {
  std::vector<std::uint64_t> counts;
  double total_area = 0;
};

inline ExpectedAreas AreasOf(const AreasMeshData& mesh, const std::vector<double>& limits) {
  ExpectedAreas expected{std::vector<std::uint64_t>(limits.size() + 1)};
  long double total = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
    long double side[2][3];
    for (std::size_t k = 0; k < 3; ++k) {
      const long double at = mesh.positions[3 * mesh.triangles[t] + k];
      side[0][k] = mesh.positions[3 * mesh.triangles[t + 1] + k] - at;
      side[1][k] = mesh.positions[3 * mesh.triangles[t + 2] + k] - at;
    }
    const long double x = side[0][1] * side[1][2] - side[0][2] * side[1][1];
    const long double y = side[0][2] * side[1][0] - side[0][0] * side[1][2];
    const long double z = side[0][0] * side[1][1] - side[0][1] * side[1][0];
    const long double area = std::sqrt(x * x + y * y + z * z) / 2;
    std::size_t reached = 0;
    while (reached < limits.size() && area >= limits[reached]) ++reached;
    ++expected.counts[reached];
    total += area;
  }
  expected.total_area = static_cast<double>(total);
  return expected;
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_EXAMPLE_AREAS_ORACLE_H_
