// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Jobs that share threads. The loop of a carrier is one in memory: its events end when a test says
// so.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/base/bell.h"
#include "core/dispatch/dispatcher.h"
#include "tests/unit/dispatch/dispatcher_probes.h"

namespace warpyard::dispatch {
namespace {

/// An event of a job that is carried. It ends by itself, or when it is told to, or by its token.
struct FakeEvent {
  std::shared_ptr<std::atomic<bool>> is_over;
  const procedure::CancelToken* token;
  std::function<void()> ended;
};

class FakeLoop final : public JobLoop {
 public:
  explicit FakeLoop(bool rings) : rings_(rings) {}

  void Start(FakeEvent event) { events_.push_back(std::move(event)); }

  bool Poll() override {
    std::vector<FakeEvent> over;
    for (std::size_t i = 0; i < events_.size();) {
      if (*events_[i].is_over || events_[i].token->Cancelled()) {
        over.push_back(std::move(events_[i]));
        events_.erase(events_.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
    for (const FakeEvent& event : over) event.ended();
    return !over.empty();
  }
  std::uint64_t Ends() const override { return 0; }
  std::size_t Waiting() const override { return events_.size(); }
  bool RingsBell() const override { return rings_; }

 private:
  const bool rings_;
  std::vector<FakeEvent> events_;
};

DispatcherOptions Carrying(int carriers, bool rings = false, int runners = 8) {
  DispatcherOptions options;
  options.devices = {{runners, 0, 0, carriers}};
  options.make_loop = [rings](std::size_t, Bell&) { return std::make_unique<FakeLoop>(rings); };
  return options;
}

/// A job with so many events that is carried. All of them end at once if `is_over` is true from the
/// start.
class CarriedProbe {
 public:
  explicit CarriedProbe(int events = 1, bool is_over = true)
      : events_(events), is_over_(std::make_shared<std::atomic<bool>>(is_over)) {}

  Task MakeTask() {
    Task task = probe_.MakeTask(
        [](const Task::Running&) { return absl::InternalError("a runner runs it"); });
    task.carry = [this, state = std::make_shared<Probe*>(&probe_)](
                     const Task::Running& running, JobLoop& loop, Task::Ended ended) {
      ++started_;
      Next(running, static_cast<FakeLoop&>(loop), events_, std::move(ended));
    };
    return task;
  }

  void EndEvents() { *is_over_ = true; }
  int Started() const { return started_; }

  /// Waits for the end, with a bound.
  absl::Status End() {
    if (future_.wait_for(std::chrono::seconds(30)) != std::future_status::ready) {
      return absl::InternalError("the job did not end");
    }
    return future_.get();
  }
  std::thread::id thread() const { return thread_; }
  Probe& rejection() { return probe_; }

 private:
  void Next(const Task::Running& running, FakeLoop& loop, int left, Task::Ended ended) {
    if (left == 0 || running.token.Cancelled()) {
      thread_ = std::this_thread::get_id();
      const absl::Status status = running.token.Cancelled() ? running.error() : absl::OkStatus();
      end_.set_value(status);
      return ended(status);
    }
    loop.Start({is_over_, &running.token,
                [this, &running, &loop, left, ended] { Next(running, loop, left - 1, ended); }});
  }

  Probe probe_;
  const int events_;
  std::shared_ptr<std::atomic<bool>> is_over_;
  std::atomic<int> started_ = 0;
  std::thread::id thread_;
  std::promise<absl::Status> end_;
  std::future<absl::Status> future_ = end_.get_future();
};

template <class Condition>
bool Soon(Condition condition) {
  const absl::Time limit = absl::Now() + absl::Seconds(30);
  while (!condition()) {
    if (absl::Now() > limit) return false;
    std::this_thread::yield();
  }
  return true;
}

TEST(DispatcherCarriers, OneThreadRunsManyJobsSideBySide) {
  for (const bool rings : {false, true}) {
    Dispatcher dispatcher(Carrying(1, rings));
    std::vector<std::unique_ptr<CarriedProbe>> probes;
    for (int i = 0; i < 8; ++i) {
      probes.push_back(std::make_unique<CarriedProbe>(3, false));
      dispatcher.Submit({}, probes.back()->MakeTask());
    }
    for (const auto& probe : probes) EXPECT_TRUE(Soon([&] { return probe->Started() == 1; }));
    EXPECT_EQ(dispatcher.Running(), 8u);
    for (const auto& probe : probes) probe->EndEvents();
    for (const auto& probe : probes) {
      EXPECT_TRUE(probe->End().ok());
      EXPECT_EQ(probe->thread(), probes[0]->thread());
      EXPECT_NE(probe->thread(), std::this_thread::get_id());
    }
    EXPECT_TRUE(Soon([&] { return dispatcher.Running() == 0; }));
  }
}

TEST(DispatcherCarriers, NoMoreJobsRunThanTheLimitSays) {
  Dispatcher dispatcher(Carrying(2, false, 3));
  std::vector<std::unique_ptr<CarriedProbe>> probes;
  for (int i = 0; i < 5; ++i) {
    probes.push_back(std::make_unique<CarriedProbe>(1, false));
    dispatcher.Submit({}, probes.back()->MakeTask());
  }
  const auto started = [&] {
    int sum = 0;
    for (const auto& probe : probes) sum += probe->Started();
    return sum;
  };
  EXPECT_TRUE(Soon([&] { return started() == 3; }));
  absl::SleepFor(absl::Milliseconds(5));
  EXPECT_EQ(started(), 3);
  EXPECT_EQ(dispatcher.Pending(), 2u);
  for (const auto& probe : probes) probe->EndEvents();
  for (const auto& probe : probes) EXPECT_TRUE(probe->End().ok());
}

TEST(DispatcherCarriers, JobsThatBlockHaveRunnersAndKeepNobodyWaiting) {
  Dispatcher dispatcher(Carrying(1));
  Blocker blocker(dispatcher);
  for (int i = 0; i < 100; ++i) {
    CarriedProbe carried;
    Probe blocking;
    dispatcher.Submit({}, carried.MakeTask());
    dispatcher.Submit({}, blocking.MakeTask(Succeed));
    EXPECT_TRUE(carried.End().ok());
    EXPECT_TRUE(blocking.End().status.ok());
  }
}

TEST(DispatcherCarriers, JobsOfAChainRunOneAfterAnother) {
  Dispatcher dispatcher(Carrying(3));
  std::mutex mutex;
  std::vector<int> order;
  std::atomic<int> running = 0;
  constexpr int kJobs = 300;
  std::atomic<int> done = 0;
  for (int i = 0; i < kJobs; ++i) {
    Task task;
    task.reject = [](const absl::Status& status) { ADD_FAILURE() << status; };
    task.run = [](const Task::Running&) { return absl::InternalError("a runner runs it"); };
    task.carry = [&, i](const Task::Running& state, JobLoop& loop, Task::Ended ended) {
      EXPECT_EQ(++running, 1);
      static_cast<FakeLoop&>(loop).Start(
          {std::make_shared<std::atomic<bool>>(true), &state.token, [&, i, ended] {
             --running;
             {
               const std::lock_guard lock(mutex);
               order.push_back(i);
             }
             ended(absl::OkStatus());
             ++done;
           }});
    };
    JobOrder order_of_job;
    order_of_job.chain = 5;
    dispatcher.Submit(order_of_job, std::move(task));
  }
  EXPECT_TRUE(Soon([&] { return done == kJobs; }));
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(DispatcherCarriers, TheOnlyCarrierTakesAllThatMayStart) {
  Dispatcher dispatcher(Carrying(1, true, 6));
  const auto is_over = std::make_shared<std::atomic<bool>>(false);
  std::atomic<int> started = 0, ended = 0;
  const auto submit = [&](std::shared_ptr<std::atomic<bool>> over) {
    Task task;
    task.reject = [](const absl::Status& status) { ADD_FAILURE() << status; };
    task.run = [](const Task::Running&) { return absl::InternalError("a runner runs it"); };
    task.carry = [&, over](const Task::Running& running, JobLoop& loop, Task::Ended done) {
      ++started;
      static_cast<FakeLoop&>(loop).Start({over, &running.token, [&ended, done] {
                                            ++ended;
                                            done(absl::OkStatus());
                                          }});
    };
    dispatcher.Submit({}, std::move(task));
  };
  const auto never = std::make_shared<std::atomic<bool>>(false);
  for (int i = 0; i < 6; ++i) submit(is_over);
  for (int i = 0; i < 6; ++i) submit(never);
  EXPECT_TRUE(Soon([&] { return started == 6; }));
  *is_over = true;  // all six end in one look
  EXPECT_TRUE(Soon([&] { return started == 12; })) << started;
  EXPECT_EQ(ended, 6);
  *never = true;
  EXPECT_TRUE(Soon([&] { return ended == 12; }));
}

TEST(DispatcherCarriers, AFarDeadlineStartsWhenItIsNear) {
  DispatcherOptions options = Carrying(1);
  options.devices = {{2, 0, 1, 1}};  // one place is for near deadlines
  Dispatcher dispatcher(options);
  CarriedProbe first(1, false), far(1, true);
  JobOrder order;
  order.deadline = absl::Now() + absl::Hours(1);
  dispatcher.Submit(order, first.MakeTask());
  EXPECT_TRUE(Soon([&] { return first.Started() == 1; }));
  order.deadline = absl::Now() + Dispatcher::kNear + absl::Milliseconds(50);
  dispatcher.Submit(order, far.MakeTask());
  EXPECT_EQ(far.Started(), 0);
  EXPECT_TRUE(far.End().ok());
  first.EndEvents();
  EXPECT_TRUE(first.End().ok());
}

TEST(DispatcherCarriers, CancelsEndJobsThatRunAndJobsThatWait) {
  Dispatcher dispatcher(Carrying(1, true, 1));
  CarriedProbe running(1, false), waiting(1, false);
  const JobId first = dispatcher.Submit({}, running.MakeTask());
  const JobId second = dispatcher.Submit({}, waiting.MakeTask());
  EXPECT_TRUE(Soon([&] { return running.Started() == 1; }));
  dispatcher.Cancel(second);
  EXPECT_TRUE(absl::IsCancelled(waiting.rejection().End().status));
  dispatcher.Cancel(first);
  EXPECT_TRUE(absl::IsCancelled(running.End()));
  EXPECT_EQ(waiting.Started(), 0);
}

TEST(DispatcherCarriers, ADeadlineEndsAJob) {
  Dispatcher dispatcher(Carrying(1));
  CarriedProbe probe(1, false);
  JobOrder order;
  order.deadline = absl::Now() + absl::Milliseconds(20);
  dispatcher.Submit(order, probe.MakeTask());
  EXPECT_TRUE(absl::IsDeadlineExceeded(probe.End()));
}

TEST(DispatcherCarriers, TheDestructorEndsAllJobs) {
  CarriedProbe running(1000, false), waiting(1, false);
  {
    Dispatcher dispatcher(Carrying(2, true, 1));
    dispatcher.Submit({}, running.MakeTask());
    EXPECT_TRUE(Soon([&] { return running.Started() == 1; }));
    dispatcher.Submit({}, waiting.MakeTask());
  }
  EXPECT_TRUE(absl::IsCancelled(running.End()));
  EXPECT_TRUE(absl::IsCancelled(waiting.rejection().End().status));
}

TEST(DispatcherCarriers, ACompletionThatLendsItsThreadDoesNotStopItsCarrier) {
  Dispatcher dispatcher(Carrying(1));
  CarriedProbe next;
  std::atomic<bool> submitted = false;
  Task first;
  first.reject = [](const absl::Status& status) { ADD_FAILURE() << status; };
  first.run = [](const Task::Running&) { return absl::OkStatus(); };
  first.carry = [&](const Task::Running&, JobLoop&, const Task::Ended& ended) {
    JobOrder lending;
    lending.on_submitting_thread = true;
    dispatcher.Submit(lending, next.MakeTask());  // would run here, and fail
    submitted = true;
    ended(absl::OkStatus());
  };
  dispatcher.Submit({}, std::move(first));
  EXPECT_TRUE(next.End().ok());
  EXPECT_TRUE(submitted);
}

/// Jobs of both kinds, with and without deadlines and chains, from several threads; some are
/// cancelled. Each ends once.
TEST(DispatcherCarriers, EveryJobOfACrowdEnds) {
  for (const bool rings : {false, true}) {
    Dispatcher dispatcher(Carrying(2, rings, 4));
    constexpr int kThreads = 3, kJobs = 400;
    std::atomic<int> ended = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < kJobs; ++i) {
          Task task;
          task.reject = [&ended](const absl::Status&) { ++ended; };
          task.run = [&ended](const Task::Running&) {
            ++ended;
            return absl::OkStatus();
          };
          if (i % 3 != 0) {
            task.carry = [&ended](const Task::Running& running, JobLoop& loop,
                                  Task::Ended is_done) {
              static_cast<FakeLoop&>(loop).Start(
                  {std::make_shared<std::atomic<bool>>(true), &running.token, [&ended, is_done] {
                     ++ended;
                     is_done(absl::OkStatus());
                   }});
            };
          }
          JobOrder order;
          order.chain = i % 5 == 0 ? static_cast<std::uint64_t>(1 + t) : 0;
          if (i % 4 == 0) order.deadline = absl::Now() + absl::Seconds(i % 8 == 0 ? 60 : 1);
          const JobId id = dispatcher.Submit(order, std::move(task));
          if (i % 7 == 0) dispatcher.Cancel(id);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_TRUE(Soon([&] { return ended == kThreads * kJobs; })) << ended;
    EXPECT_TRUE(Soon([&] { return dispatcher.Running() == 0; }));
    EXPECT_EQ(dispatcher.Pending(), 0u);
  }
}

}  // namespace
}  // namespace warpyard::dispatch
