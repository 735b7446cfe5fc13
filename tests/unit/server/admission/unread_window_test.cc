// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/admission/unread_window.h"

#include <future>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

using ::testing::HasSubstr;

UnreadWindow::Patience Until(absl::Duration from_now) {
  return {absl::Now() + from_now, absl::DeadlineExceededError("too slow")};
}

const UnreadWindow::Patience kNoPatience = {absl::InfinitePast(),
                                            absl::DeadlineExceededError("too slow")};
const UnreadWindow::Patience kForEver = {absl::InfiniteFuture(), absl::InternalError("never")};

class UnreadWindowTest : public ::testing::Test {
 protected:
  /// Takes on another thread.
  std::future<absl::StatusOr<ByteBudget::Hold>> TakeLater(std::size_t bytes,
                                                          UnreadWindow::Patience patience) {
    return std::async(std::launch::async,
                      [this, bytes, patience] { return window_.Take(bytes, patience); });
  }
  static bool Waits(const std::future<absl::StatusOr<ByteBudget::Hold>>& future) {
    return future.wait_for(std::chrono::milliseconds(50)) == std::future_status::timeout;
  }

  ByteBudget results_{1000, kResultWording};
  UnreadWindow window_{results_, 100};
};

TEST_F(UnreadWindowTest, HasRoomUpToItsSize) {
  const auto first = window_.Take(60, kNoPatience), second = window_.Take(40, kNoPatience);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(results_.used(), 100u);
  EXPECT_EQ(window_.Take(1, kNoPatience).status().message(), "too slow");
}

TEST_F(UnreadWindowTest, TakesOneResultOfAnySize) {
  auto large = window_.Take(500, kNoPatience);
  ASSERT_TRUE(large.ok());
  EXPECT_FALSE(window_.Take(1, kNoPatience).ok());
  large->reset();
  EXPECT_EQ(results_.used(), 0u);
  EXPECT_TRUE(window_.Take(1, kNoPatience).ok());
}

TEST_F(UnreadWindowTest, WaitsUntilTheClientReads) {
  auto first = window_.Take(80, kNoPatience);
  ASSERT_TRUE(first.ok());
  auto second = TakeLater(30, kForEver);
  EXPECT_TRUE(Waits(second));
  first->reset();
  EXPECT_TRUE(second.get().ok());
}

TEST_F(UnreadWindowTest, WaitsForRoomThatOtherCallsTake) {
  auto others = results_.Take(950);
  ASSERT_TRUE(others.ok());
  auto mine = TakeLater(80, kForEver);
  EXPECT_TRUE(Waits(mine));
  others->reset();
  EXPECT_TRUE(mine.get().ok());
}

TEST_F(UnreadWindowTest, RefusesWhatNeverHasRoom) {
  const absl::Status status = window_.Take(1001, kForEver).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), HasSubstr("(--max-unread-mib)"));
}

TEST_F(UnreadWindowTest, LosesPatience) {
  const auto first = window_.Take(100, kNoPatience);
  const absl::Time begin = absl::Now();
  EXPECT_EQ(window_.Take(1, Until(absl::Milliseconds(60))).status().code(),
            absl::StatusCode::kDeadlineExceeded);
  EXPECT_GE(absl::Now() - begin, absl::Milliseconds(60));
}

TEST_F(UnreadWindowTest, EndsWaitsWhenItIsClosed) {
  const auto first = window_.Take(100, kNoPatience);
  auto second = TakeLater(1, kForEver);
  EXPECT_TRUE(Waits(second));
  window_.Close(absl::CancelledError("gone"));
  window_.Close(absl::InternalError("another reason"));
  EXPECT_EQ(second.get().status().message(), "gone");
  EXPECT_EQ(window_.Take(1, kForEver).status().message(), "gone");
}

TEST_F(UnreadWindowTest, MayEndBeforeItsHolds) {
  std::optional<UnreadWindow> window(std::in_place, results_, 100);
  auto hold = window->Take(10, kNoPatience);
  window.reset();
  EXPECT_EQ(results_.used(), 10u);
  hold->reset();
  EXPECT_EQ(results_.used(), 0u);
}

}  // namespace
}  // namespace warpyard::server
