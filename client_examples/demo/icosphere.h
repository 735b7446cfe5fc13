// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A ball of triangles of about the same size, from an icosahedron.
#ifndef WARPYARD_CLIENT_EXAMPLES_DEMO_ICOSPHERE_H_
#define WARPYARD_CLIENT_EXAMPLES_DEMO_ICOSPHERE_H_

#include <array>
#include <cstdint>
#include <vector>

namespace warpyard::demo {

struct Icosphere {
  /// Vertices, at distance 1 from the origin.
  std::vector<std::array<double, 3>> directions;
  /// @shape 3 vertex indices a triangle, counter-clockwise seen from outside
  std::vector<std::uint32_t> triangles;
};

/// Divides each triangle of an icosahedron into four, `subdivisions` times: 20 * 4^n triangles.
Icosphere MakeIcosphere(int subdivisions);

}  // namespace warpyard::demo

#endif  // WARPYARD_CLIENT_EXAMPLES_DEMO_ICOSPHERE_H_
