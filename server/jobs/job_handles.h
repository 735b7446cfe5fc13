// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The handles of a call that runs several jobs at the same time.
#ifndef WARPYARD_SERVER_JOBS_JOB_HANDLES_H_
#define WARPYARD_SERVER_JOBS_JOB_HANDLES_H_

#include <memory>
#include <mutex>
#include <vector>

#include "core/engine/engine.h"
#include "server/jobs/job_handle.h"

namespace warpyard::server {

/// Thread-safe.
class JobHandles {
 public:
  explicit JobHandles(Engine& engine) : engine_(engine) {}

  /// The handle of one more job. After Cancel, it cancels the job that it gets.
  std::shared_ptr<JobHandle> New() {
    auto handle = std::make_shared<JobHandle>(engine_);
    const std::lock_guard lock(mutex_);
    if (cancelled_) handle->Cancel();
    handles_.push_back(handle);
    return handle;
  }

  bool cancelled() {
    const std::lock_guard lock(mutex_);
    return cancelled_;
  }

  /// Cancels all jobs.
  void Cancel() {
    std::vector<std::shared_ptr<JobHandle>> handles;
    {
      const std::lock_guard lock(mutex_);
      cancelled_ = true;
      handles = handles_;
    }
    // Without the lock, because Cancel may run completions.
    for (const auto& handle : handles) handle->Cancel();
  }

 private:
  Engine& engine_;
  std::mutex mutex_;
  bool cancelled_ = false;                           // guarded by mutex_
  std::vector<std::shared_ptr<JobHandle>> handles_;  // guarded by mutex_
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_JOBS_JOB_HANDLES_H_
