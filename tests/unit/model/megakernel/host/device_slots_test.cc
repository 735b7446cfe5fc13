// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/megakernel/host/device_slots.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace warpyard::model {
namespace {

TEST(DeviceSlots, KeepsSomeSlotsForEventsWithADeadline) {
  DeviceSlots slots;
  std::uint32_t taken = 0;
  while (slots.Take(false).has_value()) ++taken;
  EXPECT_LT(taken, EventSlots::kSlots);
  EXPECT_TRUE(slots.Take(true).has_value());
}

TEST(DeviceSlots, NumbersTheEventsOfASlot) {
  DeviceSlots slots;
  const std::optional<std::uint32_t> slot = slots.Take(false);
  EXPECT_EQ(slots.Begin(*slot, 1), 1u);
  slots.End(*slot, true);
  EXPECT_EQ(slots.Take(false), slot);
  EXPECT_EQ(slots.Begin(*slot, 2), 2u);
}

TEST(DeviceSlots, KnowsHowLongEventsRun) {
  DeviceSlots slots;
  const std::optional<std::uint32_t> slot = slots.Take(false);
  slots.Begin(*slot, 1000);
  EXPECT_FALSE(slots.AnyRunsFor(50, 1049));
  EXPECT_TRUE(slots.AnyRunsFor(50, 1050));
  slots.End(*slot, true);
  EXPECT_FALSE(slots.AnyRunsFor(50, 2000));
}

TEST(DeviceSlots, ForgetsWhenTheEventBeforeBegan) {
  DeviceSlots slots;
  const std::optional<std::uint32_t> slot = slots.Take(false);
  slots.Begin(*slot, 1000);
  slots.End(*slot, true);
  ASSERT_EQ(slots.Take(false), slot);
  EXPECT_FALSE(slots.AnyRunsFor(50, 1'000'000)) << "the next event has not begun";
}

TEST(DeviceSlots, KeepsTheSlotOfAnEventThatDidNotEnd) {
  DeviceSlots slots;
  const std::optional<std::uint32_t> slot = slots.Take(false);
  slots.Begin(*slot, 1000);
  slots.End(*slot, false);
  EXPECT_EQ(slots.Running(), 0u);
  EXPECT_NE(slots.Take(false), slot);
}

}  // namespace
}  // namespace warpyard::model
