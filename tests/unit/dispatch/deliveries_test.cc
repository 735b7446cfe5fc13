// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/deliveries.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace warpyard::dispatch {
namespace {

Task TaskWith(std::function<void(absl::Status)> reject) {
  Task task;
  task.reject = std::move(reject);
  return task;
}

TEST(Deliveries, CallsRejectOnAThreadOfItsOwn) {
  Deliveries deliveries;
  EXPECT_FALSE(deliveries.IsOwnThread());
  std::promise<std::pair<absl::Status, bool>> promise;
  deliveries.Put(TaskWith([&](absl::Status status) {
                   promise.set_value({std::move(status), deliveries.IsOwnThread()});
                 }),
                 absl::CancelledError("no"));
  const auto [status, is_own] = promise.get_future().get();
  EXPECT_EQ(status, absl::CancelledError("no"));
  EXPECT_TRUE(is_own);
}

TEST(Deliveries, TellsHowLateAJobWouldBe) {
  std::promise<absl::Status> promise;
  Deliveries deliveries;
  deliveries.Put(TaskWith([&](absl::Status status) { promise.set_value(std::move(status)); }),
                 Unreachable{absl::Milliseconds(12), absl::Milliseconds(5)});
  const absl::Status status = promise.get_future().get();
  EXPECT_TRUE(absl::IsResourceExhausted(status));
  EXPECT_NE(std::string(status.message()).find("12ms"), std::string::npos) << status;
}

TEST(Deliveries, LosesNothingAmongManyThreads) {
  constexpr int kThreads = 4, kEach = 2000;
  std::atomic<int> delivered = 0;
  {
    Deliveries deliveries;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < kEach; ++i) {
          deliveries.Put(TaskWith([&](const absl::Status&) { ++delivered; }),
                         absl::CancelledError(""));
          if (i % 100 == 0) deliveries.DeliverSome();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(delivered, kThreads * kEach);
}

TEST(Deliveries, StopDeliversWhatCompletionsPut) {
  std::atomic<int> delivered = 0;
  Deliveries deliveries;
  const std::function<void(absl::Status)> reject = [&](const absl::Status& status) {
    if (++delivered < 100) deliveries.Put(TaskWith(reject), status);
  };
  deliveries.Put(TaskWith(reject), absl::CancelledError(""));
  deliveries.Stop();
  EXPECT_EQ(delivered, 100);
}

}  // namespace
}  // namespace warpyard::dispatch
