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

std::uint32_t SpanAt(const EventView& event, std::uint64_t now_ns) {
  return Hold::SpanUs({}, event, now_ns);
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
  const std::uint32_t pressing = SpanAt(DueAt(kArrivalNs + 2 * kMillisecond), kArrivalNs);
  EXPECT_TRUE(Hold::Waits(SpanAt(DueAt(kNoDeadline), kArrivalNs), pressing));
  EXPECT_TRUE(
      Hold::Waits(SpanAt(DueAt(kArrivalNs + kMillisecond), kArrivalNs + kMillisecond), pressing))
      << "it is late";
  // The longest span is still shorter than none.
  const std::uint32_t longest = SpanAt(DueAt(kNoDeadline - 1), kArrivalNs);
  EXPECT_TRUE(Hold::Waits(SpanAt(DueAt(kNoDeadline), kArrivalNs), longest));
}

TEST(Hold, ThoseWithFarMoreTimeWait) {
  const std::uint32_t pressing = SpanAt(DueAt(kArrivalNs + 2 * kMillisecond), kArrivalNs);
  EXPECT_FALSE(Hold::Waits(pressing, pressing));
  EXPECT_FALSE(Hold::Waits(SpanAt(DueAt(kArrivalNs + 16 * kMillisecond), kArrivalNs), pressing));
  EXPECT_TRUE(Hold::Waits(SpanAt(DueAt(kArrivalNs + 20 * kMillisecond), kArrivalNs), pressing));
}

TEST(Hold, NobodyWaitsWhereNonePresses) {
  EXPECT_FALSE(Hold::Waits(SpanAt(DueAt(kNoDeadline), kArrivalNs), Hold::kNone));
  EXPECT_FALSE(Hold::Waits(SpanAt(DueAt(kNoDeadline - 1), kArrivalNs), Hold::kNone));
}

TEST(Hold, AnEventThatStarvesNeverWaits) {
  const PolicyOptions options;
  const EventView event = DueAt(kNoDeadline);
  const std::uint32_t span = Hold::SpanUs(options, event, kArrivalNs + options.starvation_ns);
  EXPECT_FALSE(Hold::Waits(span, 1));
}

}  // namespace
}  // namespace warpyard::policy
