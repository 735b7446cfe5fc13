// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A handle to cancel the engine job of a call at any moment.
#ifndef WARPYARD_SERVER_JOBS_JOB_HANDLE_H_
#define WARPYARD_SERVER_JOBS_JOB_HANDLE_H_

#include <mutex>

#include "absl/time/time.h"
#include "core/base/ids.h"
#include "core/engine/engine.h"

namespace warpyard::server {

/// One engine job of a call, which may be cancelled at any moment, also before it is submitted or
/// while it is being submitted. Thread-safe.
class JobHandle {
 public:
  explicit JobHandle(Engine& engine) : engine_(engine) {}

  /// Cancels the job, or else the job that is submitted under this handle later.
  void Cancel();

  /// When Cancel was called first; InfiniteFuture: not yet.
  absl::Time cancelled();

  /// The runner calls this before it submits a job. Returns the number of the submission.
  int Submitting();

  /// The runner calls this once the engine has returned the job's id. By then the job may have
  /// ended, and its completion may have submitted the next job.
  void Submitted(int submission, JobId job);

 private:
  Engine& engine_;
  std::mutex mutex_;
  int submissions_ = 0;                            // guarded by mutex_
  JobId job_;                                      // of the last submission; guarded by mutex_
  absl::Time cancelled_ = absl::InfiniteFuture();  // guarded by mutex_
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_JOBS_JOB_HANDLE_H_
