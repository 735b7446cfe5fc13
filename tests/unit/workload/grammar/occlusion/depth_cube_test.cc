// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/occlusion/depth_cube.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "tests/support/grammar/rays.h"

namespace warpyard::grammar {
namespace {

/// A box along the axes.
WorldBox Box(Vector3d least, Vector3d size) {
  return {least, {Vector3d{size.x, 0, 0}, Vector3d{0, size.y, 0}, Vector3d{0, 0, size.z}}};
}

bool Hides(const Vector3d& eye, const std::vector<WorldBox>& occluders, const WorldBox& box) {
  DepthCube cube(eye);
  for (const WorldBox& occluder : occluders) cube.Add(occluder);
  cube.Finish();
  return cube.Hides(box);
}

TEST(DepthCube, AWallHidesWhatIsBehindIt) {
  const WorldBox wall = Box({-20, -20, 10}, {40, 40, 1});
  EXPECT_TRUE(Hides({0, 0, 0}, {wall}, Box({-5, -5, 20}, {10, 10, 10})));
  EXPECT_FALSE(Hides({0, 0, 0}, {}, Box({-5, -5, 20}, {10, 10, 10})));
  EXPECT_FALSE(Hides({0, 0, 0}, {wall}, Box({-5, -5, 2}, {10, 10, 3}))) << "before the wall";
  EXPECT_FALSE(Hides({0, 0, 0}, {wall}, Box({-5, -5, 5}, {10, 10, 20}))) << "through the wall";
  EXPECT_FALSE(Hides({0, 0, 0}, {wall}, Box({-5, -5, -30}, {10, 10, 10}))) << "behind the eye";
  EXPECT_FALSE(Hides({0, 0, 0}, {wall}, Box({-5, 0, 40}, {10, 81, 10}))) << "looks over the wall";
  EXPECT_FALSE(Hides({0, 0, 0}, {wall}, wall)) << "not itself";
}

TEST(DepthCube, WallsHideTogether) {
  const WorldBox left = Box({-50, -20, 10}, {51, 40, 1}), right = Box({0, -20, 10}, {50, 40, 1});
  const WorldBox wide = Box({-40, -5, 60}, {80, 10, 10});
  EXPECT_FALSE(Hides({0, 0, 0}, {left}, wide));
  EXPECT_FALSE(Hides({0, 0, 0}, {right}, wide));
  EXPECT_TRUE(Hides({0, 0, 0}, {left, right}, wide));
  const WorldBox apart = Box({2, -20, 10}, {50, 40, 1});
  EXPECT_FALSE(Hides({0, 0, 0}, {left, apart}, wide)) << "a gap";
}

TEST(DepthCube, AWallBesideTheEyeHidesAcrossFaces) {
  const WorldBox wall = Box({2, -30, -100}, {1, 60, 200});
  EXPECT_TRUE(Hides({0, 0, 0}, {wall}, Box({20, -5, -120}, {10, 10, 10})));
  EXPECT_TRUE(Hides({0, 0, 0}, {wall}, Box({110, -5, -80}, {10, 10, 160})));
  EXPECT_FALSE(Hides({0, 0, 0}, {wall}, Box({110, -5, -4000}, {10, 10, 8000}))) << "looks out";
}

TEST(DepthCube, ABoxWithTheEyeInsideHidesNothing) {
  EXPECT_FALSE(Hides({0, 0, 0}, {Box({-5, -5, -5}, {10, 10, 10})}, Box({20, 0, 0}, {1, 1, 1})));
}

TEST(DepthCube, TakesFlatAndTinyBoxes) {
  EXPECT_TRUE(Hides({0, 0, 0}, {Box({-20, -20, 10}, {40, 40, 0})}, Box({0, 0, 20}, {1, 1, 0})));
  EXPECT_FALSE(Hides({0, 0, 0}, {Box({0, 0, 10}, {1e-4, 1e-4, 1e-4})}, Box({0, 0, 20}, {1, 1, 1})));
  EXPECT_FALSE(Hides({0, 0, 0}, {Box({0, -20, -10}, {0, 40, 20})}, Box({0, 0, 20}, {1, 1, 1})))
      << "the eye is in the plane of a flat box";
}

TEST(DepthCube, WhateverItHidesNoRayReaches) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  const auto box = [&](double reach, double most) {
    const float position[3] = {float(reach * (2 * unit(random) - 1)),
                               float(reach * (2 * unit(random) - 1)),
                               float(reach * (2 * unit(random) - 1))};
    float q[4] = {float(unit(random)), float(unit(random)), float(unit(random)),
                  float(unit(random))};
    const float length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (float& part : q) part /= length;
    const float size[3] = {float(most * unit(random)), float(most * unit(random)),
                           float(most * unit(random))};
    return BoxOf(position, q, size);
  };
  int hidden = 0;
  for (int scene = 0; scene < 60; ++scene) {
    const Vector3d eye = {unit(random), unit(random), unit(random)};
    std::vector<WorldBox> occluders;
    for (int i = 0; i < 40; ++i) occluders.push_back(box(30, 25));
    DepthCube cube(eye);
    for (const WorldBox& occluder : occluders) cube.Add(occluder);
    cube.Finish();
    for (int i = 0; i < 100; ++i) {
      const WorldBox target = box(100, 10);
      if (!cube.Hides(target)) continue;
      ++hidden;
      for (int ray = 0; ray < 64; ++ray) {
        const Vector3d point = test_support::PointIn(target, random);
        ASSERT_TRUE(std::ranges::any_of(
            occluders,
            [&](const WorldBox& occluder) { return test_support::Meets(occluder, eye, point); }))
            << scene << " " << i;
      }
    }
  }
  EXPECT_GT(hidden, 1000);
}

}  // namespace
}  // namespace warpyard::grammar
