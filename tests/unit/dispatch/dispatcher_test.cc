// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/dispatcher.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace warpyard::dispatch {
namespace {

const absl::Time kNever = absl::InfiniteFuture();

DispatcherOptions OneDevice(int runners, std::size_t max_pending) {
  DispatcherOptions options;
  options.devices = {{runners, 0, 0}};
  options.max_pending = max_pending;
  return options;
}

/// How a task ended: its status, on which thread, and whether it was run or rejected.
struct Ending {
  absl::Status status;
  std::thread::id thread;
  bool rejected = false;
};

/// A task that ends once; End waits for that, with a bound.
class Probe {
 public:
  using Body = std::function<absl::Status(const Task::Running&)>;

  Task MakeTask(Body body) {
    Task task;
    task.run = [state = state_, body = std::move(body)](const Task::Running& running) {
      state->set_value({body(running), std::this_thread::get_id(), false});
    };
    task.reject = [state = state_](absl::Status status) {
      state->set_value({std::move(status), std::this_thread::get_id(), true});
    };
    return task;
  }

  bool HasEnded() const {
    return future_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }

  Ending End() {
    if (future_.wait_for(std::chrono::seconds(30)) != std::future_status::ready) {
      return {absl::InternalError("the task did not end"), {}, false};
    }
    return future_.get();
  }

 private:
  std::shared_ptr<std::promise<Ending>> state_ = std::make_shared<std::promise<Ending>>();
  std::future<Ending> future_ = state_->get_future();
};

absl::Status Succeed(const Task::Running&) { return absl::OkStatus(); }

/// Runs until it is told to end.
absl::Status RunUntilCancelled(const Task::Running& running) {
  while (!running.token.Cancelled()) std::this_thread::yield();
  return running.error();
}

/// Keeps a runner busy until it is released.
class Blocker {
 public:
  explicit Blocker(Dispatcher& dispatcher) {
    auto started = std::make_shared<std::promise<void>>();
    std::future<void> has_started = started->get_future();
    dispatcher.Submit({kNever, 100, 0}, probe_.MakeTask([this, started](const Task::Running&) {
      started->set_value();
      released_.wait();
      return absl::OkStatus();
    }));
    has_started.wait();
  }
  ~Blocker() {
    Release();
    EXPECT_TRUE(probe_.End().status.ok());
  }

  void Release() {
    if (!std::exchange(is_released_, true)) release_.set_value();
  }

 private:
  Probe probe_;
  bool is_released_ = false;
  std::promise<void> release_;
  std::shared_future<void> released_ = release_.get_future().share();
};

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
  }
  for (Probe& probe : probes) EXPECT_TRUE(probe.End().status.ok());
  EXPECT_EQ(order, "abcde");
}

TEST(Dispatcher, RunsAChainInOrderAndOneAtATime) {
  Dispatcher dispatcher(OneDevice(3, 1000));
  std::atomic<int> running{0};
  std::vector<int> order;  // unguarded: the chain is the guard
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

TEST(Dispatcher, CancelsAWaitingJob) {
  Dispatcher dispatcher(OneDevice(1, 10));
  Blocker blocker(dispatcher);
  Probe probe;
  const JobId id = dispatcher.Submit({kNever, 0, 0}, probe.MakeTask(Succeed));
  dispatcher.Cancel(id);
  const Ending end = probe.End();
  EXPECT_TRUE(absl::IsCancelled(end.status)) << end.status;
  EXPECT_TRUE(end.rejected);
  EXPECT_NE(end.thread, std::this_thread::get_id());
  EXPECT_EQ(dispatcher.Pending(), 0u);
}

TEST(Dispatcher, CancelsARunningJob) {
  Dispatcher dispatcher(OneDevice(1, 10));
  Probe probe;
  const JobId id = dispatcher.Submit({kNever, 0, 0}, probe.MakeTask(RunUntilCancelled));
  dispatcher.Cancel(id);
  EXPECT_TRUE(absl::IsCancelled(probe.End().status));
}

TEST(Dispatcher, IgnoresTheCancellationOfUnknownAndFinishedJobs) {
  Dispatcher dispatcher(OneDevice(1, 10));
  Probe probe, next;
  dispatcher.Cancel(JobId{});
  dispatcher.Cancel(JobId{999});
  const JobId id = dispatcher.Submit({kNever, 0, 0}, probe.MakeTask(Succeed));
  EXPECT_TRUE(probe.End().status.ok());
  dispatcher.Cancel(id);
  dispatcher.Submit({kNever, 0, 0}, next.MakeTask(Succeed));
  EXPECT_TRUE(next.End().status.ok());
}

TEST(Dispatcher, EndsAWaitingJobAtItsDeadline) {
  Dispatcher dispatcher(OneDevice(1, 10));
  Blocker blocker(dispatcher);
  Probe late, later, never;
  const absl::Time now = absl::Now();
  dispatcher.Submit({kNever, 0, 0}, never.MakeTask(Succeed));
  dispatcher.Submit({now + absl::Milliseconds(60), 0, 0}, later.MakeTask(Succeed));
  dispatcher.Submit({now + absl::Milliseconds(20), 0, 0}, late.MakeTask(Succeed));
  for (Probe* probe : {&late, &later}) {
    const Ending end = probe->End();
    EXPECT_TRUE(absl::IsDeadlineExceeded(end.status)) << end.status;
    EXPECT_TRUE(end.rejected);
  }
  EXPECT_GE(absl::Now(), now + absl::Milliseconds(60));
  blocker.Release();
  EXPECT_TRUE(never.End().status.ok());
}

TEST(Dispatcher, EndsARunningJobAtItsDeadline) {
  Dispatcher dispatcher(OneDevice(1, 10));
  Probe probe;
  dispatcher.Submit({absl::Now() + absl::Milliseconds(20), 0, 0},
                    probe.MakeTask(RunUntilCancelled));
  EXPECT_TRUE(absl::IsDeadlineExceeded(probe.End().status));
}

TEST(Dispatcher, LetsAChainGoOnAfterAJobThatWasLate) {
  Dispatcher dispatcher(OneDevice(2, 10));
  Probe late, next;
  dispatcher.Submit({absl::Now() + absl::Milliseconds(10), 0, 7}, late.MakeTask(RunUntilCancelled));
  dispatcher.Submit({kNever, 0, 7}, next.MakeTask(Succeed));
  EXPECT_TRUE(absl::IsDeadlineExceeded(late.End().status));
  EXPECT_TRUE(next.End().status.ok());
}

TEST(Dispatcher, RefusesAJobWhoseDeadlineHasPassed) {
  Dispatcher dispatcher(OneDevice(1, 10));
  Probe probe;
  dispatcher.Submit({absl::Now() - absl::Seconds(1), 0, 0}, probe.MakeTask(Succeed));
  const Ending end = probe.End();
  EXPECT_TRUE(absl::IsDeadlineExceeded(end.status)) << end.status;
  EXPECT_TRUE(end.rejected);
  EXPECT_NE(end.thread, std::this_thread::get_id());
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

// A completion may submit the next job; also one that cannot even be queued must end.
TEST(Dispatcher, EndsJobsThatARunningOneSubmitsWhileItEnds) {
  Probe running, waiting, late;
  {
    Dispatcher dispatcher(OneDevice(1, 10));
    std::promise<void> started;
    dispatcher.Submit({kNever, 0, 0}, running.MakeTask([&](const Task::Running& context) {
      started.set_value();
      const absl::Status status = RunUntilCancelled(context);
      // Long enough for the dispatcher to have nothing left to do but to wait for this job.
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
          task.run = [end](const Task::Running&) { end(); };
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

JobOrder Lending(std::uint64_t chain = 0) {
  JobOrder order;
  order.chain = chain;
  order.on_submitting_thread = true;
  return order;
}

TEST(Dispatcher, RunsOnTheSubmittingThreadWhatMayStart) {
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
  Probe other;  // a runner still looks after what comes later
  dispatcher.Submit({kNever, 0, 7}, other.MakeTask(Succeed));
  EXPECT_NE(other.End().thread, std::this_thread::get_id());
}

TEST(Dispatcher, ALentThreadDoesNotWaitForARunner) {
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

TEST(Dispatcher, ALentThreadTakesARunnersPlace) {
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

TEST(Dispatcher, DoesNotLendTheThreadThatRejects) {
  Dispatcher dispatcher(OneDevice(1, 10));
  Probe probe;
  std::promise<std::thread::id> rejected;
  Task late;
  late.run = [](const Task::Running&) {};
  late.reject = [&](absl::Status) {
    dispatcher.Submit(Lending(), probe.MakeTask(Succeed));
    rejected.set_value(std::this_thread::get_id());
  };
  dispatcher.Submit({absl::Now() - absl::Seconds(1), 0, 0}, std::move(late));
  const std::thread::id attendant = rejected.get_future().get();
  EXPECT_NE(probe.End().thread, attendant);
}

TEST(Dispatcher, WaitsForLentThreads) {
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
    };
    task.reject = [](absl::Status) {};
    to->Submit(Lending(), std::move(task));
  });
  started.get_future().wait();
  dispatcher.reset();
  EXPECT_TRUE(ended);
  lender.join();
}

TEST(Dispatcher, EndsALateJobOnALentThread) {
  Dispatcher dispatcher(OneDevice(1, 10));
  Probe probe;
  JobOrder order = Lending();
  order.deadline = absl::Now() + absl::Milliseconds(20);
  dispatcher.Submit(order, probe.MakeTask(RunUntilCancelled));
  ASSERT_TRUE(probe.HasEnded());
  EXPECT_EQ(probe.End().status.code(), absl::StatusCode::kDeadlineExceeded);
}

}  // namespace
}  // namespace warpyard::dispatch
