// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Shared parts of all cases: make a model, run load jobs, compare the executed elements with the
// oracle.
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

/// The input of a case.
struct Bench {
  Machine& machine;
  Report& report;
  bool quick = false;
  /// Kernels leave as soon as there is nothing to do; a profiler needs that.
  bool bounded = false;

  /// Repetitions of a measurement, after the warm-up.
  int Repetitions() const { return quick ? 2 : 5; }
  double Scaled(double full, double when_quick) const { return quick ? when_quick : full; }
};

/// Counters of jobs in memory of the device. Several jobs add to the same counters.
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
  /// A session with an existing model.
  static absl::StatusOr<std::unique_ptr<Session>> Adopt(Machine& machine,
                                                        std::unique_ptr<LoadModel> model);
  ~Session();

  LoadModel& model() { return *model_; }
  Counters& counters() { return counters_; }
  std::uint64_t Workers() const { return model_->Statistics().workers; }
  /// Packages of whole blocks that may be executed at the same time.
  std::uint64_t Blocks() const { return model_->Blocks(); }
  /// Time that workers have executed, averaged over the workers, as far as they have published it.
  double WorkersBusySeconds() const;

  /// Runs an event that has no deadline and is never cancelled.
  absl::StatusOr<procedure::StageTimes> Run(const synthetic::SyntheticJob& job);
  /// Runs a job with counting. Returns true if it executed the elements that the oracle expects.
  absl::StatusOr<bool> IsRight(synthetic::SyntheticJob job);

 private:
  Session(Machine& machine, std::unique_ptr<LoadModel> model);

  Machine& machine_;
  std::unique_ptr<LoadModel> model_;
  Counters counters_;
};

/// No event of a benchmark takes so long, so an event that reaches the limit reports an error.
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

/// Packages that all exist at the start, not counted.
inline synthetic::SyntheticJob FlatJob(std::uint32_t elements, synthetic::WorkKind kind,
                                       std::uint32_t amount) {
  synthetic::SyntheticJob job;
  job.elements = elements;
  job.counting = synthetic::Counting::kOff;
  job.work.kind = kind;
  job.work.amount = amount;
  return job;
}

/// `chains` elements of `kind`; each is followed by another one until there are `depths` of them.
inline synthetic::SyntheticJob ChainsJob(synthetic::SyntheticKind kind, std::uint32_t chains,
                                         std::uint32_t depths) {
  synthetic::SyntheticJob job;
  job.kind = kind;
  job.elements = chains;
  job.growth = {depths, {1000, 0}, 0, 0, synthetic::kEvenPermille};
  job.counting = synthetic::Counting::kOff;
  return job;
}

/// A full binary tree of items of four types under each root. The nodes are not counted: they are
/// so short that the counters would limit their rate.
inline synthetic::SyntheticJob TreesJob(std::uint32_t roots, std::uint32_t depths) {
  constexpr std::uint32_t kNodeFma = 120;
  synthetic::SyntheticJob job;
  job.kind = synthetic::SyntheticKind::kTree;
  job.elements = roots;
  job.growth = synthetic::FullTreeGrowth(depths, synthetic::kEvenPermille);
  job.counting = synthetic::Counting::kOff;
  job.work = {synthetic::WorkKind::kFma, kNodeFma, 0, 0, nullptr};
  return job;
}

/// Depths of elements that follow each other until the event is cancelled.
inline constexpr std::uint32_t kEndless = 0xffffffff;

// The cases. Each adds cells to the report.
absl::Status MeasureEmptyJobs(const Bench& bench);
absl::Status MeasureOverhead(const Bench& bench);
absl::Status MeasureAccuracy(const Bench& bench);
absl::Status MeasureQuota(const Bench& bench);
absl::Status MeasureTogether(const Bench& bench);
absl::Status MeasureModels(const Bench& bench);
absl::Status MeasureDeadlines(const Bench& bench);
absl::Status MeasureUrgent(const Bench& bench);
absl::Status MeasurePreemption(const Bench& bench);
absl::Status MeasureTrees(const Bench& bench);
absl::Status MeasureCancel(const Bench& bench);
absl::Status MeasureIdle(const Bench& bench);

}  // namespace warpyard::bench

#endif  // WARPYARD_BENCHMARKS_SCHEDULER_SESSION_H_
