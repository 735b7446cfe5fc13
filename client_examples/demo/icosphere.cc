// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/demo/icosphere.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

namespace warpyard::demo {
namespace {

std::array<double, 3> Normalized(const std::array<double, 3>& v) {
  const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  return {v[0] / length, v[1] / length, v[2] / length};
}

Icosphere MakeIcosahedron() {
  const double g = (1 + std::sqrt(5.0)) / 2;
  Icosphere ball;
  ball.directions = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                     {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  for (std::array<double, 3>& direction : ball.directions) direction = Normalized(direction);
  ball.triangles = {0, 11, 5,  0, 5,  1, 0, 1, 7, 0, 7,  10, 0, 10, 11, 1, 5, 9, 5, 11,
                    4, 11, 10, 2, 10, 7, 6, 7, 1, 8, 3,  9,  4, 3,  4,  2, 3, 2, 6, 3,
                    6, 8,  3,  8, 9,  4, 9, 5, 2, 4, 11, 6,  2, 10, 8,  6, 7, 9, 8, 1};
  return ball;
}

// Divides each triangle into four; neighbours share the new vertices.
void Subdivide(Icosphere& ball) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
  const auto middle = [&](std::uint32_t a, std::uint32_t b) {
    const auto [entry, is_new] =
        middles.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(ball.directions.size()));
    if (is_new) {
      const std::array<double, 3>& p = ball.directions[a];
      const std::array<double, 3>& q = ball.directions[b];
      ball.directions.push_back(Normalized({p[0] + q[0], p[1] + q[1], p[2] + q[2]}));
    }
    return entry->second;
  };
  std::vector<std::uint32_t> finer;
  finer.reserve(4 * ball.triangles.size());
  for (std::size_t i = 0; i < ball.triangles.size(); i += 3) {
    const std::uint32_t a = ball.triangles[i];
    const std::uint32_t b = ball.triangles[i + 1];
    const std::uint32_t c = ball.triangles[i + 2];
    const std::uint32_t ab = middle(a, b);
    const std::uint32_t bc = middle(b, c);
    const std::uint32_t ca = middle(c, a);
    finer.insert(finer.end(), {a, ab, ca, b, bc, ab, c, ca, bc, ab, bc, ca});
  }
  ball.triangles = std::move(finer);
}

}  // namespace

Icosphere MakeIcosphere(int subdivisions) {
  Icosphere ball = MakeIcosahedron();
  for (int i = 0; i < subdivisions; ++i) Subdivide(ball);
  return ball;
}

}  // namespace warpyard::demo
