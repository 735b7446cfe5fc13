// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/geometry/oriented_box.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "tests/support/mesh_fixtures.h"
#include "tests/support/oracles/exact_box.h"

namespace warpyard::geometry {
namespace {

using test_support::CertainlyApart;
using test_support::Contains;
using test_support::CornersOf;
using test_support::Random;

/// Sizes along three directions, and the distance from the origin.
struct Shape {
  double size[3];
  double far;
};
constexpr Shape kShapes[] = {
    {{1, 1, 1}, 0},         {{1, 0.3, 0}, 0},     {{1, 0, 0}, 0},         {{0, 0, 0}, 1},
    {{1, 1e-6, 1e-9}, 0},   {{1, 0.5, 0.1}, 1e4}, {{1e-3, 1e-3, 0}, 1e7}, {{1e30, 1e29, 1e20}, 0},
    {{1e-30, 1e-32, 0}, 0}, {{1e-3, 1, 1}, 1e9}};

Vector3d RandomPoint(Random& random) {
  return {random.Uniform(-1, 1), random.Uniform(-1, 1), random.Uniform(-1, 1)};
}

Vector3d RandomDirection(Random& random, bool along_axes) {
  if (along_axes) {
    const std::uint32_t axis = random.Below(3);
    return {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
  }
  const Vector3d point = RandomPoint(random);
  return (1 / std::sqrt(Dot(point, point) + 1e-9)) * point;
}

/// Points of a shape, turned at random.
FitParts<6> Points(Random& random, const Shape& shape, const Vector3d& origin) {
  const bool along_axes = random.Below(4) == 0;
  const Vector3d u = RandomDirection(random, along_axes), v = RandomDirection(random, along_axes);
  const Vector3d axes[3] = {u, Cross(u, v), Cross(u, Cross(u, v))};
  FitParts<6> parts{};
  for (Vector3d& point : parts.center) {
    point = origin;
    for (std::size_t k = 0; k < 3; ++k) {
      point = point + (shape.size[k] * random.Uniform(-1, 1)) * axes[k];
    }
  }
  return parts;
}

const Shape& AnyShape(Random& random) {
  return kShapes[random.Below(static_cast<std::uint32_t>(std::size(kShapes)))];
}

Vector3d Origin(Random& random, const Shape& shape) { return shape.far * RandomPoint(random); }

TEST(OrientedBox, ContainsItsPointsAndWhatIsNearThem) {
  Random random(1);
  for (int run = 0; run < 3000; ++run) {
    const Shape& shape = AnyShape(random);
    const FitParts<6> parts = Points(random, shape, Origin(random, shape));
    const double pad = run % 2 == 0 ? 0 : 0.01 * (shape.size[0] + shape.far);
    const OrientedBox box = FitBox(parts, pad);
    for (const Vector3d& point : parts.center) {
      ASSERT_TRUE(Contains(box, point)) << run;
      const Vector3d near = point + (0.999 * pad) * RandomDirection(random, false);
      ASSERT_TRUE(Contains(box, near)) << run;
    }
  }
}

TEST(OrientedBox, ContainsTheBoxesThatItIsFittedTo) {
  Random random(2);
  for (int run = 0; run < 2000; ++run) {
    const Shape& shape = AnyShape(random);
    const Vector3d origin = Origin(random, shape);
    const OrientedBox below[2] = {FitBox(Points(random, shape, origin), 0),
                                  FitBox(Points(random, shape, origin), 0)};
    FitParts<2> parts;
    for (int i = 0; i < 2; ++i) {
      parts.center[i] = {below[i].center[0], below[i].center[1], below[i].center[2]};
      ArmsOf(below[i], parts.arm[i]);
    }
    const OrientedBox box = FitBox(parts, 0);
    for (const OrientedBox& part : below) {
      // Corners in doubles, moved inward a little, so that rounding does not put them outside.
      for (const Vector3d& corner : CornersOf(part, 1 - 1e-9)) {
        const double far = std::abs(corner.x) + std::abs(corner.y) + std::abs(corner.z);
        const double size = static_cast<double>(part.half[0]) + static_cast<double>(part.half[1]);
        if (far * 1e-15 > size * 1e-10) continue;
        ASSERT_TRUE(Contains(box, corner)) << run;
      }
    }
  }
}

TEST(OrientedBox, IsTightAroundATurnedSheet) {
  Random random(3);
  for (int run = 0; run < 500; ++run) {
    const FitParts<6> parts = Points(random, {{1, 0.7, 0}, 0}, {0, 0, 0});
    const OrientedBox box = FitBox(parts, 0);
    EXPECT_LT(std::min({box.half[0], box.half[1], box.half[2]}), 1e-5F) << run;
  }
}

TEST(OrientedBox, OfPointsOutOfRangeIsThatOfAll) {
  FitParts<6> parts{};
  for (int i = 0; i < 6; ++i) parts.center[i] = {i % 2 == 0 ? 1e38 : -1e38, 0, 1e38};
  const OrientedBox box = FitBox(parts, 0);
  for (const Vector3d& point : parts.center) EXPECT_TRUE(Contains(box, point));
  Random random(1);
  EXPECT_FALSE(Apart(box, FitBox(Points(random, kShapes[0], {5, 5, 5}), 0)));
  EXPECT_FALSE(Apart(box, box));
}

/// A box near another, at a distance of about their sizes, so that some pairs are apart and some
/// are not.
OrientedBox Neighbour(Random& random, const Shape& shape, const OrientedBox& other) {
  const double reach = 1.6 * (shape.size[0] + static_cast<double>(other.half[0]) +
                              static_cast<double>(other.half[1]));
  const Vector3d center = {other.center[0], other.center[1], other.center[2]};
  return FitBox(Points(random, shape, center + reach * RandomPoint(random)), 0);
}

TEST(Apart, IsOnlySaidOfBoxesThatAre) {
  Random random(4);
  int apart = 0;
  for (int run = 0; run < 20000; ++run) {
    const Shape& shape = AnyShape(random);
    const OrientedBox a = FitBox(Points(random, shape, Origin(random, shape)), 0);
    const OrientedBox b = Neighbour(random, run % 3 == 0 ? AnyShape(random) : shape, a);
    if (!Apart(a, b)) continue;
    ASSERT_TRUE(Apart(b, a)) << run;
    ASSERT_TRUE(CertainlyApart(a, b)) << run;
    ++apart;
  }
  EXPECT_GT(apart, 2000);
  EXPECT_LT(apart, 18000);
}

/// Boxes that touch, or nearly touch, with different axes: turned, parallel, or nearly parallel.
TEST(Apart, IsOnlySaidOfBoxesThatAreWhereTheyTouch) {
  Random random(5);
  int apart = 0, together = 0;
  for (int run = 0; run < 10000; ++run) {
    const Shape& shape = AnyShape(random);
    const OrientedBox a = FitBox(Points(random, shape, Origin(random, shape)), 0);
    OrientedBox b = FitBox(Points(random, shape, Origin(random, shape)), 0);
    if (run % 3 == 0) {
      for (int i = 0; i < 9; ++i) {
        b.axis[i / 3][i % 3] = a.axis[i / 3][i % 3];
        if (run % 2 == 0) b.axis[i / 3][i % 3] += static_cast<float>(random.Uniform(-1e-6, 1e-6));
      }
    }
    // Moves b along a direction until both boxes would touch along it, up to a few roundings of
    // floats.
    const Vector3d along =
        run % 2 == 0 ? internal::Row(a.axis[run % 3])
                     : Cross(internal::Row(a.axis[run % 3]), internal::Row(b.axis[run / 3 % 3]));
    const double length = Dot(along, along);
    if (length < 1e-6) continue;
    const double reach = internal::Reach(a, along) + internal::Reach(b, along);
    const Vector3d at =
        internal::Row(a.center) + (reach * (1 + random.Uniform(-1e-6, 1e-6)) / length) * along;
    b.center[0] = static_cast<float>(at.x);
    b.center[1] = static_cast<float>(at.y);
    b.center[2] = static_cast<float>(at.z);
    const bool certain = CertainlyApart(a, b);
    if (Apart(a, b)) {
      ASSERT_TRUE(certain) << run;
      ++apart;
    } else {
      together += certain ? 0 : 1;
    }
  }
  EXPECT_GT(apart, 500);
  EXPECT_GT(together, 500);
}

TEST(Apart, IsSaidOfBoxesThatAreMoreThanRoundingApart) {
  Random random(6);
  int apart = 0;
  for (int run = 0; run < 5000; ++run) {
    const Shape& shape = kShapes[run % 3];
    const OrientedBox a = FitBox(Points(random, shape, {0, 0, 0}), 0);
    const OrientedBox b = Neighbour(random, shape, a);
    OrientedBox wide = a;
    for (float& half : wide.half) half += 1e-5F;
    if (!CertainlyApart(wide, b)) continue;
    EXPECT_TRUE(Apart(a, b)) << run;
    ++apart;
  }
  EXPECT_GT(apart, 1000);
}

}  // namespace
}  // namespace warpyard::geometry
