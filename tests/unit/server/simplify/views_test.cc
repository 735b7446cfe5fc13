// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/simplify/views.h"

#include <cstdint>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/messages.h"

namespace warpyard::server {
namespace {

using ::testing::ElementsAre;

v1::ViewGoal Goal() {
  v1::ViewGoal goal;
  v1::View& view = *goal.add_views();
  for (const double x : {1, 2, 3}) view.add_eye(x);
  view.set_near(0.5);
  return goal;
}

TEST(ToViewGoal, HasTheDefaultsOfTheContract) {
  const auto goal = ToViewGoal(Goal());
  ASSERT_TRUE(goal.ok()) << goal.status();
  ASSERT_EQ(goal->views.size(), 1u);
  const simplify::View& view = goal->views[0];
  EXPECT_EQ(view.eye.y, 2);
  EXPECT_EQ(view.forward.z, -1);
  EXPECT_EQ(view.up.y, 1);
  EXPECT_EQ(view.vertical_field, 60);
  EXPECT_DOUBLE_EQ(view.aspect, 16.0 / 9);
  EXPECT_EQ(view.height, 1080);
  EXPECT_EQ(view.near, 0.5);
  EXPECT_EQ(view.max_pixels, 1);
  EXPECT_EQ(view.outside_weight, 0);
  EXPECT_EQ(view.back_facing_weight, 1);
  EXPECT_EQ(goal->hysteresis, 1.25);
  EXPECT_TRUE(goal->previous.empty());
  EXPECT_FALSE(goal->returns_state);
}

TEST(ToViewGoal, TakesWhatIsSet) {
  v1::ViewGoal message = Goal();
  message.set_hysteresis(2);
  message.set_returns_state(true);
  message.set_previous_state(test_support::Bytes<std::uint32_t>({7, 8}));
  message.mutable_views(0)->set_max_pixel_error(0.25);
  message.mutable_views(0)->set_back_facing_weight(0.125);
  const auto goal = ToViewGoal(message);
  ASSERT_TRUE(goal.ok()) << goal.status();
  EXPECT_EQ(goal->hysteresis, 2);
  EXPECT_TRUE(goal->returns_state);
  EXPECT_THAT(goal->previous, ElementsAre(7, 8));
  EXPECT_EQ(goal->views[0].max_pixels, 0.25);
  EXPECT_EQ(goal->views[0].back_facing_weight, 0.125);
}

TEST(ToViewGoal, NamesWhatIsWrong) {
  v1::ViewGoal goal = Goal();
  goal.mutable_views(0)->add_eye(4);
  EXPECT_EQ(ToViewGoal(goal).status().message(), "views[0].eye: 4 numbers, expected x y z");
  goal = Goal();
  goal.mutable_views(0)->add_up(4);
  EXPECT_EQ(ToViewGoal(goal).status().message(), "views[0].up: 1 numbers, expected x y z");
  goal = Goal();
  goal.set_previous_state("abc");
  EXPECT_EQ(ToViewGoal(goal).status().message(), "previous_state: 3 bytes, expected a view_state");
}

}  // namespace
}  // namespace warpyard::server
