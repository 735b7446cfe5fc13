// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Submits jobs to the engine, counts and times them, and lets calls cancel them at any moment.
#ifndef WARPYARD_SERVER_JOBS_JOB_RUNNER_H_
#define WARPYARD_SERVER_JOBS_JOB_RUNNER_H_

#include <functional>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "core/base/ids.h"
#include "core/engine/engine.h"
#include "server/jobs/job_handle.h"
#include "server/metrics/job_series.h"

namespace warpyard::server {

/// The series that counts a job, its options, and the handle that cancels it.
struct JobTicket {
  JobSeries& series;
  JobOptions options;
  std::shared_ptr<JobHandle> handle;
};

/// Submits jobs of all workloads and keeps their metrics.
class JobRunner {
 public:
  explicit JobRunner(Engine& engine) : engine_(engine) {}

  Engine& engine() { return engine_; }

  /// One handle may serve several jobs, one after another. `done` runs on a thread of the engine.
  /// @shape JobId submit(Engine&, const JobOptions&, done); PhasesOf(T): the phases of a result
  template <class T, class Submit>
  void Run(const JobTicket& ticket, Submit submit, std::function<void(absl::StatusOr<T>)> done) {
    JobSeries& series = ticket.series;
    series.Submitted(ticket.options.priority);
    auto counted = [&series, start = absl::Now(),
                    done = std::move(done)](absl::StatusOr<T> result) {
      series.Finished(result.status(), absl::Now() - start);
      if (result.ok()) series.Phases(PhasesOf(*result));
      done(std::move(result));
    };
    const int submission = ticket.handle->Submitting();
    ticket.handle->Submitted(submission, submit(engine_, ticket.options, std::move(counted)));
  }

 private:
  Engine& engine_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_JOBS_JOB_RUNNER_H_
