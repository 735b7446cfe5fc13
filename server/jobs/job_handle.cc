// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/jobs/job_handle.h"

#include <algorithm>

#include "absl/time/clock.h"

namespace warpyard::server {

void JobHandle::Cancel() {
  JobId job;
  {
    const std::lock_guard lock(mutex_);
    cancelled_ = std::min(cancelled_, absl::Now());
    job = job_;
  }
  // Without the lock, because Cancel may run the job's completion, which takes locks of its own.
  if (job != JobId()) engine_.Cancel(job);
}

absl::Time JobHandle::cancelled() {
  const std::lock_guard lock(mutex_);
  return cancelled_;
}

int JobHandle::Submitting() {
  const std::lock_guard lock(mutex_);
  job_ = JobId();
  return ++submissions_;
}

void JobHandle::Submitted(int submission, JobId job) {
  {
    const std::lock_guard lock(mutex_);
    if (submission == submissions_) job_ = job;
    if (cancelled_ == absl::InfiniteFuture()) return;
  }
  engine_.Cancel(job);
}

}  // namespace warpyard::server
