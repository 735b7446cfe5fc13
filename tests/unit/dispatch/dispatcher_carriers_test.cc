// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Jobs that share threads.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/dispatch/dispatcher.h"
#include "tests/unit/dispatch/carried_probes.h"
#include "tests/unit/dispatch/dispatcher_probes.h"

namespace warpyard::dispatch {
namespace {

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

TEST(DispatcherCarriers, CarriersTakeNoMoreThanTheyHaveRoomFor) {
  for (const bool rings : {false, true}) {
    Dispatcher dispatcher(Carrying(2, rings, 100, 3));
    std::vector<std::unique_ptr<CarriedProbe>> probes;
    for (int i = 0; i < 10; ++i) {
      probes.push_back(std::make_unique<CarriedProbe>(1, false));
      dispatcher.Submit({}, probes.back()->MakeTask());
    }
    const auto started = [&] {
      return std::ranges::count_if(probes, [](const auto& probe) { return probe->Started() == 1; });
    };
    EXPECT_TRUE(Soon([&] { return started() == 6; }));
    absl::SleepFor(absl::Milliseconds(5));
    EXPECT_EQ(started(), 6);
    EXPECT_EQ(dispatcher.Pending(), 4u);
    // The carrier whose job ends has room for another.
    std::partition(probes.begin(), probes.end(),
                   [](const auto& probe) { return probe->Started() == 1; });
    probes[0]->EndEvents();
    EXPECT_TRUE(probes[0]->End().ok());
    EXPECT_TRUE(Soon([&] { return started() == 7; }));
    for (const auto& probe : probes) probe->EndEvents();
    for (std::size_t i = 1; i < probes.size(); ++i) EXPECT_TRUE(probes[i]->End().ok());
  }
}

TEST(DispatcherCarriers, AJobWithADeadlineNeedsNoRoomOfOthers) {
  for (const bool rings : {false, true}) {
    Dispatcher dispatcher(Carrying(2, rings, 100, 1));
    CarriedProbe others[4] = {CarriedProbe(1, false), CarriedProbe(1, false),
                              CarriedProbe(1, false), CarriedProbe(1, false)};
    for (CarriedProbe& other : others) dispatcher.Submit({}, other.MakeTask());
    EXPECT_TRUE(Soon([&] { return dispatcher.Pending() == 2; }));
    CarriedProbe urgent;
    JobOrder order;
    order.deadline = absl::Now() + absl::Seconds(30);
    dispatcher.Submit(order, urgent.MakeTask());
    EXPECT_TRUE(urgent.End().ok());
    EXPECT_EQ(dispatcher.Pending(), 2u);
    for (CarriedProbe& other : others) other.EndEvents();
    for (CarriedProbe& other : others) EXPECT_TRUE(other.End().ok());
  }
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
  for (const std::size_t room : {1, 1000}) {
    const bool rings = room == 1;
    Dispatcher dispatcher(Carrying(2, rings, 4, room));
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
