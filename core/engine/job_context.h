// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What the host code of a workload gets for one job: a device, its workers and a cancel token.
#ifndef WARPYARD_CORE_ENGINE_JOB_CONTEXT_H_
#define WARPYARD_CORE_ENGINE_JOB_CONTEXT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/device/backend.h"
#include "core/engine/device_workers.h"
#include "core/policy/policy.h"
#include "core/procedure/any_job.h"
#include "core/procedure/event_runner.h"

namespace warpyard {

/// @scope one job, on the thread that runs it
class JobContext {
 public:
  /// The place where a job runs. All members outlive the context.
  struct Place {
    device::Backend& backend;
    DeviceWorkers& workers;
  };

  JobContext(const Place& place, const policy::EventAttributes& attributes,
             const procedure::CancelToken& token, absl::Duration waited)
      : place_(place), attributes_(attributes), token_(token), waited_(waited) {}

  device::Backend& backend() { return place_.backend; }
  const procedure::CancelToken& token() const { return token_; }
  /// The time from the submission of the job to its start.
  absl::Duration waited() const { return waited_; }
  /// The device time of the events that the job has run so far.
  std::uint64_t device_ns() const { return device_ns_; }

  /// Runs events of the workload with this job type. Must not outlive the context.
  template <class Job>
  class Runner final : public procedure::EventRunner<Job> {
   public:
    explicit Runner(JobContext& context) : context_(context) {}

    absl::StatusOr<procedure::StageTimes> Run(const Job& job,
                                              const procedure::CancelToken& token) override {
      return context_.RunEvent(procedure::AnyJob::Of(job), token);
    }
    bool CallsFinish() const override { return context_.place_.workers.CallsFinish(); }
    std::uint32_t Workers() const override { return context_.place_.workers.Blocks(); }

   private:
    JobContext& context_;
  };

 private:
  absl::StatusOr<procedure::StageTimes> RunEvent(const procedure::AnyJob& job,
                                                 const procedure::CancelToken& token) {
    absl::StatusOr<EventTimes> times = place_.workers.Run(job, attributes_, token);
    if (!times.ok()) return times.status();
    device_ns_ += times->device_ns;
    return std::move(times->stages);
  }

  const Place place_;
  const policy::EventAttributes attributes_;
  const procedure::CancelToken& token_;
  const absl::Duration waited_;
  std::uint64_t device_ns_ = 0;
};

}  // namespace warpyard

#endif  // WARPYARD_CORE_ENGINE_JOB_CONTEXT_H_
