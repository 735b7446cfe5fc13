// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/demo/cloth_simulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "client_examples/demo/icosphere.h"

namespace warpyard::demo {
namespace {

std::uint64_t HashAfter(int frames, std::uint64_t seed) {
  ClothSimulation cloth({.side_vertices = 40, .ball_subdivisions = 2, .seed = seed});
  for (int i = 0; i < frames; ++i) cloth.Advance();
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const float value : cloth.Positions()) {
    hash = (hash ^ std::bit_cast<std::uint32_t>(value)) * 1099511628211u;
  }
  return hash;
}

float LowestOfCloth(const ClothSimulation& cloth) {
  const std::vector<float> positions = cloth.Positions();
  float lowest = positions[2];
  for (std::size_t i = 0; i < cloth.ClothVertices(); ++i) {
    lowest = std::min(lowest, positions[3 * i + 2]);
  }
  return lowest;
}

TEST(ClothSimulation, HasAbout92000Triangles) {
  const ClothSimulation cloth({});
  EXPECT_EQ(cloth.Triangles().size(), 3u * 91'922);
  const std::size_t vertices = cloth.Positions().size() / 3;
  EXPECT_EQ(cloth.VertexGroups().size(), vertices);
  for (const std::uint32_t corner : cloth.Triangles()) ASSERT_LT(corner, vertices);
}

TEST(ClothSimulation, FollowsTheSeed) {
  EXPECT_EQ(HashAfter(10, 1), HashAfter(10, 1));
  EXPECT_NE(HashAfter(10, 1), HashAfter(10, 2));
  EXPECT_NE(HashAfter(10, 1), HashAfter(9, 1));
}

// Three times as many frames as the demo: nothing explodes, the cloth falls and stays outside the
// ball.
TEST(ClothSimulation, FallsOnTheBallAndStaysOutOfIt) {
  ClothSimulation cloth({.side_vertices = 60, .ball_subdivisions = 2});
  const float start = LowestOfCloth(cloth);
  std::size_t touching = 0;
  for (int frame = 0; frame < 60; ++frame) {
    cloth.Advance();
    const std::vector<float> positions = cloth.Positions();
    for (std::size_t i = 0; i < cloth.ClothVertices(); ++i) {
      const double x = positions[3 * i], y = positions[3 * i + 1], z = positions[3 * i + 2];
      const double distance = std::sqrt(x * x + y * y + z * z);
      ASSERT_TRUE(std::isfinite(distance));
      ASSERT_LT(distance, 10);
      ASSERT_GT(distance, ClothSimulation::kBallRadius - 1e-6);
      touching += distance < ClothSimulation::kBallRadius + 1e-6;
    }
  }
  EXPECT_GT(touching, 1000u);
  EXPECT_LT(LowestOfCloth(cloth), start - 0.2);
}

TEST(ClothSimulation, SpinsTheBall) {
  ClothSimulation cloth({.side_vertices = 10, .ball_subdivisions = 1});
  const std::vector<float> before = cloth.Positions();
  cloth.Advance();
  const std::vector<float> after = cloth.Positions();
  float moved = 0;
  for (std::size_t i = 3 * cloth.ClothVertices(); i < before.size(); i += 3) {
    EXPECT_EQ(after[i + 2], before[i + 2]);
    EXPECT_NEAR(std::hypot(after[i], after[i + 1], after[i + 2]), ClothSimulation::kBallRadius,
                1e-6);
    moved = std::max(moved, std::hypot(after[i] - before[i], after[i + 1] - before[i + 1]));
  }
  EXPECT_GT(moved, 0.01);
}

TEST(Icosphere, IsClosedAndRound) {
  const Icosphere ball = MakeIcosphere(3);
  EXPECT_EQ(ball.triangles.size(), 3u * 20 * 64);
  EXPECT_EQ(ball.directions.size(), 2u + 10 * 64);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> sides;
  for (std::size_t i = 0; i < ball.triangles.size(); i += 3) {
    for (std::size_t side = 0; side < 3; ++side) {
      ++sides[{ball.triangles[i + side], ball.triangles[i + (side + 1) % 3]}];
    }
  }
  for (const auto& [side, count] : sides) {
    EXPECT_EQ(count, 1);
    EXPECT_TRUE(sides.contains({side.second, side.first}));
  }
  for (const auto& d : ball.directions) EXPECT_NEAR(std::hypot(d[0], d[1], d[2]), 1, 1e-14);
}

}  // namespace
}  // namespace warpyard::demo
