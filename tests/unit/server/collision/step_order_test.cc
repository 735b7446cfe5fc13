// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision/step_order.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

class StepOrderTest : public ::testing::Test {
 protected:
  /// Submits a step; its turn is kept in turns_ if it is admitted.
  absl::Status Submit(std::uint64_t call, bool needs_last_end, bool goes_on = false) {
    return order_->Submit({call, goes_on}, needs_last_end,
                          [this](StepOrder::Turn turn) { turns_.push_back(std::move(turn)); });
  }

  const std::shared_ptr<StepOrder> order_ = std::make_shared<StepOrder>();
  std::vector<StepOrder::Turn> turns_;
};

TEST_F(StepOrderTest, RefusesAStepWithoutAStartBesideAnotherCall) {
  ASSERT_TRUE(Submit(0, false).ok());
  const absl::Status refused = Submit(1, true);
  EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(refused.message().substr(0, 14), "start: missing");
  EXPECT_EQ(turns_.size(), 1u) << "a refused step is not submitted";
  turns_.clear();
  EXPECT_TRUE(Submit(1, true).ok());
}

TEST_F(StepOrderTest, LetsStepsWithAStartRunBesideEachOther) {
  ASSERT_TRUE(Submit(0, true).ok());
  EXPECT_TRUE(Submit(1, false).ok());
}

TEST_F(StepOrderTest, LeavesTheStepsOfOneCallToIt) {
  ASSERT_TRUE(Submit(0, true).ok());
  ASSERT_TRUE(Submit(0, true).ok());
  turns_.pop_back();
  EXPECT_FALSE(Submit(1, true).ok()) << "the first step is in flight";
  turns_.pop_back();
  EXPECT_TRUE(Submit(1, true).ok());
}

TEST_F(StepOrderTest, RefusesACallThatGoesOnAfterAnother) {
  ASSERT_TRUE(Submit(1, true).ok());
  turns_.clear();
  ASSERT_TRUE(Submit(1, true, true).ok());
  turns_.clear();
  ASSERT_TRUE(Submit(2, false).ok());
  turns_.clear();
  const absl::Status refused = Submit(1, true, true);
  EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(refused.message().substr(0, 40), "start: missing, and another call has mov");
  EXPECT_TRUE(turns_.empty()) << "a refused step is not submitted";
  // A call that begins takes the end as it is, and so does one that says where it starts.
  EXPECT_TRUE(Submit(3, true).ok());
  turns_.clear();
  EXPECT_TRUE(Submit(1, false, true).ok());
  turns_.clear();
  EXPECT_TRUE(Submit(1, true, true).ok());
}

TEST_F(StepOrderTest, ATurnMayOutliveTheOrder) {
  ASSERT_TRUE(Submit(0, true).ok());
  StepOrder::Turn turn = std::move(turns_.back());
  turns_.clear();
  turn.reset();
}

TEST_F(StepOrderTest, NeverAdmitsTwoStepsWithoutAStart) {
  std::vector<std::thread> threads;
  std::atomic<int> in_flight = 0, most = 0;
  for (std::uint64_t call = 1; call <= 4; ++call) {
    threads.emplace_back([&, call] {
      for (int i = 0; i < 2000; ++i) {
        StepOrder::Turn turn;
        const absl::Status status = order_->Submit({call}, true, [&](StepOrder::Turn mine) {
          turn = std::move(mine);
          most = std::max<int>(most, ++in_flight);
        });
        if (status.ok()) --in_flight;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most, 1);
}

}  // namespace
}  // namespace warpyard::server
