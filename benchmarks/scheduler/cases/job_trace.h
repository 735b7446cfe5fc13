// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The counters and the trace of an event in memory of the device.
#ifndef WARPYARD_BENCHMARKS_SCHEDULER_CASES_JOB_TRACE_H_
#define WARPYARD_BENCHMARKS_SCHEDULER_CASES_JOB_TRACE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/scheduler/session.h"
#include "core/base/macros.h"
#include "core/memory/device_array.h"

namespace warpyard::bench {

/// What the elements of an event have written.
struct TracedElements {
  std::uint64_t started = 0;
  synthetic::SyntheticTotals totals;
  std::vector<synthetic::TraceEntry> entries;  ///< as many as the trace had room for
};

class JobTrace {
 public:
  /// @shape entries: most elements that are recorded
  static absl::StatusOr<JobTrace> Create(device::Backend& backend, std::uint32_t entries) {
    JobTrace trace;
    trace.backend_ = &backend;
    WY_ASSIGN_OR_RETURN(trace.counters_, Counters::Create(backend));
    WY_ASSIGN_OR_RETURN(trace.entries_,
                        memory::DeviceArray<synthetic::TraceEntry>::Create(backend, entries));
    return trace;
  }

  /// Makes the elements of `job` count and record themselves here.
  void Attach(synthetic::SyntheticJob& job) const {
    job.counting = synthetic::Counting::kElements;
    job.results = counters_.device();
    job.trace = entries_.data();
    job.trace_capacity = static_cast<std::uint32_t>(entries_.size());
  }

  /// @scope as Read: while no event uses the trace
  absl::Status Clear() { return counters_.Clear(); }

  absl::StatusOr<TracedElements> Read() const {
    synthetic::SyntheticResults results{};
    WY_RETURN_IF_ERROR(backend_->CopyOut(&results, counters_.device(), sizeof results));
    TracedElements elements{results.started, synthetic::TotalOf(results), {}};
    elements.entries.resize(std::min<std::size_t>(results.started, entries_.size()));
    WY_RETURN_IF_ERROR(backend_->CopyOut(elements.entries.data(), entries_.data(),
                                         elements.entries.size() * sizeof(synthetic::TraceEntry)));
    return elements;
  }

 private:
  device::Backend* backend_ = nullptr;
  Counters counters_;
  memory::DeviceArray<synthetic::TraceEntry> entries_;
};

}  // namespace warpyard::bench

#endif  // WARPYARD_BENCHMARKS_SCHEDULER_CASES_JOB_TRACE_H_
