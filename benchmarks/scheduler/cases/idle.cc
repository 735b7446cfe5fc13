// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.scheduler.idle: the extra time of the first job after the kernel has left an idle device.
#include <chrono>
#include <thread>
#include <vector>

#include "benchmarks/scheduler/session.h"
#include "benchmarks/support/samples.h"
#include "core/base/macros.h"

namespace warpyard::bench {
namespace {

constexpr std::chrono::milliseconds kPause{60};

/// Times of jobs with a pause before each.
struct Paused {
  std::vector<double> us;
  int resident = 0;  // jobs before which the kernel was still there
};

absl::StatusOr<Paused> RunPaused(Session& session, int jobs) {
  const synthetic::SyntheticJob job = FlatJob(1, synthetic::WorkKind::kNone, 0);
  Paused paused;
  for (int i = -1; i < jobs; ++i) {
    std::this_thread::sleep_for(kPause);
    const bool resident = session.model().Statistics().resident;
    const std::uint64_t begin_ns = NowNs();
    WY_RETURN_IF_ERROR(session.Run(job).status());
    const double us = MicrosecondsSince(begin_ns);
    if (i < 0) continue;
    paused.us.push_back(us);
    if (resident) ++paused.resident;
  }
  return paused;
}

}  // namespace

absl::Status MeasureIdle(const Bench& bench) {
  if (bench.machine.IsCpu()) {
    bench.report.Skip("idle CPU workers sleep; there is no kernel that leaves");
    return absl::OkStatus();
  }
  const int jobs = bench.quick ? 10 : 20;
  Cell cell;
  cell.On("jobs", jobs).On("pause_ms", static_cast<double>(kPause.count()));
  for (int i = 0; i < bench.Repetitions(); ++i) {
    Paused always, leaving;
    for (const bool stays : {true, false}) {
      const model::ResidentOptions options =
          stays ? AlwaysResident(bench, policy::PolicyKind::kService) : LeavingWhenIdle(bench);
      WY_ASSIGN_OR_RETURN(const auto session, Session::Create(bench.machine, options));
      WY_ASSIGN_OR_RETURN((stays ? always : leaving), RunPaused(*session, jobs));
      if (i > 0) continue;
      WY_ASSIGN_OR_RETURN(const bool right,
                          session->IsRight(FlatJob(1000, synthetic::WorkKind::kNone, 0)));
      cell.correct &= right;
    }
    cell.Add("extra_p50_us", Median(leaving.us) - Median(always.us));
    cell.Add("resident_p50_us", Median(always.us));
    cell.Add("launched_p50_us", Median(leaving.us));
    cell.Add("launched_max_us", Quantile(leaving.us, 1));
    cell.Add("found_resident", leaving.resident);
  }
  cell.AtMost("extra_p50_us", 15);
  cell.AtMost("found_resident", 0);
  bench.report.Add(cell);
  return absl::OkStatus();
}

}  // namespace warpyard::bench
