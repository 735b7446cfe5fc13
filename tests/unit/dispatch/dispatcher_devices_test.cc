// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Which runners the dispatcher reserves for which jobs, and how long a job may run.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <thread>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/dispatch/dispatcher.h"

namespace warpyard::dispatch {
namespace {

const absl::Time kNever = absl::InfiniteFuture();
absl::Time Far() { return absl::Now() + absl::Hours(1); }
absl::Time Near() { return absl::Now() + absl::Milliseconds(900); }

/// A job that runs until it is released or cancelled.
class LongJob {
 public:
  LongJob(Dispatcher& dispatcher, const JobOrder& order) {
    Task task;
    task.run = [state = state_](const Task::Running& running) {
      state->start = absl::Now();
      state->started.set_value();
      while (!running.token.Cancelled() &&
             state->release.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) {
      }
      absl::Status status = running.token.Cancelled() ? running.error() : absl::OkStatus();
      state->end.set_value(status);
      return status;
    };
    task.reject = [state = state_](absl::Status status) { state->end.set_value(status); };
    dispatcher.Submit(order, std::move(task));
  }
  ~LongJob() { Release(); }

  void Release() {
    if (!released_) state_->released.set_value();
    released_ = true;
  }
  bool Starts() { return started_.wait_for(std::chrono::seconds(20)) == std::future_status::ready; }
  bool HasStarted() {
    return started_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }
  /// Call this when it has started.
  absl::Time Start() const { return state_->start; }
  absl::Status End() {
    if (end_.wait_for(std::chrono::seconds(20)) != std::future_status::ready) {
      return absl::InternalError("the job did not end");
    }
    return end_.get();
  }

 private:
  struct State {
    absl::Time start;
    std::promise<void> started, released;
    std::promise<absl::Status> end;
    std::shared_future<void> release = released.get_future().share();
  };
  const std::shared_ptr<State> state_ = std::make_shared<State>();
  std::future<void> started_ = state_->started.get_future();
  std::future<absl::Status> end_ = state_->end.get_future();
  bool released_ = false;
};

DispatcherOptions Devices(std::vector<RunnerLimits> devices) {
  DispatcherOptions options;
  options.devices = std::move(devices);
  return options;
}

void SettleDown() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

TEST(DispatcherDevices, KeepsRunnersForJobsWithADeadline) {
  Dispatcher dispatcher(Devices({{2, 1, 0}}));
  LongJob first(dispatcher, {kNever});
  ASSERT_TRUE(first.Starts());
  LongJob second(dispatcher, {kNever, 3});
  SettleDown();
  EXPECT_EQ(dispatcher.Running(), 1u);
  LongJob timely(dispatcher, {Far()});
  EXPECT_TRUE(timely.Starts());
  EXPECT_EQ(dispatcher.Running(), 2u);
  EXPECT_EQ(dispatcher.Pending(), 1u);
  first.Release();
  EXPECT_TRUE(second.Starts());
  EXPECT_TRUE(first.End().ok());
}

TEST(DispatcherDevices, KeepsRunnersForJobsWithANearDeadline) {
  Dispatcher dispatcher(Devices({{3, 1, 1}}));
  LongJob none(dispatcher, {kNever}), far(dispatcher, {Far()});
  ASSERT_TRUE(none.Starts() && far.Starts());
  LongJob other_far(dispatcher, {Far()}), other_none(dispatcher, {kNever});
  SettleDown();
  EXPECT_FALSE(other_far.HasStarted());
  LongJob near(dispatcher, {Near()});
  EXPECT_TRUE(near.Starts());
  EXPECT_FALSE(other_far.HasStarted());
  far.Release();
  EXPECT_TRUE(other_far.Starts());
  EXPECT_FALSE(other_none.HasStarted());
  none.Release();
  EXPECT_TRUE(other_none.Starts());
}

TEST(DispatcherDevices, StartsAJobWhoseDeadlineGetsNear) {
  Dispatcher dispatcher(Devices({{3, 0, 2}}));
  LongJob blocker(dispatcher, {Far()});
  ASSERT_TRUE(blocker.Starts());
  const absl::Time soon = absl::Now() + Dispatcher::kNear + absl::Milliseconds(50);
  LongJob first(dispatcher, {soon}), second(dispatcher, {soon + absl::Milliseconds(30)});
  ASSERT_TRUE(first.Starts());
  ASSERT_TRUE(second.Starts()) << "nobody looked after the second";
  EXPECT_GE(first.Start(), soon - Dispatcher::kNear);
  EXPECT_GE(second.Start(), soon - Dispatcher::kNear + absl::Milliseconds(30));
}

TEST(DispatcherDevices, LetsJobsWithoutADeadlineUseWhatIsTheirs) {
  Dispatcher dispatcher(Devices({{4, 1, 1}}));
  LongJob near(dispatcher, {Near() + absl::Hours(1)}), a(dispatcher, {kNever});
  LongJob b(dispatcher, {kNever});
  EXPECT_TRUE(near.Starts() && a.Starts() && b.Starts());
}

TEST(DispatcherDevices, RunsJobsOfADeviceBesideABusyOne) {
  Dispatcher dispatcher(Devices({{1, 0, 0}, {1, 0, 0}}));
  LongJob first(dispatcher, {kNever, 0, 0, 0}), waits(dispatcher, {kNever, 0, 0, 0});
  ASSERT_TRUE(first.Starts());
  LongJob other(dispatcher, {kNever, 0, 0, 1});
  EXPECT_TRUE(other.Starts());
  EXPECT_EQ(dispatcher.RunningOn(0), 1u);
  EXPECT_EQ(dispatcher.RunningOn(1), 1u);
  EXPECT_EQ(dispatcher.Pending(), 1u);
  EXPECT_FALSE(waits.HasStarted());
}

TEST(DispatcherDevices, CancelsAWaitingJobOfAnyDevice) {
  Dispatcher dispatcher(Devices({{1, 0, 0}, {1, 0, 0}}));
  LongJob first(dispatcher, {kNever, 0, 0, 1});
  ASSERT_TRUE(first.Starts());
  std::promise<absl::Status> end;
  Task task;
  task.run = [&end](const Task::Running&) {
    end.set_value(absl::OkStatus());
    return absl::OkStatus();
  };
  task.reject = [&end](absl::Status status) { end.set_value(std::move(status)); };
  dispatcher.Cancel(dispatcher.Submit({kNever, 0, 0, 1}, std::move(task)));
  EXPECT_TRUE(absl::IsCancelled(end.get_future().get()));
}

TEST(DispatcherDevices, CountsWaitingJobsOfAllDevicesTogether) {
  DispatcherOptions options = Devices({{1, 0, 0}, {1, 0, 0}});
  options.max_pending = 2;
  Dispatcher dispatcher(options);
  LongJob a(dispatcher, {kNever, 0, 0, 0}), b(dispatcher, {kNever, 0, 0, 1});
  ASSERT_TRUE(a.Starts() && b.Starts());
  LongJob c(dispatcher, {kNever, 0, 0, 0}), d(dispatcher, {kNever, 0, 0, 1});
  LongJob refused(dispatcher, {kNever, 0, 0, 0});
  EXPECT_TRUE(absl::IsResourceExhausted(refused.End()));
}

TEST(DispatcherDevices, EndsAJobThatRunsTooLong) {
  DispatcherOptions options;
  options.time_limit = absl::Milliseconds(30);
  Dispatcher dispatcher(options);
  LongJob job(dispatcher, {kNever});
  const absl::Status end = job.End();
  EXPECT_TRUE(absl::IsResourceExhausted(end)) << end;
  EXPECT_EQ(end.message(), "the job ran longer than 30ms, the limit (--job-time-limit)");
  LongJob next(dispatcher, {Far()});
  EXPECT_TRUE(absl::IsResourceExhausted(next.End()));
}

TEST(DispatcherDevices, CountsTheTimeLimitFromTheStart) {
  DispatcherOptions options;
  options.time_limit = absl::Seconds(1);
  Dispatcher dispatcher(options);
  LongJob first(dispatcher, {kNever}), second(dispatcher, {kNever});
  EXPECT_TRUE(absl::IsResourceExhausted(first.End()));
  ASSERT_TRUE(second.Starts());
  second.Release();
  EXPECT_TRUE(second.End().ok());
}

TEST(DispatcherDevices, ADeadlineBeforeTheTimeLimitIsADeadline) {
  DispatcherOptions options;
  options.time_limit = absl::Seconds(30);
  Dispatcher dispatcher(options);
  LongJob job(dispatcher, {absl::Now() + absl::Milliseconds(30)});
  EXPECT_TRUE(absl::IsDeadlineExceeded(job.End()));
}

}  // namespace
}  // namespace warpyard::dispatch
