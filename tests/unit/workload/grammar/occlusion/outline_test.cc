// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/grammar/occlusion/outline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <utility>

namespace warpyard::grammar {
namespace {

/// A box along the axes.
SeenCorners CornersOf(Vector3d least, Vector3d most) {
  SeenCorners corners;
  for (std::size_t c = 0; c < WorldBox::kCorners; ++c) {
    corners.points[c] = {(c & 1) != 0 ? most.x : least.x, (c & 2) != 0 ? most.y : least.y,
                         (c & 4) != 0 ? most.z : least.z};
  }
  return corners;
}

TEST(Outline, OfABoxAhead) {
  const Points2d hull = HullOf(PictureOf(CornersOf({-1, -1, 2}, {1, 1, 4})));
  ASSERT_EQ(hull.size(), 4u) << "the near side covers the far one";
  for (const Point2d& corner : hull) {
    EXPECT_DOUBLE_EQ(std::abs(corner.x), 0.5);
    EXPECT_DOUBLE_EQ(std::abs(corner.y), 0.5);
  }
  EXPECT_EQ(SectionOf(hull, 0), (std::pair<double, double>{-0.5, 0.5}));
  const auto [first, last] = SectionOf(hull, 0.6);
  EXPECT_GT(first, last) << "nowhere";
}

TEST(Outline, CutsOffWhatIsBehindTheEye) {
  const Points2d hull = HullOf(PictureOf(CornersOf({1, -1, -5}, {2, 1, 10})));
  const auto [first, last] = SectionOf(hull, 0);
  EXPECT_DOUBLE_EQ(first, 0.1) << "the far edge of the wall";
  EXPECT_GT(last, 100) << "it goes on beside the eye";
  EXPECT_TRUE(PictureOf(CornersOf({-1, -1, -3}, {1, 1, -1})).empty());
}

TEST(Outline, KnowsWhatIsBesideThePicture) {
  EXPECT_TRUE(CornersOf({5, 0, 1}, {6, 1, 4}).AreOutside());
  EXPECT_TRUE(CornersOf({-6, 0, 1}, {-5, 1, 4}).AreOutside());
  EXPECT_TRUE(CornersOf({0, 5, 1}, {1, 6, 4}).AreOutside());
  EXPECT_TRUE(CornersOf({0, -6, 1}, {1, -5, 4}).AreOutside());
  EXPECT_TRUE(CornersOf({0, 0, -4}, {1, 1, -1}).AreOutside());
  EXPECT_FALSE(CornersOf({5, 0, 1}, {6, 1, 5.5}).AreOutside());
}

TEST(Outline, TheHullHasAllPointsAndOnlyCorners) {
  std::mt19937 random(3);
  std::uniform_int_distribution<int> place(0, 5), count(0, 20);
  for (int round = 0; round < 2000; ++round) {
    Points2d points;
    for (int i = count(random); i > 0; --i) {
      points.push_back({double(place(random)), double(place(random))});
    }
    const Points2d hull = HullOf(points);
    if (hull.size() < 3) continue;
    for (std::size_t i = 0; i < hull.size(); ++i) {
      const Point2d &a = hull[i], &b = hull[(i + 1) % hull.size()];
      for (const Point2d& p : points) {
        EXPECT_GE((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x), 0);
      }
      const Point2d& c = hull[(i + 2) % hull.size()];
      EXPECT_GT((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x), 0);
    }
  }
}

}  // namespace
}  // namespace warpyard::grammar
