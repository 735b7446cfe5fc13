// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Submits jobs to the engine, counts, times and logs them, and lets calls cancel them at any
// moment.
#ifndef WARPYARD_SERVER_JOBS_JOB_RUNNER_H_
#define WARPYARD_SERVER_JOBS_JOB_RUNNER_H_

#include <functional>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "core/base/ids.h"
#include "core/engine/engine.h"
#include "server/identity/call_identity.h"
#include "server/jobs/job_handle.h"
#include "server/jobs/job_watch.h"
#include "server/log/call_log.h"
#include "server/metrics/job_series.h"

namespace warpyard::server {

/// The series that counts a job, its options, and the handle that cancels it.
struct JobTicket {
  JobSeries& series;
  JobOptions options;
  std::shared_ptr<JobHandle> handle;
  std::shared_ptr<const CallIdentity> identity = nullptr;  ///< of its call, for the log
};

/// Submits jobs of all workloads, keeps their metrics, and logs how they end.
class JobRunner {
 public:
  /// @shape log: outlives the engine
  JobRunner(Engine& engine, Logger& log) : engine_(engine), log_(log) {}

  Engine& engine() { return engine_; }

  /// One handle may serve several jobs, one after another. `done` runs on a thread of the engine.
  /// @shape JobId submit(Engine&, const JobOptions&, done); PhasesOf(T): the phases of a result
  template <class T, class Submit>
  void Run(const JobTicket& ticket, Submit submit, std::function<void(absl::StatusOr<T>)> done) {
    JobSeries& series = ticket.series;
    JobOptions options = ticket.options;
    const auto watch = std::make_shared<JobWatch>(series, options);
    options.observer = watch;
    auto counted = [&series, &log = log_, watch, handle = ticket.handle, identity = ticket.identity,
                    tenant = options.tenant, done = std::move(done)](absl::StatusOr<T> result) {
      const absl::Duration duration = watch->End(result.status(), handle->cancelled());
      JobEnd end = {series.kind(), tenant, result.status(), duration};
      if (result.ok()) {
        const PhaseTimes& phases = PhasesOf(*result);
        series.Phases(phases);
        end.phases = &phases;
        LogJobEnd(log, identity.get(), end);
      } else {
        LogJobEnd(log, identity.get(), end);
      }
      done(std::move(result));
    };
    const int submission = ticket.handle->Submitting();
    ticket.handle->Submitted(submission, submit(engine_, options, std::move(counted)));
  }

 private:
  Engine& engine_;
  Logger& log_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_JOBS_JOB_RUNNER_H_
