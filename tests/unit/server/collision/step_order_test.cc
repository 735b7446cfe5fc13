// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision/step_order.h"

#include <memory>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

class StepOrderTest : public ::testing::Test {
 protected:
  /// Submits a step; its turn is kept in turns_ if it is admitted.
  absl::Status Submit(int call, bool needs_last_end) {
    return order_->Submit(&calls_[call], needs_last_end,
                          [this](StepOrder::Turn turn) { turns_.push_back(std::move(turn)); });
  }

  const std::shared_ptr<StepOrder> order_ = std::make_shared<StepOrder>();
  std::vector<StepOrder::Turn> turns_;
  char calls_[2] = {};
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

TEST_F(StepOrderTest, ATurnMayOutliveTheOrder) {
  ASSERT_TRUE(Submit(0, true).ok());
  StepOrder::Turn turn = std::move(turns_.back());
  turns_.clear();
  turn.reset();
}

TEST_F(StepOrderTest, NeverAdmitsTwoStepsWithoutAStart) {
  std::vector<std::thread> threads;
  std::atomic<int> in_flight = 0, most = 0;
  static char calls[4] = {};
  for (char& call : calls) {
    threads.emplace_back([&, this] {
      for (int i = 0; i < 2000; ++i) {
        StepOrder::Turn turn;
        const absl::Status status = order_->Submit(&call, true, [&](StepOrder::Turn mine) {
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
