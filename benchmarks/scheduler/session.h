// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What all cases do: make a model, run load jobs, compare what was executed with the oracle.
#ifndef WARPYARD_BENCHMARKS_SCHEDULER_SESSION_H_
#define WARPYARD_BENCHMARKS_SCHEDULER_SESSION_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/scheduler/machine.h"
#include "benchmarks/scheduler/report.h"
#include "core/memory/device_array.h"
#include "core/policy/policy.h"
#include "core/procedure/event_runner.h"
#include "core/workload/synthetic/synthetic_job.h"
#include "core/workload/synthetic/synthetic_oracle.h"

namespace warpyard::bench {

/// What a case gets.
struct Bench {
  Machine& machine;
  Report& report;
  bool quick = false;
  /// Kernels leave as soon as nothing is to do, as a profiler needs it.
  bool bounded = false;

  /// Of a measurement, after those that warm up.
  int Repetitions() const { return quick ? 2 : 5; }
  double Scaled(double full, double when_quick) const { return quick ? when_quick : full; }
};

/// Counters of jobs in memory of the device. What several jobs count adds up.
class Counters {
 public:
  /// @errors those of the backend, as of all members
  static absl::StatusOr<Counters> Create(device::Backend& backend);

  synthetic::SyntheticResults* device() const { return array_.data(); }
  absl::Status Clear();
  absl::StatusOr<synthetic::SyntheticTotals> Read() const;

 private:
  device::Backend* backend_ = nullptr;
  memory::DeviceArray<synthetic::SyntheticResults> array_;
};

/// A model that may stay on the device, and counters.
class Session {
 public:
  /// @errors those of the backend and the model
  static absl::StatusOr<std::unique_ptr<Session>> Create(Machine& machine,
                                                         const model::ResidentOptions& options);
  /// The same with a model that exists.
  static absl::StatusOr<std::unique_ptr<Session>> Adopt(Machine& machine,
                                                        std::unique_ptr<LoadModel> model);
  ~Session();

  LoadModel& model() { return *model_; }
  Counters& counters() { return counters_; }
  std::uint64_t Workers() const { return model_->Statistics().workers; }
  /// Time that workers have executed, in the mean over them, as far as they have said.
  double WorkersBusySeconds() const;

  /// Runs an event without a deadline that nobody cancels.
  absl::StatusOr<procedure::StageTimes> Run(const synthetic::SyntheticJob& job);
  /// Runs a job with counting. True: it executed what the oracle says.
  absl::StatusOr<bool> IsRight(synthetic::SyntheticJob job);

 private:
  Session(Machine& machine, std::unique_ptr<LoadModel> model);

  Machine& machine_;
  std::unique_ptr<LoadModel> model_;
  Counters counters_;
};

/// No event of a benchmark runs so long; one that does says by its end what went wrong.
inline constexpr std::uint64_t kEventLimitNs = 15'000'000'000;

/// Options of a kernel that leaves when it has nothing to do.
inline model::ResidentOptions LeavingWhenIdle(const Bench& bench) {
  model::ResidentOptions options;
  if (bench.bounded) options.linger_ns = 0;
  options.event_limit_ns = kEventLimitNs;
  return options;
}

/// Options of a kernel that never leaves by itself.
inline model::ResidentOptions AlwaysResident(const Bench& bench, policy::PolicyKind policy) {
  model::ResidentOptions options = LeavingWhenIdle(bench);
  if (!bench.bounded) options.linger_ns = model::ResidentOptions::kLingerAlways;
  options.policy.kind = policy;
  return options;
}

/// Packages that are all there at the start, not counted.
inline synthetic::SyntheticJob FlatJob(std::uint32_t elements, synthetic::WorkKind kind,
                                       std::uint32_t amount) {
  synthetic::SyntheticJob job;
  job.elements = elements;
  job.counting = synthetic::Counting::kOff;
  job.work.kind = kind;
  job.work.amount = amount;
  return job;
}

/// So many elements of `kind`, each followed by another one until there are `depths` of them.
inline synthetic::SyntheticJob ChainsJob(synthetic::SyntheticKind kind, std::uint32_t chains,
                                         std::uint32_t depths) {
  synthetic::SyntheticJob job;
  job.kind = kind;
  job.elements = chains;
  job.growth = {depths, {1000, 0}, 0, 0, synthetic::kEvenPermille};
  job.counting = synthetic::Counting::kOff;
  return job;
}

/// Depths of elements that follow each other until the event is cancelled.
inline constexpr std::uint32_t kEndless = 0xffffffff;

// The cases; each adds cells to the report.
absl::Status MeasureEmptyJobs(const Bench& bench);
absl::Status MeasureOverhead(const Bench& bench);
absl::Status MeasureAccuracy(const Bench& bench);
absl::Status MeasureQuota(const Bench& bench);
absl::Status MeasureModels(const Bench& bench);
absl::Status MeasureDeadlines(const Bench& bench);
absl::Status MeasureCancel(const Bench& bench);
absl::Status MeasureIdle(const Bench& bench);

}  // namespace warpyard::bench

#endif  // WARPYARD_BENCHMARKS_SCHEDULER_SESSION_H_
