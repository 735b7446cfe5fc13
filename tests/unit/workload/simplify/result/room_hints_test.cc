// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/result/room_hints.h"

#include <gtest/gtest.h>

namespace warpyard::simplify {
namespace {

TEST(RoomHints, GiveRoomForALittleMoreThanTheLatestResults) {
  RoomHints hints;
  EXPECT_EQ(hints.Room(3).triangles, 0u);
  hints.Learn(3, {1000, 400});
  EXPECT_EQ(hints.Room(2).triangles, 0u);
  EXPECT_EQ(hints.Room(3).triangles, 1506u);
  EXPECT_EQ(hints.Room(3).vertices, 756u);
  hints.Learn(3, {2000, 900});
  EXPECT_EQ(hints.Room(3).triangles, 2756u);
}

TEST(RoomHints, ForgetALargeResultSlowly) {
  RoomHints hints;
  hints.Learn(0, {100'000, 50'000});
  hints.Learn(0, {100, 60});
  EXPECT_GT(hints.Room(0).triangles, 100'000u);
  for (int i = 0; i < 200; ++i) hints.Learn(0, {100, 60});
  EXPECT_EQ(hints.Room(0).triangles, 381u);
  EXPECT_EQ(hints.Room(0).vertices, 331u);
}

}  // namespace
}  // namespace warpyard::simplify
