// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What the dispatcher does with jobs that cannot meet their deadlines. Jobs are thought to take
// hours, so that no test depends on how fast the machine is.

#include <gtest/gtest.h>

#include <cstddef>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/base/status_facts.h"
#include "core/dispatch/dispatcher.h"
#include "tests/unit/dispatch/carried_probes.h"
#include "tests/unit/dispatch/dispatcher_probes.h"

namespace warpyard::dispatch {
namespace {

constexpr double kHour = 3600e9;

/// An order for a job that is thought to take an hour.
struct Hours {
  std::shared_ptr<WorkEstimate> estimate = std::make_shared<WorkEstimate>();
  absl::Time now = absl::Now();

  Hours() {
    for (int i = 0; i < 3; ++i) estimate->Learn({kHour, kHour, true});
  }

  JobOrder Until(double hours, std::uint32_t tenant = 0) const {
    JobOrder order;
    order.deadline = now + absl::Hours(hours);
    order.tenant = tenant;
    order.estimate = estimate;
    return order;
  }
};

TEST(DispatcherAdmission, RefusesAtOnceWhatWouldBeLate) {
  Dispatcher dispatcher(OneDevice(1, 10));
  const Hours hour;
  Probe first, second;
  {
    Blocker blocker(dispatcher);
    dispatcher.Submit(hour.Until(1.5), first.MakeTask(Succeed));
    dispatcher.Submit(hour.Until(1.5), second.MakeTask(Succeed));
    const Ending end = second.End();
    EXPECT_TRUE(end.rejected);
    EXPECT_TRUE(absl::IsResourceExhausted(end.status)) << end.status;
    EXPECT_EQ(CauseOf(end.status), Cause::kDeadlineUnreachable);
    const auto expectation = ExpectationOf(end.status);
    ASSERT_TRUE(expectation);
    EXPECT_NEAR(expectation->left_ms, 1.5 * 3600e3, 60e3);
    EXPECT_GT(expectation->done_ms, 1.9 * 3600e3);
    const Dispatcher::AdmissionState state = dispatcher.AdmissionOn(0);
    EXPECT_EQ(state.counts.accepted, 1u);
    EXPECT_EQ(state.counts.refused, 1u);
    EXPECT_EQ(state.backlog, absl::Hours(1));
  }
  EXPECT_TRUE(first.End().status.ok());
}

TEST(DispatcherAdmission, RefusesNothingWhereItIsOff) {
  DispatcherOptions options = OneDevice(1, 10);
  options.admission.on = false;
  Dispatcher dispatcher(options);
  const Hours hour;
  std::vector<Probe> probes(3);
  for (Probe& probe : probes) dispatcher.Submit(hour.Until(0.5), probe.MakeTask(Succeed));
  for (Probe& probe : probes) EXPECT_TRUE(probe.End().status.ok());
}

TEST(DispatcherAdmission, LearnsFromTheJobsThatRun) {
  Dispatcher dispatcher(OneDevice(1, 10));
  const Hours hour;
  const auto unknown = std::make_shared<WorkEstimate>();
  JobOrder order = hour.Until(1);
  order.estimate = unknown;
  Probe probe, after;
  dispatcher.Submit(order, probe.MakeTask([](const Task::Running&) {
    absl::SleepFor(absl::Milliseconds(2));
    return absl::OkStatus();
  }));
  EXPECT_TRUE(probe.End().status.ok());
  dispatcher.Submit({kNever, 0, 0}, after.MakeTask(Succeed));  // the first has left by then
  EXPECT_TRUE(after.End().status.ok());
  EXPECT_EQ(dispatcher.AdmissionOn(0).backlog, absl::ZeroDuration());  // and admission knows it
  EXPECT_GE(unknown->Cost(0), 2e6);
  EXPECT_LT(unknown->Cost(0), 60e9);
}

TEST(DispatcherAdmission, LateWorkRunsAfterAllOthersAndItsDeadlineDoesNotEndIt) {
  Dispatcher dispatcher(OneDevice(1, 10));
  const Hours hour;
  std::string order;
  std::vector<Probe> probes(4);
  {
    Blocker blocker(dispatcher);
    const auto submit = [&](char name, const JobOrder& asked) {
      Probe& probe = probes[static_cast<std::size_t>(name - 'a')];
      dispatcher.Submit(asked, probe.MakeTask([&order, name](const Task::Running& running) {
        order += name;
        EXPECT_EQ(running.is_late, name == 'c' || name == 'd');
        return absl::OkStatus();
      }));
    };
    JobOrder late = hour.Until(0.5);
    late.run_late = true;
    submit('c', late);
    late.deadline = hour.now - absl::Hours(1);
    submit('d', late);
    submit('b', hour.Until(3));
    submit('a', hour.Until(1.5));
    EXPECT_EQ(dispatcher.AdmissionOn(0).counts.late, 2u);
  }
  for (Probe& probe : probes) EXPECT_TRUE(probe.End().status.ok());
  EXPECT_EQ(order, "abcd");
}

TEST(DispatcherAdmission, AJobThatGaveWayAndThenPassesItsDeadlineIsLateWorkOnce) {
  constexpr std::size_t kJobs = 8;
  Dispatcher dispatcher(OneDevice(1, 20));
  const auto estimate = std::make_shared<WorkEstimate>();
  for (int i = 0; i < 3; ++i) estimate->Learn({60e6, 60e6, true});
  std::vector<Probe> probes(kJobs);
  Probe other;
  {
    Blocker blocker(dispatcher);
    JobOrder order;
    order.deadline = absl::Now() + absl::Milliseconds(400);
    order.estimate = estimate;
    order.run_late = true;
    for (Probe& probe : probes) dispatcher.Submit(order, probe.MakeTask(Succeed));
    order.run_late = false;
    order.tenant = 1;
    dispatcher.Submit(order, other.MakeTask(Succeed));
    EXPECT_EQ(dispatcher.AdmissionOn(0).counts.gave_way, 1u);
    EXPECT_FALSE(other.End().status.ok());
    EXPECT_TRUE(Soon([&] { return dispatcher.AdmissionOn(0).counts.late >= kJobs; }));
    absl::SleepFor(absl::Milliseconds(50));
    EXPECT_EQ(dispatcher.AdmissionOn(0).counts.late, kJobs);
  }
  for (Probe& probe : probes) EXPECT_TRUE(probe.End().status.ok());
}

TEST(DispatcherAdmission, AWaitingJobWithoutAnEstimateBecomesLateWorkAtItsDeadline) {
  Dispatcher dispatcher(OneDevice(1, 10));
  std::string order;
  Probe late, met;
  const auto append = [&order](char name) {
    return [&order, name](const Task::Running&) {
      order += name;
      return absl::OkStatus();
    };
  };
  {
    Blocker blocker(dispatcher);
    JobOrder asked;
    asked.deadline = absl::Now() + absl::Milliseconds(30);
    asked.run_late = true;
    dispatcher.Submit(asked, late.MakeTask(append('b')));
    asked.deadline = absl::Now() + absl::Hours(1);
    dispatcher.Submit(asked, met.MakeTask(append('a')));
    const absl::Time limit = absl::Now() + absl::Seconds(60);
    while (dispatcher.AdmissionOn(0).counts.late == 0 && absl::Now() < limit) {
      absl::SleepFor(absl::Milliseconds(1));
    }
    EXPECT_EQ(dispatcher.AdmissionOn(0).counts.late, 1u);
  }
  EXPECT_TRUE(late.End().status.ok());
  EXPECT_TRUE(met.End().status.ok());
  EXPECT_EQ(order, "ab");
}

TEST(DispatcherAdmission, LateWorkTakesAtMostHalfOfTheQueue) {
  Dispatcher dispatcher(OneDevice(1, 4));
  const Hours hour;
  JobOrder late = hour.Until(0.5);
  late.run_late = true;
  std::vector<Probe> probes(3);
  Probe met;
  {
    Blocker blocker(dispatcher);
    for (Probe& probe : probes) dispatcher.Submit(late, probe.MakeTask(Succeed));
    const Ending refused = probes[2].End();
    EXPECT_EQ(CauseOf(refused.status), Cause::kPendingJobs) << refused.status;
    dispatcher.Submit(hour.Until(1.5), met.MakeTask(Succeed));
  }
  EXPECT_TRUE(met.End().status.ok());
  EXPECT_TRUE(probes[0].End().status.ok());
  EXPECT_TRUE(probes[1].End().status.ok());
}

TEST(DispatcherAdmission, GivesUpWhatCannotBeDoneAnyMore) {
  for (const bool run_late : {false, true}) {
    Dispatcher dispatcher(OneDevice(1, 10));
    const Hours hour;
    JobOrder order = hour.Until(1);
    order.deadline += absl::Seconds(1);
    order.run_late = run_late;
    Probe probe;
    {
      Blocker blocker(dispatcher);
      dispatcher.Submit(order, probe.MakeTask([](const Task::Running& running) {
        EXPECT_TRUE(running.is_late);
        return absl::OkStatus();
      }));
      EXPECT_EQ(dispatcher.AdmissionOn(0).counts.accepted, 1u);
      absl::SleepFor(order.deadline - absl::Hours(1) + absl::Milliseconds(10) - absl::Now());
    }
    const Ending end = probe.End();
    EXPECT_EQ(end.rejected, !run_late);
    if (!run_late) {
      EXPECT_TRUE(absl::IsDeadlineExceeded(end.status)) << end.status;
      EXPECT_EQ(CauseOf(end.status), Cause::kDeadlineHopeless);
    }
    EXPECT_EQ(dispatcher.AdmissionOn(0).counts.given_up, 1u);
    EXPECT_EQ(dispatcher.AdmissionOn(0).counts.late, run_late ? 1u : 0u);
  }
}

TEST(DispatcherAdmission, ATenantWithinItsShareTakesThePlaceOfAnother) {
  Dispatcher dispatcher(OneDevice(1, 10));
  const Hours hour;
  std::vector<Probe> many(4);
  Probe other;
  {
    Blocker blocker(dispatcher);
    for (Probe& probe : many) dispatcher.Submit(hour.Until(4.5), probe.MakeTask(Succeed));
    dispatcher.Submit(hour.Until(4.5, 1), other.MakeTask(Succeed));
    const Ending gave_way = many[3].End();
    EXPECT_TRUE(absl::IsResourceExhausted(gave_way.status)) << gave_way.status;
    EXPECT_EQ(CauseOf(gave_way.status), Cause::kDeadlineUnreachable);
    EXPECT_EQ(dispatcher.AdmissionOn(0).counts.gave_way, 1u);
  }
  EXPECT_TRUE(other.End().status.ok());
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(many[static_cast<std::size_t>(i)].End().status.ok());
}

TEST(DispatcherAdmission, AStartedJobThatNobodyServesGivesWayToo) {
  Dispatcher dispatcher(OneDevice(2, 10));
  const Hours hour;
  Probe served, idle, other;
  const auto run = [&](Probe& probe, const JobOrder& order) {
    auto started = std::make_shared<std::promise<void>>();
    dispatcher.Submit(order, probe.MakeTask([started](const Task::Running& running) {
      started->set_value();
      return RunUntilCancelled(running);
    }));
    started->get_future().wait();
  };
  run(served, hour.Until(2.3));
  run(idle, hour.Until(2.4));
  dispatcher.Submit(hour.Until(2.4, 1), other.MakeTask(Succeed));
  const Ending gave_way = idle.End();
  EXPECT_FALSE(gave_way.rejected);
  EXPECT_EQ(CauseOf(gave_way.status), Cause::kDeadlineUnreachable) << gave_way.status;
  EXPECT_TRUE(other.End().status.ok());
}

TEST(DispatcherAdmission, ACancelledJobLeavesItsRoom) {
  Dispatcher dispatcher(OneDevice(1, 10));
  const Hours hour;
  Probe cancelled, next;
  {
    Blocker blocker(dispatcher);
    dispatcher.Cancel(dispatcher.Submit(hour.Until(1.5), cancelled.MakeTask(Succeed)));
    dispatcher.Submit(hour.Until(1.5), next.MakeTask(Succeed));
  }
  EXPECT_TRUE(absl::IsCancelled(cancelled.End().status));
  EXPECT_TRUE(next.End().status.ok());
}

}  // namespace
}  // namespace warpyard::dispatch
