// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.scheduler.accuracy: whether packages of random priority begin in the order of their
// priorities, and what that costs. [Steinberger §5.2.4]
//
// "accuracy" compares the levels of the queues; "exact_accuracy" compares the priorities
// themselves, which levels make coarser. The cost is relative to the same queues with one level.
// For comparison, another cell has packages without a level, which workers keep for themselves.
#include <cstddef>
#include <vector>

#include "benchmarks/scheduler/cases/order_accuracy.h"
#include "benchmarks/scheduler/session.h"
#include "benchmarks/support/samples.h"
#include "core/base/macros.h"
#include "core/memory/device_array.h"
#include "core/procedure/element.h"

namespace warpyard::bench {
namespace {

using Trace = memory::DeviceArray<synthetic::TraceEntry>;

synthetic::SyntheticJob JobOf(const Bench& bench, std::uint32_t levels, std::uint32_t fma) {
  synthetic::SyntheticJob job;
  job.kind = synthetic::SyntheticKind::kPrioritised;
  job.seed = 7;
  job.elements = bench.machine.IsCpu() ? 1000 : 10'000;
  job.total = 10 * job.elements;
  job.levels = levels;
  job.counting = synthetic::Counting::kOff;
  job.work = {synthetic::WorkKind::kFma, fma, 0, 0, nullptr};
  return job;
}

/// Time of a run without a trace. The counters, from zero on, give the turns.
absl::StatusOr<double> Milliseconds(Session& session, synthetic::SyntheticJob job) {
  WY_RETURN_IF_ERROR(session.counters().Clear());
  job.results = session.counters().device();
  WY_ASSIGN_OR_RETURN(const procedure::StageTimes times, session.Run(job));
  return static_cast<double>(times.Between(0, 1)) * 1e-6;
}

/// Runs the job with a trace and measures the accuracy of its order.
absl::Status AddAccuracy(Session& session, const Bench& bench, const Trace& trace,
                         synthetic::SyntheticJob job, Cell& cell) {
  job.trace = trace.data();
  job.trace_capacity = job.total;
  WY_ASSIGN_OR_RETURN(const bool right, session.IsRight(job));
  std::vector<synthetic::TraceEntry> entries(job.total);
  WY_RETURN_IF_ERROR(bench.machine.backend().CopyOut(entries.data(), trace.data(),
                                                     entries.size() * sizeof entries[0]));
  std::vector<bool> seen(job.total);
  cell.correct &= right;
  for (const synthetic::TraceEntry& entry : entries) {
    const bool known = entry.id < job.total && !seen[entry.id];
    cell.correct &= known;
    if (!known) return absl::OkStatus();
    seen[entry.id] = true;
  }
  cell.Add("accuracy_percent", 100 * OrderAccuracy(job, entries, procedure::kLevels));
  cell.Add("exact_accuracy_percent", 100 * OrderAccuracy(job, entries, 0));
  return absl::OkStatus();
}

absl::Status MeasureFma(const Bench& bench, Session& session, const Trace& trace,
                        std::uint32_t fma) {
  double unsorted_ms = 0;
  for (const std::uint32_t levels : {1u, 0u, 10u, procedure::kLevels}) {
    const synthetic::SyntheticJob job = JobOf(bench, levels, fma);
    Cell cell;
    cell.On("levels", levels).On("fma", fma).On("queued", job.elements).On("executed", job.total);
    WY_RETURN_IF_ERROR(Milliseconds(session, job).status());
    std::vector<double> all_ms;
    for (int i = 0; i < bench.Repetitions(); ++i) {
      WY_ASSIGN_OR_RETURN(const double ms, Milliseconds(session, job));
      all_ms.push_back(ms);
      cell.Add("run_ms", ms);
      WY_RETURN_IF_ERROR(AddAccuracy(session, bench, trace, job, cell));
    }
    if (levels == 1) unsorted_ms = Median(all_ms);
    for (const double ms : all_ms) cell.Add("extra_time_percent", 100 * (ms / unsorted_ms - 1));
    if (levels == procedure::kLevels) {
      cell.AtLeast("accuracy_percent", 99);
      cell.AtMost("extra_time_percent", 10);
    }
    bench.report.Add(cell);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status MeasureAccuracy(const Bench& bench) {
  WY_ASSIGN_OR_RETURN(const Trace trace,
                      Trace::Create(bench.machine.backend(), JobOf(bench, 0, 0).total));
  WY_ASSIGN_OR_RETURN(
      const auto session,
      Session::Create(bench.machine, AlwaysResident(bench, policy::PolicyKind::kService)));
  for (const std::uint32_t fma : {500u, 8000u}) {
    WY_RETURN_IF_ERROR(MeasureFma(bench, *session, trace, fma));
  }
  return absl::OkStatus();
}

}  // namespace warpyard::bench
