// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/policy/hold.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace warpyard::policy {
namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;
constexpr std::uint64_t kArrivalNs = 1'000'000 * kMillisecond;

EventView DueAt(std::uint64_t deadline_ns) {
  EventView event;
  event.deadline_ns = deadline_ns;
  event.arrival_ns = event.served_ns = kArrivalNs;
  return event;
}

bool Presses(const EventView& event, std::uint64_t now_ns) {
  PolicyOptions options;
  options.hold_part = 8;
  return Hold::Presses(options, event, now_ns);
}

std::uint32_t LeftAt(const EventView& event, std::uint64_t now_ns) {
  return Hold::LeftUs({}, event, now_ns);
}

TEST(Hold, AnEventPressesFromAnEighthOfItsTimeUntilItsDeadline) {
  const EventView event = DueAt(kArrivalNs + 8 * kMillisecond);
  EXPECT_FALSE(Presses(event, kArrivalNs));
  EXPECT_FALSE(Presses(event, kArrivalNs + kMillisecond - 1));
  EXPECT_TRUE(Presses(event, kArrivalNs + kMillisecond));
  EXPECT_TRUE(Presses(event, kArrivalNs + 8 * kMillisecond - 1));
  EXPECT_FALSE(Presses(event, kArrivalNs + 8 * kMillisecond));
}

TEST(Hold, AnEventPressesForSomeMillisecondsAtMost) {
  const EventView event = DueAt(kArrivalNs + 800 * kMillisecond);
  EXPECT_TRUE(Presses(event, kArrivalNs + 119 * kMillisecond));
  EXPECT_FALSE(Presses(event, kArrivalNs + 120 * kMillisecond));
}

TEST(Hold, NoEventPressesThatHasLessThanAMillisecond) {
  const EventView shorter = DueAt(kArrivalNs + kMillisecond - 1);
  EXPECT_FALSE(Presses(shorter, kArrivalNs + kMillisecond / 2));
  const EventView event = DueAt(kArrivalNs + kMillisecond);
  EXPECT_FALSE(Presses(event, kArrivalNs + kMillisecond / 4 - 1));
  EXPECT_TRUE(Presses(event, kArrivalNs + kMillisecond / 4));
}

TEST(Hold, NoEventPressesWithoutADeadline) {
  EXPECT_FALSE(Presses(DueAt(kNoDeadline), kArrivalNs + kMillisecond));
  EXPECT_FALSE(Presses(DueAt(kArrivalNs - kMillisecond), kArrivalNs)) << "it came too late";
}

TEST(Hold, NoEventPressesWhereDeadlinesMeanNothingOrNobodyIsToWait) {
  const EventView event = DueAt(kArrivalNs + 8 * kMillisecond);
  const std::uint64_t now_ns = kArrivalNs + 4 * kMillisecond;
  PolicyOptions options;
  EXPECT_TRUE(Hold::Presses(options, event, now_ns));
  options.kind = PolicyKind::kEarliestDeadline;
  EXPECT_TRUE(Hold::Presses(options, event, now_ns));
  options.kind = PolicyKind::kQuota;
  EXPECT_FALSE(Hold::Presses(options, event, now_ns));
  options = {};
  options.hold_part = 0;
  EXPECT_FALSE(Hold::Presses(options, event, now_ns));
}

TEST(Hold, ThoseWithoutADeadlineAheadWait) {
  const std::uint32_t pressing = Hold::SpanUs(DueAt(kArrivalNs + 2 * kMillisecond));
  EXPECT_TRUE(Hold::Waits(LeftAt(DueAt(kNoDeadline), kArrivalNs), pressing));
  const std::uint64_t now_ns = kArrivalNs + kMillisecond;
  EXPECT_TRUE(Hold::Waits(LeftAt(DueAt(now_ns), now_ns), pressing)) << "it is late";
  // The longest time is still shorter than none.
  const std::uint32_t longest = Hold::SpanUs(DueAt(kNoDeadline - 1));
  EXPECT_TRUE(Hold::Waits(LeftAt(DueAt(kNoDeadline), kArrivalNs), longest));
}

TEST(Hold, ThoseWithFarMoreTimeLeftWait) {
  const EventView event = DueAt(kArrivalNs + 2 * kMillisecond);
  const std::uint32_t pressing = Hold::SpanUs(event);
  EXPECT_FALSE(Hold::Waits(LeftAt(event, kArrivalNs), pressing));
  const EventView other = DueAt(kArrivalNs + 20 * kMillisecond);
  EXPECT_TRUE(Hold::Waits(LeftAt(other, kArrivalNs), pressing));
  EXPECT_FALSE(Hold::Waits(LeftAt(other, kArrivalNs + 4 * kMillisecond), pressing));
}

TEST(Hold, NobodyWaitsWhereNonePresses) {
  EXPECT_FALSE(Hold::Waits(LeftAt(DueAt(kNoDeadline), kArrivalNs), Hold::kNone));
  EXPECT_FALSE(Hold::Waits(LeftAt(DueAt(kNoDeadline - 1), kArrivalNs), Hold::kNone));
}

TEST(Hold, AnEventThatComesFirstInAnyCaseNeverWaits) {
  PolicyOptions options;
  const std::uint64_t now_ns = kArrivalNs + options.starvation_ns;
  EXPECT_FALSE(Hold::Waits(Hold::LeftUs(options, DueAt(kNoDeadline), now_ns), 1)) << "it starves";
  options.kind = PolicyKind::kEarliestDeadline;
  options.starvation_ns = 0;
  EXPECT_FALSE(Hold::Waits(Hold::LeftUs(options, DueAt(now_ns - 1), now_ns), 1)) << "it is late";
  EXPECT_TRUE(Hold::Waits(Hold::LeftUs(options, DueAt(kNoDeadline), now_ns), 1));
}

}  // namespace
}  // namespace warpyard::policy
