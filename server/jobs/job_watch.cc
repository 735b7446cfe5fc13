// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/jobs/job_watch.h"

#include "absl/time/clock.h"

namespace warpyard::server {

JobWatch::JobWatch(JobSeries& series, const JobOptions& job)
    : series_(series), priority_(job.priority), submitted_(absl::Now()), deadline_(job.deadline) {
  series_.Submitted(priority_);
}

void JobWatch::OnStart(absl::Duration waited) {
  started_ = true;
  series_.Started(priority_, waited);
}

absl::Duration JobWatch::End(const absl::Status& status, absl::Time cancelled) {
  const absl::Time now = absl::Now();
  JobSeries::End end = {status, now - submitted_, started_};
  if (deadline_ != absl::InfiniteFuture()) end.slack = deadline_ - now;
  if (cancelled != absl::InfiniteFuture()) end.since_cancel = now - cancelled;
  series_.Finished(priority_, end);
  return end.duration;
}

}  // namespace warpyard::server
