// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/dispatcher.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "tests/unit/dispatch/dispatcher_probes.h"

namespace warpyard::dispatch {
namespace {

TEST(Dispatcher, RunsWhatIsSubmitted) {
  Dispatcher dispatcher(OneDevice(2, 10));
  Probe probe;
  const JobId id =
      dispatcher.Submit({kNever, 0, 0}, probe.MakeTask([](const Task::Running& running) {
        EXPECT_GE(running.waited, absl::ZeroDuration());
        EXPECT_FALSE(running.token.Cancelled());
        return absl::OkStatus();
      }));
  EXPECT_NE(id.value, 0u);
  const Ending end = probe.End();
  EXPECT_TRUE(end.status.ok()) << end.status;
  EXPECT_FALSE(end.rejected);
}

TEST(Dispatcher, StartsByDeadlineThenPriorityThenArrival) {
  Dispatcher dispatcher(OneDevice(1, 10));
  std::string order;
  std::vector<Probe> probes(5);
  {
    Blocker blocker(dispatcher);
    const auto submit = [&](char name, absl::Time deadline, int priority) {
      Probe& probe = probes[static_cast<std::size_t>(name - 'a')];
      dispatcher.Submit({deadline, priority, 0},
                        probe.MakeTask([&order, name](const Task::Running&) {
                          order += name;
                          return absl::OkStatus();
                        }));
    };
    const absl::Time soon = absl::Now() + absl::Hours(1);
    submit('d', kNever, 1);
    submit('e', kNever, 1);
    submit('c', kNever, 2);
    submit('b', soon + absl::Hours(1), 0);
    submit('a', soon, 0);
    EXPECT_EQ(dispatcher.Pending(), 5u);
    EXPECT_EQ(dispatcher.Running(), 1u);
    const auto waiting = dispatcher.PendingByPriority();
    ASSERT_EQ(waiting.size(), 3u);
    EXPECT_EQ(waiting.at(0).jobs, 2u);
    EXPECT_EQ(waiting.at(1).jobs, 2u);
    EXPECT_EQ(waiting.at(2).jobs, 1u);
    EXPECT_LE(waiting.at(1).oldest, waiting.at(2).oldest) << "d came before c";
    EXPECT_LE(waiting.at(2).oldest, absl::Now());
  }
  for (Probe& probe : probes) EXPECT_TRUE(probe.End().status.ok());
  EXPECT_TRUE(dispatcher.PendingByPriority().empty());
  EXPECT_EQ(order, "abcde");
}

TEST(Dispatcher, RunsAChainInOrderAndOneAtATime) {
  Dispatcher dispatcher(OneDevice(3, 1000));
  std::atomic<int> running{0};
  std::vector<int> order;  // no lock: the chain runs one job at a time
  std::vector<Probe> probes(100);
  for (int i = 0; i < 100; ++i) {
    dispatcher.Submit({kNever, i % 4, 7},
                      probes[static_cast<std::size_t>(i)].MakeTask([&, i](const Task::Running&) {
                        EXPECT_EQ(running.fetch_add(1), 0);
                        order.push_back(i);
                        running.fetch_sub(1);
                        return absl::OkStatus();
                      }));
  }
  for (Probe& probe : probes) EXPECT_TRUE(probe.End().status.ok());
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(Dispatcher, RunsOtherChainsBesideOneThatIsBusy) {
  Dispatcher dispatcher(OneDevice(2, 10));
  Probe first, second, other;
  std::promise<void> other_ran;
  dispatcher.Submit({kNever, 0, 7}, first.MakeTask([&](const Task::Running&) {
    other_ran.get_future().wait();
    return absl::OkStatus();
  }));
  dispatcher.Submit({kNever, 3, 7}, second.MakeTask(Succeed));
  dispatcher.Submit({kNever, 0, 8}, other.MakeTask([&](const Task::Running&) {
    other_ran.set_value();
    return absl::OkStatus();
  }));
  for (Probe* probe : {&other, &first, &second}) EXPECT_TRUE(probe->End().status.ok());
}

TEST(Dispatcher, RefusesOneJobMoreThanMayWait) {
  Dispatcher dispatcher(OneDevice(1, 2));
  Probe first, second, third;
  {
    Blocker blocker(dispatcher);
    dispatcher.Submit({kNever, 0, 0}, first.MakeTask(Succeed));
    dispatcher.Submit({kNever, 0, 0}, second.MakeTask(Succeed));
    dispatcher.Submit({kNever, 3, 0}, third.MakeTask(Succeed));
    const Ending end = third.End();
    EXPECT_TRUE(absl::IsResourceExhausted(end.status)) << end.status;
    EXPECT_NE(end.thread, std::this_thread::get_id());
    EXPECT_EQ(dispatcher.Pending(), dispatcher.MaxPending());
  }
  EXPECT_TRUE(first.End().status.ok());
  EXPECT_TRUE(second.End().status.ok());
}

TEST(Dispatcher, NeverRejectsOnTheThreadThatSubmits) {
  Dispatcher dispatcher(OneDevice(1, 0));
  Probe refused, late, direct, outer;
  std::thread::id submitter;
  dispatcher.Submit({kNever, 0, 0}, refused.MakeTask(Succeed));
  dispatcher.Submit({absl::InfinitePast(), 0, 0}, late.MakeTask(Succeed));
  dispatcher.Reject(direct.MakeTask(Succeed), absl::NotFoundError("gone"));
  for (Probe* probe : {&refused, &late, &direct}) {
    const Ending end = probe->End();
    EXPECT_TRUE(end.rejected);
    EXPECT_NE(end.thread, std::this_thread::get_id());
  }
  Dispatcher with_room(OneDevice(1, 1));
  Probe inner;
  with_room.Submit({kNever, 0, 0}, outer.MakeTask([&](const Task::Running&) {
    submitter = std::this_thread::get_id();
    with_room.Submit({absl::InfinitePast(), 0, 0}, inner.MakeTask(Succeed));
    return absl::OkStatus();
  }));
  EXPECT_TRUE(outer.End().status.ok());
  EXPECT_NE(inner.End().thread, submitter);
}

TEST(Dispatcher, RejectsWhatWaitsAndCancelsWhatRunsWhenItEnds) {
  Probe running, waiting, chained;
  {
    Dispatcher dispatcher(OneDevice(1, 10));
    std::promise<void> started;
    dispatcher.Submit({kNever, 0, 7}, running.MakeTask([&](const Task::Running& context) {
      started.set_value();
      return RunUntilCancelled(context);
    }));
    started.get_future().wait();
    dispatcher.Submit({absl::Now() + absl::Hours(1), 0, 0}, waiting.MakeTask(Succeed));
    dispatcher.Submit({kNever, 0, 7}, chained.MakeTask(Succeed));
  }
  EXPECT_TRUE(absl::IsCancelled(running.End().status));
  for (Probe* probe : {&waiting, &chained}) {
    const Ending end = probe->End();
    EXPECT_TRUE(absl::IsCancelled(end.status)) << end.status;
    EXPECT_TRUE(end.rejected);
  }
}

// A completion may submit the next job. A job that cannot even be queued must end, too.
TEST(Dispatcher, EndsJobsThatARunningOneSubmitsWhileItEnds) {
  Probe running, waiting, late;
  {
    Dispatcher dispatcher(OneDevice(1, 10));
    std::promise<void> started;
    dispatcher.Submit({kNever, 0, 0}, running.MakeTask([&](const Task::Running& context) {
      started.set_value();
      const absl::Status status = RunUntilCancelled(context);
      // So long that the dispatcher only waits for this job then.
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      dispatcher.Submit({kNever, 0, 0}, waiting.MakeTask(Succeed));
      dispatcher.Submit({absl::InfinitePast(), 0, 0}, late.MakeTask(Succeed));
      return status;
    }));
    started.get_future().wait();
  }
  EXPECT_TRUE(absl::IsCancelled(running.End().status));
  for (Probe* probe : {&waiting, &late}) {
    EXPECT_TRUE(probe->HasEnded()) << "its completion was lost";
  }
}

TEST(Dispatcher, EndsEveryJobOnceAmongManySubmittersAndCancellations) {
  std::atomic<int> ended{0};
  constexpr int kThreads = 4, kJobs = 150;
  {
    Dispatcher dispatcher(OneDevice(2, 20));
    std::vector<std::thread> submitters;
    for (int t = 0; t < kThreads; ++t) {
      submitters.emplace_back([&, t] {
        for (int i = 0; i < kJobs; ++i) {
          auto once = std::make_shared<std::atomic<int>>(0);
          Task task;
          const auto end = [&ended, once] {
            EXPECT_EQ(once->fetch_add(1), 0);
            ended.fetch_add(1);
          };
          task.run = [end](const Task::Running&) {
            end();
            return absl::OkStatus();
          };
          task.reject = [end](const absl::Status&) { end(); };
          const absl::Time deadline =
              i % 3 == 0 ? absl::Now() + absl::Microseconds(50 * i) : kNever;
          const JobId id = dispatcher.Submit({deadline, i % 4, static_cast<std::uint64_t>(i % 5)},
                                             std::move(task));
          if ((i + t) % 4 == 0) dispatcher.Cancel(id);
        }
      });
    }
    for (std::thread& submitter : submitters) submitter.join();
  }
  EXPECT_EQ(ended.load(), kThreads * kJobs);
}

}  // namespace
}  // namespace warpyard::dispatch
