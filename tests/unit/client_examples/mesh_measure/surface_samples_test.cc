// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_measure/surface_samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace warpyard::mesh_measure {
namespace {

/// A triangle of area 1/2 in the plane z = 0 and one of area 3/2 in the plane z = 1.
const std::vector<double> kPositions = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 1, 0, 1, 1};
const std::vector<std::uint32_t> kTriangles = {0, 1, 2, 3, 4, 5};

TEST(SurfaceSamples, LieOnTrianglesInProportionToTheirArea) {
  const SurfaceSamples samples({kPositions, kTriangles}, 10'000, 5);
  double x = 0, y = 0;
  for (std::size_t i = 0; i < samples.Count(); ++i) {
    const Vector3d point = samples.Point(i);
    ASSERT_TRUE(point.z == 0 || std::fabs(point.z - 1) < 1e-12);
    ASSERT_GE(point.x, 0);
    ASSERT_GE(point.y, 0);
    if (point.z == 0) {
      ASSERT_LE(point.x + point.y, 1 + 1e-12);
      x += point.x;
      y += point.y;
    }
  }
  const double lower = 2500;
  EXPECT_NEAR(x / lower, 1.0 / 3, 0.02);
  EXPECT_NEAR(y / lower, 1.0 / 3, 0.02);
}

TEST(SurfaceSamples, HaveFixedSharesByArea) {
  const SurfaceSamples samples({kPositions, kTriangles}, 1000, 5);
  int lower = 0;
  for (std::size_t i = 0; i < samples.Count(); ++i) lower += samples.Point(i).z < 0.5;
  EXPECT_NEAR(lower, 250, 1);
}

TEST(SurfaceSamples, DependOnTheSeedOnly) {
  const MeshView mesh{kPositions, kTriangles};
  const SurfaceSamples one(mesh, 100, 5), same(mesh, 100, 5), other(mesh, 100, 6);
  EXPECT_EQ(one.Point(42).x, same.Point(42).x);
  EXPECT_NE(one.Point(42).x, other.Point(42).x);
}

TEST(SurfaceSamples, SpreadOverTrianglesWithoutArea) {
  const std::vector<std::uint32_t> points = {0, 0, 0, 4, 4, 4};
  const SurfaceSamples samples({kPositions, points}, 10, 1);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(samples.Point(i).x, i < 5 ? 0 : 3, 1e-12) << i;
}

}  // namespace
}  // namespace warpyard::mesh_measure
