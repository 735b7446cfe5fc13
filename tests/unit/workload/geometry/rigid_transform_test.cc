// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/geometry/rigid_transform.h"

#include <gtest/gtest.h>

namespace warpyard::geometry {
namespace {

TEST(RigidTransform, TurnsAndThenMoves) {
  // A quarter turn about z, which takes x to y.
  const RigidTransform transform = {{{0, -1, 0, 10}, {1, 0, 0, 20}, {0, 0, 1, 30}}};
  const Vector3d moved = Apply(transform, {1, 2, 3});
  EXPECT_EQ(moved.x, 8);
  EXPECT_EQ(moved.y, 21);
  EXPECT_EQ(moved.z, 33);
}

TEST(RigidTransform, AddsFromTheLeftWithoutFusedOperations) {
  // 2^53 + 1 is not a double: the 1 is lost when it is added first, and counts when it is added
  // last.
  const RigidTransform transform = {{{1, 1, 1, 0}, {1, 1, 1, 0}, {1, 1, 1, 0}}};
  EXPECT_EQ(Apply(transform, {0x1p53, 1, -0x1p53}).x, 0);
  EXPECT_EQ(Apply(transform, {0x1p53, -0x1p53, 1}).x, 1);
  // The product of 1 + 2^-30 with itself is rounded before the rest is added.
  const double a = 1 + 0x1p-30;
  const RigidTransform square = {{{a, 1, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  EXPECT_EQ(Apply(square, {a, -(1 + 0x1p-29), 0}).x, 0);
}

}  // namespace
}  // namespace warpyard::geometry
