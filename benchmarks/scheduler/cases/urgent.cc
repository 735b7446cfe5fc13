// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.scheduler.urgent: small jobs with deadlines, one after the other, beside backgrounds that
// keep all workers busy. It measures when the first element of a small job begins and how long the
// whole job takes, both in the time of the device, so that neither submission nor wake-ups of
// threads count.
//
// The elements of a small job are packages of a whole block, for which a block must gather all of
// its warps, or elements of a warp, as collision steps have them.
#include <algorithm>
#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/scheduler/cases/contenders.h"
#include "benchmarks/scheduler/cases/counted_jobs.h"
#include "benchmarks/scheduler/cases/small_jobs.h"
#include "benchmarks/scheduler/session.h"
#include "benchmarks/support/samples.h"
#include "core/base/macros.h"
#include "core/workload/synthetic/synthetic_program.h"

namespace warpyard::bench {
namespace {

constexpr std::uint32_t kChainsPerBlock = 2;
/// The pause between small jobs is random, so that these are not in phase with the background.
constexpr std::uint32_t kLeastPauseUs = 100, kLongestPauseUs = 300;

/// Sizes of all measurements on a machine. @units nanoseconds
struct Sizes {
  std::uint32_t urgent_ns;       // of an element
  std::uint32_t packages_ns[2];  // of background packages, in the mean
  std::uint32_t background_ns;   // of a job of packages, in the mean
  std::uint32_t chain_fma;       // multiply-adds of a package in a chain
  std::uint32_t tree_roots, tree_depths;
  std::uint64_t deadline_ns;
  std::uint64_t baseline_ns;
  std::uint32_t jobs;  // small ones of a repetition
};

Sizes SizesFor(const Bench& bench) {
  if (bench.machine.IsCpu()) {
    return {.urgent_ns = 50'000,
            .packages_ns = {200'000, 5'000'000},
            .background_ns = 50'000'000,
            .chain_fma = 8000,
            .tree_roots = 4,
            .tree_depths = 14,
            .deadline_ns = 100'000'000,
            .baseline_ns = 300'000'000,
            .jobs = static_cast<std::uint32_t>(bench.Scaled(100, 20))};
  }
  return {.urgent_ns = 5'000,
          .packages_ns = {20'000, 1'000'000},
          .background_ns = 50'000'000,
          .chain_fma = 3000,
          .tree_roots = 128,
          .tree_depths = 20,
          .deadline_ns = 1'000'000,
          .baseline_ns = 300'000'000,
          .jobs = static_cast<std::uint32_t>(bench.Scaled(1500, 200))};
}

/// Jobs that run beside the small ones.
struct Load {
  std::string name;
  synthetic::SyntheticJob job;
  Ending ending = Ending::kByThemselves;
  bool has_goals = false;

  bool Counts() const { return job.counting != synthetic::Counting::kOff; }
};

/// What all measurements of a form use.
struct Parts {
  Sizes sizes;
  synthetic::SyntheticKind form;  // of small jobs, and of backgrounds without recursion
  std::unique_ptr<ScheduledContender> contender;
  Counters background_counters;
  TracedJob urgent;

  std::uint32_t Blocks() const { return static_cast<std::uint32_t>(contender->session().Blocks()); }
  bool HasPackages() const { return form == synthetic::SyntheticKind::kFlat; }
  const char* FormName() const { return HasPackages() ? "packages" : "warps"; }
};

absl::StatusOr<Parts> MakeParts(const Bench& bench, synthetic::SyntheticKind form) {
  Parts parts;
  parts.sizes = SizesFor(bench);
  parts.form = form;
  WY_ASSIGN_OR_RETURN(
      auto session,
      Session::Create(bench.machine, AlwaysResident(bench, policy::PolicyKind::kEarliestDeadline)));
  parts.contender = std::make_unique<ScheduledContender>(std::move(session));
  WY_ASSIGN_OR_RETURN(parts.background_counters, Counters::Create(bench.machine.backend()));
  WY_ASSIGN_OR_RETURN(parts.urgent,
                      TracedJob::Create(bench.machine.backend(),
                                        SmallJob(form, parts.Blocks(), parts.sizes.urgent_ns)));
  return parts;
}

Load FlatLoad(const Parts& parts, std::uint32_t element_ns) {
  std::uint32_t elements = parts.Blocks() * (parts.sizes.background_ns / element_ns);
  if (!parts.HasPackages()) elements *= synthetic::SyntheticProgram::kBlockWarps;
  Load load{absl::StrCat(parts.FormName(), " of ", element_ns / 1000, " us"),
            CountedJob(elements, element_ns, parts.background_counters), Ending::kByThemselves,
            true};
  load.job.kind = parts.form;
  load.job.work.spread_permille = kBackgroundSpreadPermille;
  return load;
}

Load TreesLoad(const Sizes& sizes) {
  return {"trees", TreesJob(sizes.tree_roots, sizes.tree_depths), Ending::kByThemselves, true};
}

Load ChainsLoad(const Parts& parts) {
  synthetic::SyntheticJob job = ChainsJob(synthetic::SyntheticKind::kRecursivePackages,
                                          parts.Blocks() * kChainsPerBlock, kEndless);
  job.counting = synthetic::Counting::kElements;
  job.results = parts.background_counters.device();
  job.work = {synthetic::WorkKind::kFma, parts.sizes.chain_fma, kBackgroundSpreadPermille, 0,
              nullptr};
  return {"chains of packages", job, Ending::kCancelled, false};
}

absl::StatusOr<SmallJobTimes> RunSmallJobs(Parts& parts) {
  SmallJobTimes times;
  std::minstd_rand random;
  std::uniform_int_distribution<std::uint32_t> pause_us(kLeastPauseUs, kLongestPauseUs);
  for (std::uint32_t i = 0; i < parts.sizes.jobs; ++i) {
    WY_RETURN_IF_ERROR(
        parts.urgent.Run(parts.contender->session(), NowNs() + parts.sizes.deadline_ns, times));
    std::this_thread::sleep_for(std::chrono::microseconds(pause_us(random)));
  }
  return times;
}

/// One repetition beside a load.
absl::Status MeasureBeside(Parts& parts, const Load& load, Cell& cell) {
  constexpr unsigned kBackgroundJobs = 2;
  const Counters& counters = parts.background_counters;
  WY_RETURN_IF_ERROR(parts.background_counters.Clear());
  Background background(*parts.contender, load.job, kBackgroundJobs, load.ending);
  WY_ASSIGN_OR_RETURN(const Baseline baseline,
                      MeasureBaseline(*parts.contender, counters,
                                      std::chrono::nanoseconds(parts.sizes.baseline_ns)));
  WY_ASSIGN_OR_RETURN(const SmallJobTimes times, RunSmallJobs(parts));
  WY_ASSIGN_OR_RETURN(const Look end, LookAt(counters));
  const std::uint64_t background_jobs = background.Stop();
  WY_RETURN_IF_ERROR(background.status());
  AddTimes(times, cell);
  cell.Add("workers_busy_percent", 100 * baseline.workers_busy);
  if (!load.Counts()) return absl::OkStatus();
  cell.Add("background_fall_percent", 100 * (1 - Rate(baseline.end, end) / baseline.rate));
  if (load.ending == Ending::kCancelled) return absl::OkStatus();
  WY_ASSIGN_OR_RETURN(const bool right, HasCounted(counters, load.job, background_jobs));
  cell.correct &= right;
  return absl::OkStatus();
}

Cell CellOf(const Parts& parts, const std::string& background) {
  Cell cell;
  cell.On("small", parts.FormName()).On("background", background);
  cell.On("elements", parts.urgent.job().elements);
  cell.On("element_us", parts.sizes.urgent_ns * 1e-3).On("jobs", parts.sizes.jobs);
  return cell;
}

/// @shape alone_p99_us: of whole small jobs that have the device for themselves
absl::Status MeasureLoad(const Bench& bench, Parts& parts, const Load& load, double alone_p99_us) {
  Cell cell = CellOf(parts, load.name);
  for (int i = 0; i < bench.Repetitions(); ++i) {
    WY_RETURN_IF_ERROR(MeasureBeside(parts, load, cell));
    cell.Add("whole_p99_ratio", cell.Find("whole_p99_us")->values.back() / alone_p99_us);
  }
  if (load.has_goals && !bench.machine.IsCpu()) {
    cell.AtMost("first_p99_us", 8);
    cell.AtMost("whole_p99_ratio", 1.4);
  }
  bench.report.Add(cell);
  return absl::OkStatus();
}

/// Returns the 99th percentile of whole small jobs. @units microseconds
absl::StatusOr<double> MeasureAlone(const Bench& bench, Parts& parts) {
  Cell cell = CellOf(parts, "none");
  for (int i = 0; i < bench.Repetitions(); ++i) {
    WY_ASSIGN_OR_RETURN(const SmallJobTimes times, RunSmallJobs(parts));
    AddTimes(times, cell);
  }
  bench.report.Add(cell);
  return Median(cell.Find("whole_p99_us")->values);
}

}  // namespace

absl::Status MeasureUrgent(const Bench& bench) {
  for (const synthetic::SyntheticKind form :
       {synthetic::SyntheticKind::kFlatWarps, synthetic::SyntheticKind::kFlat}) {
    WY_ASSIGN_OR_RETURN(Parts parts, MakeParts(bench, form));
    WY_ASSIGN_OR_RETURN(const double alone_p99_us, MeasureAlone(bench, parts));
    for (const Load& load :
         {FlatLoad(parts, parts.sizes.packages_ns[0]), FlatLoad(parts, parts.sizes.packages_ns[1]),
          TreesLoad(parts.sizes), ChainsLoad(parts)}) {
      WY_RETURN_IF_ERROR(MeasureLoad(bench, parts, load, alone_p99_us));
    }
  }
  return absl::OkStatus();
}

}  // namespace warpyard::bench
