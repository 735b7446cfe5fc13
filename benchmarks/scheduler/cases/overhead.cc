// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.scheduler.overhead: the cost of scheduling, for packages and elements of warps that exist
// at the start, and for packages that follow each other. [Steinberger §5.2.5]
//
// There are two measures. "overhead_percent": how much longer the packages take than with
// persistent workers without a scheduler; each such worker runs packages, or follows a chain of
// packages, by itself. "not_busy_percent": the part of the workers' time in which they execute
// nothing.
#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "benchmarks/scheduler/session.h"
#include "benchmarks/support/samples.h"
#include "core/base/macros.h"

namespace warpyard::bench {
namespace {

struct Load {
  synthetic::SyntheticKind kind;
  synthetic::WorkKind work;
  std::uint32_t amount;
  std::uint32_t packages;
  double goal_percent;  // 0: none
};

std::uint32_t Chains(const Bench& bench) { return bench.machine.IsCpu() ? 100 : 10'000; }

const char* NameOf(synthetic::SyntheticKind kind) {
  if (kind == synthetic::SyntheticKind::kFlat) return "flat";
  return kind == synthetic::SyntheticKind::kFlatWarps ? "warps" : "recursive";
}

synthetic::SyntheticJob JobOf(const Bench& bench, const Load& load) {
  synthetic::SyntheticJob job =
      synthetic::IsFlat(load.kind)
          ? FlatJob(load.packages, load.work, load.amount)
          : ChainsJob(load.kind, Chains(bench), std::max(load.packages / Chains(bench), 1u));
  job.kind = load.kind;
  job.work.kind = load.work;
  job.work.amount = load.amount;
  return job;
}

/// Busy time after the workers have published it. @scope after the last event
double BusyNs(const Session& session) {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return session.WorkersBusySeconds() * 1e9;
}

absl::StatusOr<double> PlainNs(const Bench& bench, Session& session,
                               const synthetic::SyntheticJob& job) {
  double plain_ns = 0;
  WY_RETURN_IF_ERROR(session.model().RunQuietly([&] {
    WY_ASSIGN_OR_RETURN(plain_ns, bench.machine.RunPlain(job));
    return absl::OkStatus();
  }));
  return plain_ns;
}

absl::Status MeasureLoad(const Bench& bench, Session& session, const Load& load) {
  const synthetic::SyntheticJob job = JobOf(bench, load);
  const std::uint32_t packages =
      job.elements * (synthetic::IsFlat(load.kind) ? 1 : job.growth.depths);
  Cell cell;
  cell.On("packages", NameOf(load.kind));
  cell.On(load.work == synthetic::WorkKind::kFma ? "fma" : "spin_ns", load.amount);
  cell.On("count", packages);
  WY_ASSIGN_OR_RETURN(cell.correct, session.IsRight(job));
  WY_RETURN_IF_ERROR(PlainNs(bench, session, job).status());
  for (int i = 0; i < bench.Repetitions(); ++i) {
    WY_ASSIGN_OR_RETURN(const double plain_ns, PlainNs(bench, session, job));
    const double busy_before_ns = BusyNs(session);
    WY_ASSIGN_OR_RETURN(const procedure::StageTimes times, session.Run(job));
    const double busy_ns = BusyNs(session) - busy_before_ns;
    const auto own_ns = static_cast<double>(times.Between(0, 1));
    cell.Add("overhead_percent", 100 * (own_ns / plain_ns - 1));
    cell.Add("not_busy_percent", 100 * (1 - busy_ns / own_ns));
    cell.Add("scheduler_ms", own_ns * 1e-6);
    cell.Add("plain_ms", plain_ns * 1e-6);
    cell.Add("million_packages_per_s", packages / own_ns * 1e3);
  }
  if (load.goal_percent > 0) cell.AtMost("overhead_percent", load.goal_percent);
  bench.report.Add(cell);
  return absl::OkStatus();
}

}  // namespace

absl::Status MeasureOverhead(const Bench& bench) {
  WY_ASSIGN_OR_RETURN(const auto session, Session::Create(bench.machine, LeavingWhenIdle(bench)));
  const bool cpu = bench.machine.IsCpu();
  // About the same amount of work in each case: tens of milliseconds on the largest devices.
  const double work = cpu ? bench.Scaled(1e8, 5e7) : bench.Scaled(8e9, 4e9);
  std::vector<Load> loads;
  for (const std::uint32_t fma : {100u, 500u, 2000u, 8000u}) {
    const double goal = cpu ? 0 : fma == 500 ? 8 : fma == 8000 ? 1 : 0;
    const auto packages = static_cast<std::uint32_t>(std::min(work / fma, 1.6e7));
    loads.push_back(
        {synthetic::SyntheticKind::kFlat, synthetic::WorkKind::kFma, fma, packages, goal});
  }
  // On a CPU, the speed of arithmetic depends on the compiler's arrangement of each copy; waiting
  // does not.
  if (cpu)
    loads.push_back(
        {synthetic::SyntheticKind::kFlat, synthetic::WorkKind::kSpin, 10'000, 40'000, 10});
  std::vector<synthetic::SyntheticKind> kinds = {synthetic::SyntheticKind::kFlat,
                                                 synthetic::SyntheticKind::kRecursivePackages};
  // A thread of a CPU executes all elements alike.
  if (!cpu) kinds.push_back(synthetic::SyntheticKind::kFlatWarps);
  for (const synthetic::SyntheticKind kind : kinds) {
    for (Load load : loads) {
      load.kind = kind;
      // A package has so many warps: the load is as much work.
      if (kind == synthetic::SyntheticKind::kFlatWarps) {
        load.packages *= synthetic::SyntheticProgram::kBlockWarps;
      }
      WY_RETURN_IF_ERROR(MeasureLoad(bench, *session, load));
    }
  }
  return absl::OkStatus();
}

}  // namespace warpyard::bench
