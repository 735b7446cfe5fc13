// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Follows one job from its submission to its end, for the metrics.
#ifndef WARPYARD_SERVER_JOBS_JOB_WATCH_H_
#define WARPYARD_SERVER_JOBS_JOB_WATCH_H_

#include <atomic>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/engine/engine_options.h"
#include "server/metrics/job_series.h"

namespace warpyard::server {

class JobWatch final : public JobObserver {
 public:
  /// Counts the job as submitted.
  JobWatch(JobSeries& series, const JobOptions& job);

  void OnStart(absl::Duration waited) override;

  /// Counts how the job ended, once. Returns how long it took.
  /// @shape cancelled: when somebody cancelled it; InfiniteFuture: nobody did
  absl::Duration End(const absl::Status& status, absl::Time cancelled);

 private:
  JobSeries& series_;
  const Priority priority_;
  const absl::Time submitted_;
  const absl::Time deadline_;
  std::atomic<bool> started_ = false;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_JOBS_JOB_WATCH_H_
