// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Jobs of packages that are counted: the rate of a background before and during a load, and the
// oracle for both.
#ifndef WARPYARD_BENCHMARKS_SCHEDULER_CASES_COUNTED_JOBS_H_
#define WARPYARD_BENCHMARKS_SCHEDULER_CASES_COUNTED_JOBS_H_

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>

#include "absl/status/statusor.h"
#include "benchmarks/scheduler/cases/contenders.h"
#include "benchmarks/scheduler/session.h"
#include "benchmarks/support/samples.h"
#include "core/base/macros.h"

namespace warpyard::bench {

/// Spread of the lengths of background packages. With equal lengths, all workers would end their
/// packages at the same time again and again, after each small job.
inline constexpr std::uint32_t kBackgroundSpreadPermille = 100;

inline synthetic::SyntheticJob CountedJob(std::uint32_t packages, std::uint32_t ns,
                                          const Counters& counters) {
  synthetic::SyntheticJob job = FlatJob(std::max(packages, 1u), synthetic::WorkKind::kSpin, ns);
  job.counting = synthetic::Counting::kElements;
  job.results = counters.device();
  return job;
}

/// Whether `jobs` such jobs have executed what the oracle expects.
inline absl::StatusOr<bool> HasCounted(const Counters& counters, const synthetic::SyntheticJob& job,
                                       std::uint64_t jobs) {
  WY_ASSIGN_OR_RETURN(const synthetic::SyntheticTotals totals, counters.Read());
  const synthetic::SyntheticTotals each = synthetic::CountNodes(job);
  return totals == synthetic::SyntheticTotals{each.executed * jobs, each.checksum * jobs};
}

/// The packages executed so far, and the time of the count.
struct Look {
  double packages = 0;
  double at_s = 0;
};

inline absl::StatusOr<Look> LookAt(const Counters& counters) {
  const std::uint64_t before_ns = NowNs();
  WY_ASSIGN_OR_RETURN(const synthetic::SyntheticTotals totals, counters.Read());
  return Look{static_cast<double>(totals.executed),
              static_cast<double>(before_ns + NowNs()) * 0.5e-9};
}

/// Packages a second between two looks.
inline double Rate(const Look& first, const Look& last) {
  return (last.packages - first.packages) / (last.at_s - first.at_s);
}

/// A background without a load beside it.
struct Baseline {
  Look end;
  double rate = 0;          // packages a second
  double workers_busy = 0;  // share of their time; 0: not known
};

/// Lets the background start, then watches it for `length`.
inline absl::StatusOr<Baseline> MeasureBaseline(const Contender& contender,
                                                const Counters& counters,
                                                std::chrono::nanoseconds length) {
  std::this_thread::sleep_for(length / 4);
  WY_ASSIGN_OR_RETURN(const Look start, LookAt(counters));
  const double busy_before_s = contender.WorkersBusySeconds();
  std::this_thread::sleep_for(length);
  WY_ASSIGN_OR_RETURN(const Look end, LookAt(counters));
  const double busy_s = contender.WorkersBusySeconds() - busy_before_s;
  return Baseline{end, Rate(start, end), busy_s / (end.at_s - start.at_s)};
}

}  // namespace warpyard::bench

#endif  // WARPYARD_BENCHMARKS_SCHEDULER_CASES_COUNTED_JOBS_H_
