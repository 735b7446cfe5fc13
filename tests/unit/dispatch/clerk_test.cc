// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/clerk.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

#include "core/dispatch/inbox.h"

namespace warpyard::dispatch {
namespace {

template <class Condition>
bool HoldsSoon(Condition condition) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::yield();
  }
  return true;
}

class ClerkTest : public testing::Test {
 protected:
  Inbox<int> inbox_{1'000'000};
  std::atomic<std::size_t> taken_ = 0;
  Clerk<int> clerk_{inbox_, [this] { taken_ += inbox_.TakeAll().size(); }};
};

TEST_F(ClerkTest, DoesNothingUntilItIsCalled) {
  EXPECT_TRUE(inbox_.Put(1)) << "who puts an item takes it";
  EXPECT_EQ(taken_, 0u);
  clerk_.Call();
  EXPECT_TRUE(HoldsSoon([&] { return taken_ == 1; }));
}

TEST_F(ClerkTest, LeavesWhenNothingComes) {
  for (int round = 0; round < 3; ++round) {
    // A call is in vain while the clerk is about to leave.
    EXPECT_TRUE(HoldsSoon([&] {
      clerk_.Call();
      return !inbox_.PutUnattended(1);
    })) << "it takes for others";
    EXPECT_TRUE(HoldsSoon([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
      return inbox_.PutUnattended(1);
    })) << "it has left";
    static_cast<void>(inbox_.TakeAll());
  }
}

TEST_F(ClerkTest, NothingIsLostWhileItComesAndGoes) {
  constexpr int kThreads = 3, kItems = 3000;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kItems; ++i) {
        if (i % 50 == 0) clerk_.Call();
        if (i % 200 == 0) std::this_thread::sleep_for(std::chrono::microseconds(150));
        const bool takes = t == 0 ? inbox_.PutUnattended(i) : inbox_.Put(i).has_value();
        if (takes) taken_ += inbox_.TakeAll().size();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(HoldsSoon([&] { return taken_ == std::size_t{kThreads} * kItems; })) << taken_;
}

TEST_F(ClerkTest, LeavesTheRestWhenItIsStopped) {
  clerk_.Call();
  clerk_.Stop();
  EXPECT_TRUE(inbox_.Put(1)) << "nobody takes for it any more";
  clerk_.Call();
  EXPECT_EQ(inbox_.TakeAll().size(), 1u);
}

}  // namespace
}  // namespace warpyard::dispatch
