// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/event/event_slots.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace warpyard::model {
namespace {

TEST(EventSlots, GivesEachSlotOnceUntilItIsFree) {
  EventSlots slots;
  for (std::uint32_t i = 0; i < EventSlots::kSlots; ++i) EXPECT_EQ(slots.Take(), i);
  EXPECT_EQ(slots.Take(), std::nullopt);
  EXPECT_EQ(slots.Running(), EventSlots::kSlots);
  slots.Free(5);
  EXPECT_FALSE(slots.IsTaken(5));
  EXPECT_EQ(slots.Running(), EventSlots::kSlots - 1);
  EXPECT_EQ(slots.Take(), 5u);
}

TEST(EventSlots, KeepsSlotsForThoseWhoMayUseAllOfThem) {
  EventSlots slots;
  EXPECT_EQ(slots.Take(1), 0u);
  EXPECT_EQ(slots.Take(1), std::nullopt);
  EXPECT_EQ(slots.Take(), 1u);
}

TEST(EventSlots, DoesNotGiveAnAbandonedSlotAgain) {
  EventSlots slots;
  EXPECT_EQ(slots.Take(), 0u);
  slots.Abandon();
  EXPECT_EQ(slots.Running(), 0u);
  EXPECT_TRUE(slots.IsTaken(0));
  EXPECT_EQ(slots.Take(), 1u);
}

}  // namespace
}  // namespace warpyard::model
