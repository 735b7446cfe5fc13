// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/admission/unread_window.h"

#include <future>
#include <optional>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

using ::testing::HasSubstr;

class UnreadWindowTest : public ::testing::Test {
 protected:
  /// Takes on another thread.
  std::future<absl::StatusOr<ByteBudget::Hold>> TakeLater(std::size_t bytes,
                                                          const procedure::CancelToken& token) {
    return std::async(std::launch::async,
                      [this, bytes, &token] { return window_.Take(bytes, token); });
  }
  static bool Waits(const std::future<absl::StatusOr<ByteBudget::Hold>>& future) {
    return future.wait_for(std::chrono::milliseconds(50)) == std::future_status::timeout;
  }

  /// A token of a job that was cancelled: nothing waits.
  static procedure::CancelToken& Cancelled() {
    static procedure::CancelToken token;
    token.Cancel();
    return token;
  }

  procedure::CancelToken token_;
  ByteBudget results_{1000, kResultWording};
  UnreadWindow window_{results_, 100, absl::Minutes(1)};
};

TEST_F(UnreadWindowTest, HasRoomUpToItsSize) {
  const auto first = window_.Take(60, Cancelled()), second = window_.Take(40, Cancelled());
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(results_.used(), 100u);
  EXPECT_TRUE(absl::IsCancelled(window_.Take(1, Cancelled()).status()));
}

TEST_F(UnreadWindowTest, TakesOneResultOfAnySize) {
  auto large = window_.Take(500, Cancelled());
  ASSERT_TRUE(large.ok());
  EXPECT_FALSE(window_.Take(1, Cancelled()).ok());
  large->reset();
  EXPECT_EQ(results_.used(), 0u);
  EXPECT_TRUE(window_.Take(1, Cancelled()).ok());
}

TEST_F(UnreadWindowTest, WaitsUntilTheClientReads) {
  auto first = window_.Take(80, Cancelled());
  ASSERT_TRUE(first.ok());
  auto second = TakeLater(30, token_);
  EXPECT_TRUE(Waits(second));
  first->reset();
  EXPECT_TRUE(second.get().ok());
}

TEST_F(UnreadWindowTest, WaitsForRoomThatOtherCallsTake) {
  auto others = results_.Take(950);
  ASSERT_TRUE(others.ok());
  auto mine = TakeLater(80, token_);
  EXPECT_TRUE(Waits(mine));
  others->reset();
  EXPECT_TRUE(mine.get().ok());
}

TEST_F(UnreadWindowTest, RefusesWhatNeverHasRoom) {
  const absl::Status status = window_.Take(1001, token_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), HasSubstr("(--max-unread-mib)"));
}

TEST_F(UnreadWindowTest, EndsWaitsWhenTheJobIsCancelled) {
  const auto first = window_.Take(100, token_);
  auto second = TakeLater(1, token_);
  EXPECT_TRUE(Waits(second));
  token_.Cancel();
  EXPECT_EQ(second.get().status().code(), absl::StatusCode::kCancelled);
}

TEST_F(UnreadWindowTest, EndsWaitsWhenItIsClosed) {
  const auto first = window_.Take(100, Cancelled());
  auto second = TakeLater(1, token_);
  EXPECT_TRUE(Waits(second));
  window_.Close(absl::CancelledError("gone"));
  window_.Close(absl::InternalError("another reason"));
  EXPECT_EQ(second.get().status().message(), "gone");
  EXPECT_EQ(window_.Take(1, token_).status().message(), "gone");
}

TEST_F(UnreadWindowTest, MayEndBeforeItsHolds) {
  std::optional<UnreadWindow> window(std::in_place, results_, 100, absl::Minutes(1));
  auto hold = window->Take(10, Cancelled());
  window.reset();
  EXPECT_EQ(results_.used(), 10u);
  hold->reset();
  EXPECT_EQ(results_.used(), 0u);
}

TEST_F(UnreadWindowTest, GivesUpAClientThatTakesNothing) {
  UnreadWindow window(results_, 100, absl::Milliseconds(50));
  const auto unread = window.Take(100, token_);
  ASSERT_TRUE(unread.ok());
  const absl::Time begin = absl::Now();
  const auto late = window.Take(1, token_);
  EXPECT_TRUE(absl::IsResourceExhausted(late.status())) << late.status();
  EXPECT_GE(absl::Now() - begin, absl::Milliseconds(50));
}

TEST_F(UnreadWindowTest, WaitsForAClientThatTakesSomething) {
  UnreadWindow window(results_, 100, absl::Milliseconds(200));
  auto unread = window.Take(100, token_);
  ASSERT_TRUE(unread.ok());
  std::thread client([&] {
    for (int part = 0; part < 8; ++part) {
      absl::SleepFor(absl::Milliseconds(50));
      window.Progress();
    }
    unread->reset();
  });
  EXPECT_TRUE(window.Take(1, token_).ok());
  client.join();
}

}  // namespace
}  // namespace warpyard::server
