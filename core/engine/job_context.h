// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What the host code of a workload gets for one job: a device, its workers and a cancel token.
#ifndef WARPYARD_CORE_ENGINE_JOB_CONTEXT_H_
#define WARPYARD_CORE_ENGINE_JOB_CONTEXT_H_

#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/device/backend.h"
#include "core/engine/device_workers.h"
#include "core/engine/event_loop.h"
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

  /// @shape loop: of the job's thread, if the job shares it with others; null: the job may block
  JobContext(const Place& place, const policy::EventAttributes& attributes,
             const procedure::CancelToken& token, absl::Duration waited, EventLoop* loop = nullptr)
      : place_(place), attributes_(attributes), token_(token), waited_(waited), loop_(loop) {}

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
    bool Starts() const override { return context_.loop_ != nullptr; }
    absl::Status Start(const Job& job, const procedure::CancelToken& token,
                       procedure::EventEnded ended) override {
      return context_.StartEvent(procedure::AnyJob::Of(job), token, std::move(ended));
    }
    bool CallsFinish() const override { return context_.place_.workers.CallsFinish(); }
    std::uint32_t Workers() const override { return context_.place_.workers.Blocks(); }

   private:
    JobContext& context_;
  };

 private:
  absl::StatusOr<procedure::StageTimes> RunEvent(const procedure::AnyJob& job,
                                                 const procedure::CancelToken& token) {
    absl::StatusOr<procedure::StageTimes> times = place_.workers.Run(job, attributes_, token);
    Count(times);
    return times;
  }

  absl::Status StartEvent(const procedure::AnyJob& job, const procedure::CancelToken& token,
                          procedure::EventEnded ended) {
    return loop_->Start(
        job, attributes_, token,
        [this, ended = std::move(ended)](absl::StatusOr<procedure::StageTimes> times) {
          Count(times);
          ended(std::move(times));
        });
  }

  void Count(const absl::StatusOr<procedure::StageTimes>& times) {
    if (times.ok()) device_ns_ += times->All() / times->jobs;
  }

  const Place place_;
  const policy::EventAttributes attributes_;
  const procedure::CancelToken& token_;
  const absl::Duration waited_;
  EventLoop* const loop_;
  std::uint64_t device_ns_ = 0;
};

}  // namespace warpyard

#endif  // WARPYARD_CORE_ENGINE_JOB_CONTEXT_H_
