// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The workers of one device, whatever their program is: an execution model without its type.
#ifndef WARPYARD_CORE_ENGINE_DEVICE_WORKERS_H_
#define WARPYARD_CORE_ENGINE_DEVICE_WORKERS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/bell.h"
#include "core/base/macros.h"
#include "core/engine/batch_memory.h"
#include "core/model/execution_model.h"
#include "core/policy/policy.h"
#include "core/procedure/any_job.h"
#include "core/procedure/event_runner.h"

namespace warpyard {

/// Runs events of any workload in the program. Thread-safe.
class DeviceWorkers {
 public:
  virtual ~DeviceWorkers() = default;

  /// Runs all stages of `job`; blocks until the event is done.
  /// @errors as procedure::EventRunner::Run; UNIMPLEMENTED: the program does not have the job's
  ///     workload, or not all that the job needs
  virtual absl::StatusOr<procedure::StageTimes> Run(const procedure::AnyJob& job,
                                                    const policy::EventAttributes& attributes,
                                                    const procedure::CancelToken& token) = 0;
  /// As of model::ExecutionModel: null where as many events run as may. @errors as Run
  virtual absl::StatusOr<std::unique_ptr<model::StartedEvent>> Start(
      const procedure::AnyJob& job, const policy::EventAttributes& attributes, Bell& bell) = 0;
  virtual bool RingsBells() const = 0;

  /// Jobs with the same type and the same key may share an event (model/batched_jobs.h). 0: the job
  /// shares with none.
  virtual std::uint64_t BatchKey(const procedure::AnyJob& job) const = 0;
  /// Bytes of BatchMemory, on either side, that a job takes; 0: no job may share.
  virtual std::size_t BatchedBytes() const = 0;
  /// Starts an event of several jobs. It has one stage before those of the jobs, and one after
  /// them. Null: as of Start.
  /// @shape jobs: with the same type and key; memory: stays until the event is over
  /// @errors as Run
  virtual absl::StatusOr<std::unique_ptr<model::StartedEvent>> StartBatch(
      std::span<const procedure::AnyJob> jobs, BatchMemory& memory,
      const policy::EventAttributes& attributes, Bell& bell) = 0;

  /// As of model::ExecutionModel.
  virtual bool CallsFinish() const = 0;
  virtual std::uint32_t Workers() const = 0;
  virtual std::uint32_t Blocks() const = 0;

  virtual model::ModelStatistics Statistics() const = 0;
  virtual absl::Status Health() const = 0;

  /// As of model::ExecutionModel.
  virtual absl::Status RunQuietly(const std::function<absl::Status()>& work) = 0;

  /// Of all procedures, in the order of the statistics.
  virtual std::span<const char* const> ProcedureNames() const = 0;
  /// Whether the procedure with this index has a queue: elements of a stage wait as a number.
  virtual bool HasQueue(std::uint32_t procedure) const = 0;
};

/// @shape Program: a model::CombinedProgram
template <class Program>
class ModelWorkers final : public DeviceWorkers {
 public:
  using Model = model::ExecutionModel<Program>;

  explicit ModelWorkers(std::unique_ptr<Model> model) : model_(std::move(model)) {}

  absl::StatusOr<procedure::StageTimes> Run(const procedure::AnyJob& any,
                                            const policy::EventAttributes& attributes,
                                            const procedure::CancelToken& token) override {
    typename Program::Job job;
    WY_RETURN_IF_ERROR(Program::Wrap(any, job));
    return model_->Run(job, attributes, token);
  }
  absl::StatusOr<std::unique_ptr<model::StartedEvent>> Start(
      const procedure::AnyJob& any, const policy::EventAttributes& attributes,
      Bell& bell) override {
    typename Program::Job job;
    WY_RETURN_IF_ERROR(Program::Wrap(any, job));
    return model_->Start(job, attributes, bell);
  }
  bool RingsBells() const override { return model_->RingsBells(); }

  std::uint64_t BatchKey(const procedure::AnyJob& job) const override {
    return Program::BatchKey(job);
  }
  std::size_t BatchedBytes() const override { return Program::kBatchedBytes; }
  absl::StatusOr<std::unique_ptr<model::StartedEvent>> StartBatch(
      std::span<const procedure::AnyJob> jobs, BatchMemory& memory,
      const policy::EventAttributes& attributes, Bell& bell) override {
    typename Program::Job job;
    Program::WrapBatch(jobs, memory.sources.data(), memory.jobs.data(), job);
    return model_->Start(job, attributes, bell);
  }

  bool CallsFinish() const override { return model_->CallsFinish(); }
  std::uint32_t Workers() const override { return model_->Workers(); }
  std::uint32_t Blocks() const override { return model_->Blocks(); }
  model::ModelStatistics Statistics() const override { return model_->Statistics(); }
  absl::Status Health() const override { return model_->Health(); }
  absl::Status RunQuietly(const std::function<absl::Status()>& work) override {
    return model_->RunQuietly(work);
  }
  std::span<const char* const> ProcedureNames() const override {
    return Program::Procedures::kNames;
  }
  bool HasQueue(std::uint32_t procedure) const override {
    return Program::Procedures::IsSpawnedId(procedure);
  }

 private:
  const std::unique_ptr<Model> model_;
};

}  // namespace warpyard

#endif  // WARPYARD_CORE_ENGINE_DEVICE_WORKERS_H_
