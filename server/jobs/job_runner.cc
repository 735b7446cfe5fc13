// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/jobs/job_runner.h"

#include <utility>

#include "absl/time/clock.h"
#include "server/synthetic/convert.h"

namespace warpyard::server {

void JobHandle::Cancel() {
  JobId job;
  {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    job = job_;
  }
  // Without the lock: the completion may run, and take locks of its own, inside of Cancel.
  if (job != JobId()) engine_.Cancel(job);
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
    if (!cancelled_) return;
  }
  engine_.Cancel(job);
}

void JobRunner::OpenScene(const SceneDescription& scene, const JobOptions& options,
                          const std::shared_ptr<JobHandle>& handle, Engine::OpenDone done) {
  metrics_.JobSubmitted(JobKind::kOpenScene, options.priority);
  auto counted = [&metrics = metrics_, start = absl::Now(),
                  done = std::move(done)](absl::StatusOr<SceneInfo> info) {
    metrics.JobFinished(JobKind::kOpenScene, info.status(), absl::Now() - start);
    if (info.ok()) metrics.JobPhases(JobKind::kOpenScene, info->phases);
    done(std::move(info));
  };
  const int submission = handle->Submitting();
  handle->Submitted(submission, engine_.OpenScene(scene, options, std::move(counted)));
}

void JobRunner::Step(const StepDescription& step, const JobOptions& options,
                     const std::shared_ptr<JobHandle>& handle, Engine::StepDone done) {
  metrics_.JobSubmitted(JobKind::kStep, options.priority);
  auto counted = [&metrics = metrics_, start = absl::Now(),
                  done = std::move(done)](absl::StatusOr<ccd::CollisionResult> result) {
    metrics.JobFinished(JobKind::kStep, result.status(), absl::Now() - start);
    if (result.ok()) metrics.JobPhases(JobKind::kStep, result->statistics.phases);
    done(std::move(result));
  };
  const int submission = handle->Submitting();
  handle->Submitted(submission, engine_.Step(step, options, std::move(counted)));
}

void JobRunner::RunLoad(const synthetic::SyntheticJob& load, const JobOptions& options,
                        const std::shared_ptr<JobHandle>& handle, Engine::LoadDone done) {
  metrics_.JobSubmitted(JobKind::kLoad, options.priority);
  auto counted = [&metrics = metrics_, start = absl::Now(),
                  done = std::move(done)](absl::StatusOr<synthetic::SyntheticResult> result) {
    metrics.JobFinished(JobKind::kLoad, result.status(), absl::Now() - start);
    if (result.ok()) metrics.JobPhases(JobKind::kLoad, PhasesOf(*result));
    done(std::move(result));
  };
  const int submission = handle->Submitting();
  handle->Submitted(submission, engine_.RunLoad(load, options, std::move(counted)));
}

}  // namespace warpyard::server
