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
#include "core/memory/host_vector.h"
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

/// The counters and the bins of a job on the device.
struct CounterWords {
  Counters counters;
  std::uint32_t bins[kBins];
};

/// What events need whatever their tasks. It may serve one run after another, and cleared counters
/// save the next one a copy to the device.
struct TaskMemory {
  Array<CounterWords> words;                   // one element
  memory::HostVector<Counters> host_counters;  // one element, to which the end of an event copies
  bool is_clear = false;                       // whether all words are 0
  Array<std::uint64_t> sums;

  std::uint64_t Bytes() const {
    return words.size() * sizeof(CounterWords) + sums.size() * sizeof(std::uint64_t);
  }
};

/// @scope one caller at a time
class TaskRun {
 public:
  /// @shape memory: outlives the run, and serves no other one meanwhile
  TaskRun(device::Backend& backend, SimplifyRunner& runner, const procedure::CancelToken& token,
          TaskMemory& memory)
      : backend_(backend), runner_(runner), token_(token), memory_(memory) {}

  /// Makes room for scans over so many indices. @errors RESOURCE_EXHAUSTED
  absl::Status Reserve(std::uint64_t indices);

  /// Runs a task; returns its counters. @errors those of SimplifyRunner::Run
  absl::StatusOr<Counters> operator()(SimplifyTask task, SimplifyJob job);

  device::Backend& backend() const { return backend_; }

  /// Whether stages may write to memory of the host that the device reaches: the end of an event
  /// makes their stores visible. @shape memory: of the host
  bool MayWriteTo(const void* memory) const {
    return runner_.CallsFinish() && backend_.Reaches(memory);
  }

 private:
  /// Where the end of an event copies the counters; null if it cannot.
  Counters* HostCounters();

  device::Backend& backend_;
  SimplifyRunner& runner_;
  const procedure::CancelToken& token_;
  TaskMemory& memory_;
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_TASK_RUN_H_
