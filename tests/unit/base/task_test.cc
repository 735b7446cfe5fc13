// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/base/task.h"

#include <gtest/gtest.h>

#include <coroutine>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace warpyard {
namespace {

/// Holds the coroutine that awaits it.
struct Gate {
  std::coroutine_handle<> waiting = nullptr;

  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> handle) { waiting = handle; }
  void await_resume() const {}
  void Open() { std::exchange(waiting, nullptr).resume(); }
};

Task<int> Value(int value) { co_return value; }

Task<int> SumUpTo(int last) {
  int sum = 0;
  for (int i = 1; i <= last; ++i) sum += co_await Value(i);
  co_return sum;
}

Task<absl::StatusOr<std::string>> Text(absl::StatusOr<int> number) {
  WY_CO_ASSIGN_OR_RETURN(const int value, number);
  WY_CO_RETURN_IF_ERROR(value == 7 ? absl::AbortedError("seven") : absl::OkStatus());
  co_return std::to_string(value);
}

Task<int> Throwing() {
  throw std::runtime_error("thrown");
  co_return 0;
}

Task<int> AfterThree(Gate& gate) {
  for (int i = 0; i < 3; ++i) co_await gate;
  co_return 3;
}

Task<std::unique_ptr<int>> Outer(Gate& gate) {
  const int three = co_await AfterThree(gate);
  co_return std::make_unique<int>(three + 1);
}

DetachedTask Store(Task<std::unique_ptr<int>> task, std::unique_ptr<int>& to) {
  to = co_await task;
}

TEST(Task, RunsAtOnceWhenNothingWaits) { EXPECT_EQ(SumUpTo(1000).RunNow(), 500500); }

TEST(Task, ReturnsErrorsEarly) {
  EXPECT_EQ(Text(5).RunNow().value(), "5");
  EXPECT_EQ(Text(absl::NotFoundError("none")).RunNow().status(), absl::NotFoundError("none"));
  EXPECT_EQ(Text(7).RunNow().status(), absl::AbortedError("seven"));
}

TEST(Task, PassesExceptionsToWhoeverAwaitsIt) {
  const auto caught = []() -> Task<std::string> {
    try {
      co_await Throwing();
    } catch (const std::runtime_error& error) {
      co_return error.what();
    }
    co_return "";
  };
  EXPECT_EQ(caught().RunNow(), "thrown");
  EXPECT_THROW(Throwing().RunNow(), std::runtime_error);
}

TEST(Task, GoesOnWhenWhatItAwaitsResumesIt) {
  Gate gate;
  std::unique_ptr<int> result;
  Store(Outer(gate), result);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(result, nullptr);
    gate.Open();
  }
  ASSERT_NE(result, nullptr);
  EXPECT_EQ(*result, 4);
}

TEST(Task, IsFreedWithoutHavingStarted) {
  Gate gate;
  { const Task<int> unused = AfterThree(gate); }
  EXPECT_EQ(gate.waiting, nullptr);
}

TEST(TaskDeath, RunNowOfATaskThatWaitsIsABrokenInvariant) {
  Gate gate;
  EXPECT_DEATH(static_cast<void>(AfterThree(gate).RunNow()), "invariant broken");
}

}  // namespace
}  // namespace warpyard
