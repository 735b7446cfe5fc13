// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/grammar/rectangle.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <random>

#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

using Points = std::vector<GroundPoint>;

/// The corners of a rectangle whose first side is turned from x to z by an angle.
Points CornersOf(GroundPoint corner, double width, double depth, double angle) {
  const GroundPoint axis = {std::cos(angle), std::sin(angle)};
  const auto at = [&](double w, double d) {
    return GroundPoint{corner.x + axis.x * w - axis.z * d, corner.z + axis.z * w + axis.x * d};
  };
  return {at(0, 0), at(width, 0), at(width, depth), at(0, depth)};
}

/// The area of the least of many rectangles around points.
double AreaBySearch(const Points& points) {
  double least = std::numeric_limits<double>::infinity();
  constexpr int kAngles = 20'000;
  for (int i = 0; i < kAngles; ++i) {
    const double angle = std::numbers::pi / 2 * i / kAngles;
    const double c = std::cos(angle), s = std::sin(angle);
    double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
    for (const GroundPoint& p : points) {
      const double along[2] = {p.x * c + p.z * s, p.z * c - p.x * s};
      for (int k = 0; k < 2; ++k) {
        low[k] = std::min(low[k], along[k]);
        high[k] = std::max(high[k], along[k]);
      }
    }
    least = std::min(least, (high[0] - low[0]) * (high[1] - low[1]));
  }
  return least;
}

void ExpectInside(const Rectangle& rectangle, const Points& points, double tolerance) {
  for (const GroundPoint& p : points) {
    const double x = p.x - rectangle.corner.x, z = p.z - rectangle.corner.z;
    const double along = x * rectangle.axis.x + z * rectangle.axis.z;
    const double across = z * rectangle.axis.x - x * rectangle.axis.z;
    EXPECT_GE(along, -tolerance);
    EXPECT_LE(along, rectangle.width + tolerance);
    EXPECT_GE(across, -tolerance);
    EXPECT_LE(across, rectangle.depth + tolerance);
  }
}

TEST(LeastRectangle, FindsRectanglesAgain) {
  for (const double degrees : {-44.0, -30.0, -1.0, 0.0, 1.0, 30.0, 44.0}) {
    const double angle = degrees * std::numbers::pi / 180;
    const Rectangle found = LeastRectangle(CornersOf({3, -5}, 20, 7, angle));
    EXPECT_NEAR(found.corner.x, 3, 1e-12);
    EXPECT_NEAR(found.corner.z, -5, 1e-12);
    EXPECT_NEAR(found.width, 20, 1e-12);
    EXPECT_NEAR(found.depth, 7, 1e-12);
    EXPECT_NEAR(found.axis.x, std::cos(angle), 1e-12);
    EXPECT_NEAR(found.axis.z, std::sin(angle), 1e-12);
  }
}

TEST(LeastRectangle, HasAnAxisNearX) {
  // The first side becomes the second one.
  const double angle = 60 * std::numbers::pi / 180;
  const Rectangle found = LeastRectangle(CornersOf({0, 0}, 20, 7, angle));
  EXPECT_NEAR(found.width, 7, 1e-12);
  EXPECT_NEAR(found.depth, 20, 1e-12);
  EXPECT_NEAR(found.axis.x, std::cos(angle - std::numbers::pi / 2), 1e-12);
}

TEST(LeastRectangle, IsExactForAxisAlignedPolygons) {
  const Rectangle found = LeastRectangle({{10, 4}, {10, 1}, {2, 1}, {2, 4}, {6, 4}, {5, 2}});
  EXPECT_EQ(found.corner.x, 2);
  EXPECT_EQ(found.corner.z, 1);
  EXPECT_EQ(found.axis.x, 1);
  EXPECT_EQ(found.axis.z, 0);
  EXPECT_EQ(found.width, 8);
  EXPECT_EQ(found.depth, 3);
}

TEST(LeastRectangle, IsTheLeastOfAll) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::uniform_real_distribution<double> x(-50, 50), z(-9, 9);
    Points points(3 + round);
    for (GroundPoint& point : points) point = {x(random), z(random)};
    const Rectangle found = LeastRectangle(points);
    ExpectInside(found, points, 1e-9);
    EXPECT_LE(found.width * found.depth, AreaBySearch(points) * (1 + 1e-9));
    EXPECT_NEAR(std::hypot(found.axis.x, found.axis.z), 1, 1e-12);
    EXPECT_GE(found.axis.x, std::abs(found.axis.z));
  }
}

TEST(LeastRectangle, DoesNotDependOnTheOrderOfPoints) {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> number(-1e5, 1e5);
  Points points(200);
  for (GroundPoint& point : points) point = {number(random), number(random)};
  const Rectangle first = LeastRectangle(points);
  for (int round = 0; round < 20; ++round) {
    std::shuffle(points.begin(), points.end(), random);
    const Rectangle again = LeastRectangle(points);
    EXPECT_EQ(std::memcmp(&again, &first, sizeof first), 0);
  }
}

TEST(LeastRectangle, OfPointsOnALineHasNoArea) {
  for (const Points& points :
       {Points{{1, 1}}, Points{{1, 1}, {1, 1}, {1, 1}}, Points{{0, 0}, {2, 0}, {1, 0}},
        Points{{0, 0}, {3, 3}, {1, 1}}, Points{{0, 5}, {0, 1}, {0, 2}}}) {
    const Rectangle found = LeastRectangle(points);
    EXPECT_NEAR(std::min(found.width, found.depth), 0, 1e-12);
  }
}

TEST(LeastRectangle, EndsForAlmostFlatHulls) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> along(-1e7, 1e7), across(-1e-6, 1e-6);
  for (int round = 0; round < 200; ++round) {
    Points points(64);
    for (GroundPoint& point : points) {
      const double t = along(random);
      point = {t + across(random), 0.3 * t + across(random)};
    }
    ExpectInside(LeastRectangle(points), points, 1e-5);
  }
}

}  // namespace
}  // namespace warpyard::server
