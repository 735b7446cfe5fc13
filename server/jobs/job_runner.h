// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Hands jobs to the engine: counted, timed, and cancellable from before the engine knows them.
#ifndef WARPYARD_SERVER_JOBS_JOB_RUNNER_H_
#define WARPYARD_SERVER_JOBS_JOB_RUNNER_H_

#include <memory>
#include <mutex>

#include "core/base/ids.h"
#include "core/engine/engine.h"
#include "server/metrics/metrics.h"

namespace warpyard::server {

/// One engine job of a call, which may be cancelled at any moment, also before it is submitted or
/// while it is being submitted. Thread-safe.
class JobHandle {
 public:
  explicit JobHandle(Engine& engine) : engine_(engine) {}

  /// Cancels the job, or else whatever job is submitted under this handle later.
  void Cancel();

  /// Called by the runner before it submits a job: the number of the submission.
  int Submitting();

  /// Called by the runner once the engine has named the job. By then the job may have ended, and
  /// the next have been submitted from its completion.
  void Submitted(int submission, JobId job);

 private:
  Engine& engine_;
  std::mutex mutex_;
  int submissions_ = 0;     // guarded by mutex_
  JobId job_;               // of the last submission; guarded by mutex_
  bool cancelled_ = false;  // guarded by mutex_
};

/// Submits jobs and keeps their metrics. The completions run on an engine thread.
class JobRunner {
 public:
  JobRunner(Engine& engine, Metrics& metrics) : engine_(engine), metrics_(metrics) {}

  Engine& engine() { return engine_; }

  /// One handle may serve several jobs, one after another.
  void OpenScene(const SceneDescription& scene, const JobOptions& options,
                 const std::shared_ptr<JobHandle>& handle, Engine::OpenDone done);
  void Step(const StepDescription& step, const JobOptions& options,
            const std::shared_ptr<JobHandle>& handle, Engine::StepDone done);
  void RunLoad(const synthetic::SyntheticJob& load, const JobOptions& options,
               const std::shared_ptr<JobHandle>& handle, Engine::LoadDone done);

 private:
  Engine& engine_;
  Metrics& metrics_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_JOBS_JOB_RUNNER_H_
