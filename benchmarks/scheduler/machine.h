// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Machines for the scheduler's benchmarks: execution models of the load program, and the same work
// without a scheduler.
#ifndef WARPYARD_BENCHMARKS_SCHEDULER_MACHINE_H_
#define WARPYARD_BENCHMARKS_SCHEDULER_MACHINE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/device/backend.h"
#include "core/model/execution_model.h"
#include "core/model/megakernel/resident_options.h"
#include "core/workload/synthetic/synthetic_job.h"
#include "core/workload/synthetic/synthetic_program.h"

namespace warpyard::bench {

using LoadModel = model::ExecutionModel<synthetic::SyntheticProgram>;

/// Kernels on prioritised streams, the usual way without a scheduler. Thread-safe.
class PlainStreams {
 public:
  enum class Urgency { kBackground, kUrgent };
  virtual ~PlainStreams() = default;

  /// Runs a flat job as a kernel of one block for each package; blocks until it is done.
  /// @shape stream: less than kStreams; one caller each at a time
  virtual absl::Status Run(const synthetic::SyntheticJob& job, Urgency urgency,
                           unsigned stream) = 0;
  static constexpr unsigned kStreams = 48;  ///< for each urgency
};

class Machine {
 public:
  virtual ~Machine() = default;

  virtual device::Backend& backend() = 0;
  virtual bool IsCpu() const = 0;

  /// The scheduler. @scope one model at a time; plain work only while there is none, or in
  /// RunQuietly
  virtual absl::StatusOr<std::unique_ptr<LoadModel>> CreateModel(
      const model::ResidentOptions& options) = 0;
  /// The model for comparison; null: this machine has none.
  virtual absl::StatusOr<std::unique_ptr<LoadModel>> CreateKernelsWithQueues() = 0;

  /// Executes the packages of a job (flat, or chains of packages) by persistent workers that do
  /// nothing else. Returns the time with the best number of workers. A worker follows a chain to
  /// its end. @units nanoseconds
  virtual absl::StatusOr<double> RunPlain(const synthetic::SyntheticJob& job) = 0;

  /// Null: this machine has none. @shape blocks: that may run at once, as in the scheduler
  virtual absl::StatusOr<std::unique_ptr<PlainStreams>> CreateStreams(std::uint64_t blocks) = 0;
};

/// @shape threads: workers
absl::StatusOr<std::unique_ptr<Machine>> CreateCpuMachine(int threads);
/// @errors UNAVAILABLE: no CUDA device, or built without CUDA
absl::StatusOr<std::unique_ptr<Machine>> CreateCudaMachine();

}  // namespace warpyard::bench

#endif  // WARPYARD_BENCHMARKS_SCHEDULER_MACHINE_H_
