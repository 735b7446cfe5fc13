// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.scheduler.empty: the time from the host's submit until the host sees the end of a job with
// nothing to do, while the workers are already running.
#include <vector>

#include "benchmarks/scheduler/session.h"
#include "benchmarks/support/samples.h"
#include "core/base/macros.h"

namespace warpyard::bench {
namespace {

constexpr int kWarmUp = 100;

absl::Status MeasureOnce(Session& session, const synthetic::SyntheticJob& job, int jobs,
                         Cell& cell) {
  std::vector<double> host_us, device_us;
  for (int i = -kWarmUp; i < jobs; ++i) {
    const std::uint64_t begin_ns = NowNs();
    WY_ASSIGN_OR_RETURN(const procedure::StageTimes times, session.Run(job));
    const double us = MicrosecondsSince(begin_ns);
    if (i < 0) continue;
    host_us.push_back(us);
    device_us.push_back(static_cast<double>(times.Between(0, 1)) * 1e-3);
  }
  cell.Add("p50_us", Quantile(host_us, 0.5));
  cell.Add("p99_us", Quantile(host_us, 0.99));
  cell.Add("max_us", Quantile(host_us, 1));
  cell.Add("device_p50_us", Quantile(device_us, 0.5));
  return absl::OkStatus();
}

}  // namespace

absl::Status MeasureEmptyJobs(const Bench& bench) {
  WY_ASSIGN_OR_RETURN(
      const auto session,
      Session::Create(bench.machine, AlwaysResident(bench, policy::PolicyKind::kService)));
  const int jobs = bench.quick ? 500 : 3000;
  for (const std::uint32_t elements : {0u, 1u}) {
    const synthetic::SyntheticJob job = FlatJob(elements, synthetic::WorkKind::kNone, 0);
    Cell cell;
    cell.On("elements", elements).On("jobs", jobs);
    for (int i = 0; i < bench.Repetitions(); ++i) {
      WY_RETURN_IF_ERROR(MeasureOnce(*session, job, jobs, cell));
    }
    WY_ASSIGN_OR_RETURN(cell.correct, session->IsRight(job));
    cell.AtMost("p50_us", bench.machine.IsCpu() ? 10 : 6);
    if (!bench.machine.IsCpu()) cell.AtMost("p99_us", 12);
    bench.report.Add(cell);
  }
  return absl::OkStatus();
}

}  // namespace warpyard::bench
