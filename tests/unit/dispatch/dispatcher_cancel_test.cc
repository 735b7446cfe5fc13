// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Jobs that end early: cancels and deadlines.

#include <gtest/gtest.h>

#include <thread>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/dispatch/dispatcher.h"
#include "tests/unit/dispatch/dispatcher_probes.h"

namespace warpyard::dispatch {
namespace {

TEST(DispatcherCancel, CancelsAWaitingJob) {
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

TEST(DispatcherCancel, CancelsARunningJob) {
  Dispatcher dispatcher(OneDevice(1, 10));
  Probe probe;
  const JobId id = dispatcher.Submit({kNever, 0, 0}, probe.MakeTask(RunUntilCancelled));
  dispatcher.Cancel(id);
  EXPECT_TRUE(absl::IsCancelled(probe.End().status));
}

TEST(DispatcherCancel, IgnoresTheCancellationOfUnknownAndFinishedJobs) {
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

TEST(DispatcherCancel, EndsAWaitingJobAtItsDeadline) {
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

TEST(DispatcherCancel, EndsARunningJobAtItsDeadline) {
  Dispatcher dispatcher(OneDevice(1, 10));
  Probe probe;
  dispatcher.Submit({absl::Now() + absl::Milliseconds(20), 0, 0},
                    probe.MakeTask(RunUntilCancelled));
  EXPECT_TRUE(absl::IsDeadlineExceeded(probe.End().status));
}

TEST(DispatcherCancel, LetsAChainGoOnAfterAJobThatWasLate) {
  Dispatcher dispatcher(OneDevice(2, 10));
  Probe late, next;
  dispatcher.Submit({absl::Now() + absl::Milliseconds(10), 0, 7}, late.MakeTask(RunUntilCancelled));
  dispatcher.Submit({kNever, 0, 7}, next.MakeTask(Succeed));
  EXPECT_TRUE(absl::IsDeadlineExceeded(late.End().status));
  EXPECT_TRUE(next.End().status.ok());
}

TEST(DispatcherCancel, RefusesAJobWhoseDeadlineHasPassed) {
  Dispatcher dispatcher(OneDevice(1, 10));
  Probe probe;
  dispatcher.Submit({absl::Now() - absl::Seconds(1), 0, 0}, probe.MakeTask(Succeed));
  const Ending end = probe.End();
  EXPECT_TRUE(absl::IsDeadlineExceeded(end.status)) << end.status;
  EXPECT_TRUE(end.rejected);
  EXPECT_NE(end.thread, std::this_thread::get_id());
}

}  // namespace
}  // namespace warpyard::dispatch
