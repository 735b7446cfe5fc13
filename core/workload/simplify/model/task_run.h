// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Runs tasks of a job one after the other: each begins with cleared counters, and the host reads
// what it left.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_TASK_RUN_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_TASK_RUN_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/macros.h"
#include "core/device/backend.h"
#include "core/memory/device_array.h"
#include "core/procedure/event_runner.h"
#include "core/workload/simplify/job/simplify_job.h"

namespace warpyard::simplify {

using SimplifyRunner = procedure::EventRunner<SimplifyJob>;
template <class T>
using Array = memory::DeviceArray<T>;

/// Makes room in an array, and shows it in a view. @errors RESOURCE_EXHAUSTED
template <class T>
absl::Status Take(device::Backend& backend, std::size_t size, Array<T>& array, T*& view) {
  WY_RETURN_IF_ERROR(array.Reserve(backend, size));
  view = array.data();
  return absl::OkStatus();
}

/// @scope one caller at a time
class TaskRun {
 public:
  TaskRun(device::Backend& backend, SimplifyRunner& runner, const procedure::CancelToken& token)
      : backend_(backend), runner_(runner), token_(token) {}

  /// Makes room for scans over so many indices. @errors RESOURCE_EXHAUSTED
  absl::Status Reserve(std::uint64_t indices);

  /// Runs a task; returns the counters without the bins. @shape rank: SelectCounters::rank at the
  /// start
  /// @errors those of SimplifyRunner::Run
  absl::StatusOr<Counters> operator()(SimplifyTask task, SimplifyJob job, std::uint32_t rank = 0);

  device::Backend& backend() const { return backend_; }

 private:
  device::Backend& backend_;
  SimplifyRunner& runner_;
  const procedure::CancelToken& token_;
  Array<Counters> counters_;
  Array<std::uint64_t> sums_;
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_TASK_RUN_H_
