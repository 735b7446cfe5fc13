// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Jobs on the threads that submit them.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <optional>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/dispatch/dispatcher.h"
#include "tests/unit/dispatch/dispatcher_probes.h"

namespace warpyard::dispatch {
namespace {

JobOrder Lending(std::uint64_t chain = 0) {
  JobOrder order;
  order.chain = chain;
  order.on_submitting_thread = true;
  return order;
}

TEST(DispatcherLentThreads, RunsOnTheSubmittingThreadWhatMayStart) {
  Dispatcher dispatcher(OneDevice(1, 10));
  for (int i = 0; i < 3; ++i) {
    Probe probe;
    dispatcher.Submit(Lending(7), probe.MakeTask(Succeed));
    ASSERT_TRUE(probe.HasEnded());
    const Ending end = probe.End();
    EXPECT_TRUE(end.status.ok()) << end.status;
    EXPECT_EQ(end.thread, std::this_thread::get_id());
  }
  EXPECT_EQ(dispatcher.Running(), 0u);
  Probe other;  // a runner still runs later jobs
  dispatcher.Submit({kNever, 0, 7}, other.MakeTask(Succeed));
  EXPECT_NE(other.End().thread, std::this_thread::get_id());
}

TEST(DispatcherLentThreads, ALentThreadDoesNotWaitForARunner) {
  Dispatcher dispatcher(OneDevice(1, 10));
  Probe probe;
  {
    Blocker blocker(dispatcher);
    dispatcher.Submit(Lending(), probe.MakeTask(Succeed));
    EXPECT_FALSE(probe.HasEnded());
  }
  const Ending end = probe.End();
  EXPECT_TRUE(end.status.ok()) << end.status;
  EXPECT_NE(end.thread, std::this_thread::get_id());
}

TEST(DispatcherLentThreads, ALentThreadTakesARunnersPlace) {
  Dispatcher dispatcher(OneDevice(1, 10));
  Probe inner;
  Probe outer;
  dispatcher.Submit(Lending(), outer.MakeTask([&](const Task::Running&) {
    EXPECT_EQ(dispatcher.Running(), 1u);
    dispatcher.Submit(Lending(), inner.MakeTask(Succeed));
    EXPECT_FALSE(inner.HasEnded());
    return absl::OkStatus();
  }));
  EXPECT_TRUE(outer.HasEnded());
  EXPECT_NE(inner.End().thread, std::this_thread::get_id());
}

TEST(DispatcherLentThreads, DoesNotLendTheThreadThatRejects) {
  Dispatcher dispatcher(OneDevice(1, 10));
  Probe probe;
  std::promise<std::thread::id> rejected;
  Task late;
  late.run = Succeed;
  late.reject = [&](absl::Status) {
    dispatcher.Submit(Lending(), probe.MakeTask(Succeed));
    rejected.set_value(std::this_thread::get_id());
  };
  dispatcher.Submit({absl::Now() - absl::Seconds(1), 0, 0}, std::move(late));
  const std::thread::id deliverer = rejected.get_future().get();
  EXPECT_NE(probe.End().thread, deliverer);
}

TEST(DispatcherLentThreads, WaitsForLentThreads) {
  std::optional<Dispatcher> dispatcher(std::in_place, OneDevice(1, 10));
  std::promise<void> started;
  std::atomic<bool> ended = false;
  std::thread lender([&started, &ended, to = &*dispatcher] {
    Task task;
    task.run = [&](const Task::Running& running) {
      started.set_value();
      while (!running.token.Cancelled()) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      ended = true;
      return running.error();
    };
    task.reject = [](absl::Status) {};
    to->Submit(Lending(), std::move(task));
  });
  started.get_future().wait();
  dispatcher.reset();
  EXPECT_TRUE(ended);
  lender.join();
}

TEST(DispatcherLentThreads, EndsALateJobOnALentThread) {
  Dispatcher dispatcher(OneDevice(1, 10));
  Probe probe;
  JobOrder order = Lending();
  order.deadline = absl::Now() + absl::Milliseconds(500);  // A busy machine starts it before.
  dispatcher.Submit(order, probe.MakeTask(RunUntilCancelled));
  ASSERT_TRUE(probe.HasEnded());
  EXPECT_EQ(probe.End().status.code(), absl::StatusCode::kDeadlineExceeded);
}

}  // namespace
}  // namespace warpyard::dispatch
