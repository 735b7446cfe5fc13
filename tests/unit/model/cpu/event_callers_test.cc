// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/model/cpu/event_callers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <optional>
#include <thread>

#include "absl/status/status.h"

namespace warpyard::model {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

/// Longer than these tests last: only a notification wakes a caller.
constexpr CallerPeriods kNever{minutes(1), minutes(1)};
constexpr seconds kLong{20};
const auto kIgnore = [](std::uint32_t) {};

/// A caller of an event.
class Caller {
 public:
  /// @shape slot: taken before
  Caller(EventCallers& callers, std::uint32_t slot) : slot_(slot) {
    end_ = std::async(std::launch::async, [this, &callers] {
      return callers.AwaitEnd(
          slot_, true, [this] { return over_.load(); }, [this] { ++looks_; });
    });
  }
  ~Caller() { over_ = true; }

  void SetOver() { over_ = true; }
  int Looks() const { return looks_; }
  /// Until it sleeps, or is about to.
  void AwaitLook() const {
    while (looks_ == 0) std::this_thread::yield();
  }
  bool Ends() { return end_.wait_for(kLong) == std::future_status::ready; }
  absl::Status Status() { return end_.get(); }

 private:
  const std::uint32_t slot_;
  std::atomic<bool> over_{false};
  std::atomic<int> looks_{0};
  std::future<absl::Status> end_;
};

std::uint32_t TakeSlot(EventCallers& callers) { return **callers.TakeSlot(nullptr, kIgnore); }

TEST(EventCallers, AnEndWakesItsCaller) {
  EventCallers callers(kNever);
  TakeSlot(callers);
  Caller caller(callers, TakeSlot(callers));
  caller.AwaitLook();
  caller.SetOver();
  callers.TellEnd(1);
  ASSERT_TRUE(caller.Ends());
  EXPECT_TRUE(caller.Status().ok());
}

TEST(EventCallers, AnEndWakesNoOtherCaller) {
  EventCallers callers(kNever);
  TakeSlot(callers);
  Caller caller(callers, TakeSlot(callers));
  caller.AwaitLook();
  for (int i = 0; i < 1'000; ++i) callers.TellEnd(0);
  EXPECT_LE(caller.Looks(), 3) << "a condition variable may wake it for nothing, but seldom";
  caller.SetOver();
  callers.TellEnd(1);
  ASSERT_TRUE(caller.Ends());
}

TEST(EventCallers, AFreeSlotWakesACallerThatWaitsForOne) {
  EventCallers callers(kNever);
  for (std::uint32_t i = 0; i < EventSlots::kSlots; ++i) TakeSlot(callers);
  auto slot = std::async(std::launch::async, [&] { return TakeSlot(callers); });
  EXPECT_EQ(slot.wait_for(milliseconds(50)), std::future_status::timeout);
  callers.FreeSlot(7, kIgnore);
  ASSERT_EQ(slot.wait_for(kLong), std::future_status::ready);
  EXPECT_EQ(slot.get(), 7u);
}

TEST(EventCallers, AFailureWakesAllCallers) {
  EventCallers callers(kNever);
  TakeSlot(callers);
  Caller caller(callers, TakeSlot(callers));
  caller.AwaitLook();
  callers.Fail(absl::InternalError("broken"));
  ASSERT_TRUE(caller.Ends());
  EXPECT_TRUE(absl::IsInternal(caller.Status()));
  EXPECT_TRUE(absl::IsInternal(callers.TakeSlot(nullptr, kIgnore).status()));
}

/// How often a caller asks whether its event is over before it looks, and so sleeps.
int AsksBeforeItSleeps(std::uint32_t events, bool has_deadline) {
  EventCallers callers;
  for (std::uint32_t i = 0; i < events; ++i) TakeSlot(callers);
  int asks = 0, asks_at_look = 0;
  const absl::Status end = callers.AwaitEnd(
      0, has_deadline,
      [&] {
        ++asks;
        return asks_at_look != 0;
      },
      [&] { asks_at_look = asks; });
  EXPECT_TRUE(end.ok());
  return asks_at_look;
}

TEST(EventCallers, CallersWithADeadlineSleepAtOnceWhileOthersRun) {
  EXPECT_LE(AsksBeforeItSleeps(2, true), 2);
  int alone = 0, without = 0;
  for (int i = 0; i < 100 && (alone <= 3 || without <= 3); ++i) {
    alone = std::max(alone, AsksBeforeItSleeps(1, true));
    without = std::max(without, AsksBeforeItSleeps(2, false));
  }
  EXPECT_GT(alone, 3);
  EXPECT_GT(without, 3);
}

}  // namespace
}  // namespace warpyard::model
