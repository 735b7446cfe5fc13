// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.scheduler.preemption: how soon an urgent job gets a device that packages of a given length
// keep busy, in the time of the host from submission to completion. It scans the length, with our
// scheduler and with kernels on prioritised streams.
//
// An urgent job has one package, or enough packages for a quarter of the device. The smaller job is
// done when its only package is done. The larger job waits until a quarter of the background's
// running packages have ended.
#include <algorithm>
#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "benchmarks/scheduler/cases/contenders.h"
#include "benchmarks/scheduler/cases/counted_jobs.h"
#include "benchmarks/scheduler/session.h"
#include "benchmarks/support/samples.h"
#include "core/base/macros.h"

namespace warpyard::bench {
namespace {

constexpr std::uint32_t kUrgentNs = 5'000;           // of a package of an urgent job
constexpr std::uint32_t kBackgroundNs = 50'000'000;  // of a job, in the mean
constexpr std::uint32_t kBlocksPerPackage = 4;       // of the larger urgent job
constexpr std::uint32_t kBackgroundUs[] = {10, 50, 200, 1000, 5000};
constexpr std::uint64_t kDeadlineNs = 1'000'000;
constexpr std::chrono::milliseconds kWarmUp{80};  // more than a job of the background takes
/// The pause between urgent jobs is random, so that these are not in phase with the background.
constexpr std::uint32_t kLeastPauseUs = 100, kLongestPauseUs = 300;

/// An urgent job that is repeated.
struct Urgent {
  const char* name;
  std::uint32_t packages;
};

struct Scan {
  std::string contender;
  std::unique_ptr<Contender> jobs;
  std::uint32_t blocks;  // that execute packages at the same time
};

/// Times from submission to completion. @units microseconds
absl::StatusOr<std::vector<double>> RunUrgentJobs(const Bench& bench, Contender& contender,
                                                  const synthetic::SyntheticJob& job) {
  std::minstd_rand random;
  std::uniform_int_distribution<std::uint32_t> pause_us(kLeastPauseUs, kLongestPauseUs);
  std::vector<double> times_us;
  const auto jobs = static_cast<int>(bench.Scaled(500, 100));
  for (int i = 0; i < jobs; ++i) {
    const std::uint64_t begin_ns = NowNs();
    WY_RETURN_IF_ERROR(contender.RunUrgent(job, begin_ns + kDeadlineNs, 0));
    times_us.push_back(static_cast<double>(NowNs() - begin_ns) * 1e-3);
    std::this_thread::sleep_for(std::chrono::microseconds(pause_us(random)));
  }
  return times_us;
}

absl::Status MeasureJobs(const Bench& bench, const Scan& scan, const Urgent& urgent, Cell& cell) {
  WY_ASSIGN_OR_RETURN(Counters counters, Counters::Create(bench.machine.backend()));
  WY_RETURN_IF_ERROR(counters.Clear());
  const synthetic::SyntheticJob job = CountedJob(urgent.packages, kUrgentNs, counters);
  WY_ASSIGN_OR_RETURN(const std::vector<double> times_us, RunUrgentJobs(bench, *scan.jobs, job));
  WY_ASSIGN_OR_RETURN(const bool right, HasCounted(counters, job, times_us.size()));
  cell.correct &= right;
  const std::string prefix = urgent.name;
  cell.Add(prefix + "_p50_us", Quantile(times_us, 0.5));
  cell.Add(prefix + "_p99_us", Quantile(times_us, 0.99));
  return absl::OkStatus();
}

/// @shape background_us: length of its packages; 0: there is no background
absl::Status MeasureBeside(const Bench& bench, const Scan& scan, std::uint32_t background_us) {
  const Urgent urgents[] = {{"one_package", 1},
                            {"quarter", std::max(scan.blocks / kBlocksPerPackage, 1u)}};
  Cell cell;
  cell.On("contender", scan.contender).On("background_us", background_us);
  cell.On("quarter_packages", urgents[1].packages).On("element_us", kUrgentNs * 1e-3);
  for (int i = 0; i < bench.Repetitions(); ++i) {
    WY_ASSIGN_OR_RETURN(Counters counters, Counters::Create(bench.machine.backend()));
    WY_RETURN_IF_ERROR(counters.Clear());
    const std::uint32_t ns = 1000 * std::max(background_us, 1u);
    synthetic::SyntheticJob job = CountedJob(scan.blocks * (kBackgroundNs / ns), ns, counters);
    job.work.spread_permille = kBackgroundSpreadPermille;
    Background background(*scan.jobs, job, background_us == 0 ? 0 : 2);
    std::this_thread::sleep_for(kWarmUp);
    for (const Urgent& urgent : urgents) {
      WY_RETURN_IF_ERROR(MeasureJobs(bench, scan, urgent, cell));
    }
    const std::uint64_t finished = background.Stop();
    WY_RETURN_IF_ERROR(background.status());
    WY_ASSIGN_OR_RETURN(const bool right, HasCounted(counters, job, finished));
    cell.correct &= right;
  }
  bench.report.Add(cell);
  return absl::OkStatus();
}

absl::Status MeasureScan(const Bench& bench, const Scan& scan) {
  WY_RETURN_IF_ERROR(MeasureBeside(bench, scan, 0));
  for (const std::uint32_t us : kBackgroundUs) {
    WY_RETURN_IF_ERROR(MeasureBeside(bench, scan, us));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status MeasurePreemption(const Bench& bench) {
  std::uint32_t blocks = 0;
  {
    WY_ASSIGN_OR_RETURN(
        auto session,
        Session::Create(bench.machine,
                        AlwaysResident(bench, policy::PolicyKind::kEarliestDeadline)));
    blocks = static_cast<std::uint32_t>(session->Blocks());
    const Scan scan{"scheduler", std::make_unique<ScheduledContender>(std::move(session)), blocks};
    WY_RETURN_IF_ERROR(MeasureScan(bench, scan));
  }
  WY_ASSIGN_OR_RETURN(auto streams, bench.machine.CreateStreams(blocks));
  if (streams == nullptr) return absl::OkStatus();
  return MeasureScan(bench,
                     {"streams", std::make_unique<StreamContender>(std::move(streams)), blocks});
}

}  // namespace warpyard::bench
