// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.scheduler.deadlines: small jobs with deadlines beside background jobs that keep all workers
// busy. It compares earliest deadline first, first in first out, and kernels on prioritised
// streams.
//
// Background packages have a known mean length, so that their loss to the small jobs can be
// measured: their rates before and during the load are compared with the time that the small jobs
// take.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "benchmarks/scheduler/cases/contenders.h"
#include "benchmarks/scheduler/cases/counted_jobs.h"
#include "benchmarks/scheduler/cases/open_loop.h"
#include "benchmarks/scheduler/session.h"
#include "benchmarks/support/samples.h"
#include "core/base/macros.h"

namespace warpyard::bench {
namespace {

/// Sizes of a measurement. @units nanoseconds
struct Scenario {
  std::uint32_t background_ns;        // of a package, in the mean
  std::uint32_t background_packages;  // of a job, for each block
  std::uint32_t urgent_ns;            // of a package
  double urgent_packages;             // of a job, for each block
  std::uint64_t period_ns;
  std::uint64_t deadline_ns;
  std::uint64_t baseline_ns;
  double least_met_percent;
};

enum class Who { kEarliestDeadline, kFifo, kStreams };

/// One repetition and its results.
struct Round {
  std::vector<double> latencies_ns;
  double baseline_rate = 0;  // background packages a second
  double loaded_rate = 0;
  double workers_busy = 0;  // share of their time before the load; 0: not known
  bool correct = false;
};

/// Both kinds of jobs and their counters.
struct Jobs {
  synthetic::SyntheticJob background, urgent;
  Counters background_counters, urgent_counters;
};

absl::StatusOr<Jobs> MakeJobs(device::Backend& backend, const Scenario& scenario, double blocks) {
  Jobs jobs;
  WY_ASSIGN_OR_RETURN(jobs.background_counters, Counters::Create(backend));
  WY_ASSIGN_OR_RETURN(jobs.urgent_counters, Counters::Create(backend));
  jobs.background = CountedJob(static_cast<std::uint32_t>(scenario.background_packages * blocks),
                               scenario.background_ns, jobs.background_counters);
  jobs.background.work.spread_permille = kBackgroundSpreadPermille;
  jobs.urgent = CountedJob(static_cast<std::uint32_t>(scenario.urgent_packages * blocks),
                           scenario.urgent_ns, jobs.urgent_counters);
  return jobs;
}

absl::StatusOr<Round> RunRound(Contender& contender, Jobs& jobs, const Scenario& scenario,
                               Schedule schedule) {
  constexpr unsigned kBackgroundJobs = 2;
  Round round;
  WY_RETURN_IF_ERROR(jobs.background_counters.Clear());
  WY_RETURN_IF_ERROR(jobs.urgent_counters.Clear());
  Background background(contender, jobs.background, kBackgroundJobs);
  WY_ASSIGN_OR_RETURN(const Baseline baseline,
                      MeasureBaseline(contender, jobs.background_counters,
                                      std::chrono::nanoseconds(scenario.baseline_ns)));
  schedule.begin_ns = NowNs() + 1'000'000;
  const RunJob run = [&](std::uint64_t due_ns, unsigned thread) {
    return contender.RunUrgent(jobs.urgent, due_ns + scenario.deadline_ns, thread);
  };
  const OpenLoop urgent(schedule, run);
  WY_ASSIGN_OR_RETURN(const Look end, LookAt(jobs.background_counters));
  const std::uint64_t background_jobs = background.Stop();
  WY_RETURN_IF_ERROR(background.status());
  WY_RETURN_IF_ERROR(urgent.status());
  round.latencies_ns = urgent.LatenciesNs();
  round.baseline_rate = baseline.rate;
  round.workers_busy = baseline.workers_busy;
  round.loaded_rate = Rate(baseline.end, end);
  WY_ASSIGN_OR_RETURN(const bool background_right,
                      HasCounted(jobs.background_counters, jobs.background, background_jobs));
  WY_ASSIGN_OR_RETURN(const bool urgent_right,
                      HasCounted(jobs.urgent_counters, jobs.urgent, schedule.jobs));
  round.correct = background_right && urgent_right;
  return round;
}

/// Jobs by latency: eight bins for each factor of two. @shape x: upper ends in microseconds
Curve Histogram(const std::vector<double>& latencies_ns) {
  constexpr int kBins = 160;
  constexpr double kFirstUs = 4, kPerDoubling = 8;
  Curve curve{"latency_us", std::vector<double>(kBins), std::vector<double>(kBins)};
  for (int i = 0; i < kBins; ++i) {
    curve.x[static_cast<std::size_t>(i)] = kFirstUs * std::exp2((i + 1) / kPerDoubling);
  }
  for (const double ns : latencies_ns) {
    const double bin = std::log2(std::max(ns * 1e-3 / kFirstUs, 1.0)) * kPerDoubling;
    ++curve.y[static_cast<std::size_t>(std::min(bin, kBins - 1.0))];
  }
  while (curve.y.size() > 1 && curve.y.back() == 0) {
    curve.x.pop_back();
    curve.y.pop_back();
  }
  return curve;
}

/// @shape blocks: of workers, each of which executes a package at a time
void AddRound(const Round& round, const Scenario& scenario, double blocks, Cell& cell) {
  const std::vector<double>& ns = round.latencies_ns;
  const auto met = std::count_if(ns.begin(), ns.end(), [&](double one) {
    return one <= static_cast<double>(scenario.deadline_ns);
  });
  cell.Add("met_percent", 100.0 * static_cast<double>(met) / static_cast<double>(ns.size()));
  cell.Add("p50_us", Quantile(ns, 0.5) * 1e-3);
  cell.Add("p99_us", Quantile(ns, 0.99) * 1e-3);
  cell.Add("p999_us", Quantile(ns, 0.999) * 1e-3);
  cell.Add("max_us", Quantile(ns, 1) * 1e-3);
  const double fall = 100 * (1 - round.loaded_rate / round.baseline_rate);
  const double packages = std::max(1.0, std::floor(scenario.urgent_packages * blocks));
  const double work =
      100 * packages * scenario.urgent_ns / (blocks * static_cast<double>(scenario.period_ns));
  if (round.workers_busy > 0) cell.Add("workers_busy_percent", 100 * round.workers_busy);
  cell.Add("background_work_percent",
           100 * round.baseline_rate * scenario.background_ns * 1e-9 / blocks);
  cell.Add("background_packages_per_s", round.baseline_rate);
  cell.Add("background_fall_percent", fall);
  cell.Add("urgent_work_percent", work);
  cell.Add("fall_beyond_work_percent", fall - work);
  cell.correct &= round.correct;
}

absl::StatusOr<std::unique_ptr<Contender>> MakeContender(const Bench& bench, Who who,
                                                         std::uint64_t blocks) {
  if (who == Who::kStreams) {
    WY_ASSIGN_OR_RETURN(auto streams, bench.machine.CreateStreams(blocks));
    if (streams == nullptr) return nullptr;
    return std::make_unique<StreamContender>(std::move(streams));
  }
  WY_ASSIGN_OR_RETURN(
      auto session,
      Session::Create(
          bench.machine,
          AlwaysResident(bench, who == Who::kFifo ? policy::PolicyKind::kFifo
                                                  : policy::PolicyKind::kEarliestDeadline)));
  return std::make_unique<ScheduledContender>(std::move(session));
}

absl::Status MeasureContender(const Bench& bench, const Scenario& scenario, Who who,
                              std::uint64_t blocks) {
  WY_ASSIGN_OR_RETURN(const auto contender, MakeContender(bench, who, blocks));
  if (contender == nullptr) return absl::OkStatus();
  WY_ASSIGN_OR_RETURN(Jobs jobs,
                      MakeJobs(bench.machine.backend(), scenario, static_cast<double>(blocks)));
  // The other contenders show their behaviour in a shorter time, too.
  const double seconds =
      who == Who::kEarliestDeadline ? bench.Scaled(3, 0.6) : bench.Scaled(1, 0.3);
  Schedule schedule{};
  schedule.period_ns = scenario.period_ns;
  schedule.jobs =
      static_cast<std::uint32_t>(seconds * 1e9 / static_cast<double>(scenario.period_ns));
  schedule.threads = PlainStreams::kStreams;
  schedule.spin_ns = bench.machine.IsCpu() ? 0 : 200'000;
  Cell cell;
  cell.On("who", who == Who::kStreams ? "streams" : who == Who::kFifo ? "fifo" : "edf");
  cell.On("background_package_us", scenario.background_ns * 1e-3);
  cell.On("deadline_us", static_cast<double>(scenario.deadline_ns) * 1e-3);
  cell.On("jobs", schedule.jobs);
  std::vector<double> all_ns;
  for (int i = 0; i < bench.Repetitions(); ++i) {
    WY_ASSIGN_OR_RETURN(const Round round, RunRound(*contender, jobs, scenario, schedule));
    AddRound(round, scenario, static_cast<double>(blocks), cell);
    all_ns.insert(all_ns.end(), round.latencies_ns.begin(), round.latencies_ns.end());
  }
  cell.curves.push_back(Histogram(all_ns));
  if (who == Who::kEarliestDeadline) {
    cell.AtLeast("met_percent", scenario.least_met_percent);
    cell.AtLeast("workers_busy_percent", 95);
    cell.AtMost("fall_beyond_work_percent", 0.5);
  }
  bench.report.Add(cell);
  return absl::OkStatus();
}

}  // namespace

absl::Status MeasureDeadlines(const Bench& bench) {
  std::uint64_t blocks = 0;
  {
    WY_ASSIGN_OR_RETURN(const auto session, Session::Create(bench.machine, LeavingWhenIdle(bench)));
    blocks = session->Blocks();
  }
  std::vector<Scenario> scenarios;
  if (bench.machine.IsCpu()) {
    scenarios = {{1'000'000, 50, 1'000'000, 0.5, 10'000'000, 10'000'000, 500'000'000, 99}};
  } else {
    scenarios = {{10'000, 1000, 12'500, 8, 1'000'000, 500'000, 300'000'000, 99.9},
                 {1'000'000, 10, 12'500, 8, 1'000'000, 2'000'000, 300'000'000, 99.9}};
  }
  for (const Scenario& scenario : scenarios) {
    for (const Who who : {Who::kEarliestDeadline, Who::kFifo, Who::kStreams}) {
      WY_RETURN_IF_ERROR(MeasureContender(bench, scenario, who, blocks));
    }
  }
  return absl::OkStatus();
}

}  // namespace warpyard::bench
