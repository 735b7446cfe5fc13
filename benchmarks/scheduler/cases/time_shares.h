// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How long each event executed in windows of time, from the traces of several events.
#ifndef WARPYARD_BENCHMARKS_SCHEDULER_CASES_TIME_SHARES_H_
#define WARPYARD_BENCHMARKS_SCHEDULER_CASES_TIME_SHARES_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/workload/synthetic/synthetic_job.h"

namespace warpyard::bench {

using Traces = std::vector<std::vector<synthetic::TraceEntry>>;

/// Percent of the time executed in each window. @shape shares[event][window]
struct TimeShares {
  std::uint64_t begin_ns = 0;
  double window_ns = 0;
  double at_once = 0;  ///< elements that were executed at the same time, in the mean
  std::vector<std::vector<double>> shares;

  std::size_t Windows() const { return shares.empty() ? 0 : shares[0].size(); }
  double EndMs(std::size_t window) const {
    return static_cast<double>(window + 1) * window_ns * 1e-6;
  }

  /// Milliseconds until no event is further than `points` from its target any more, up to the end;
  /// the time of all windows if that never happens. @shape targets: percent
  double ReachedMs(const std::vector<double>& targets, double points) const {
    std::size_t reached = 0;
    for (std::size_t w = 0; w < Windows(); ++w) {
      for (std::size_t event = 0; event < shares.size(); ++event) {
        if (std::abs(shares[event][w] - targets[event]) > points) reached = w + 1;
      }
    }
    return static_cast<double>(reached + (reached < Windows() ? 1 : 0)) * window_ns * 1e-6;
  }

  /// Largest distance from a target in windows that end after `from_ms`.
  double WorstPoints(const std::vector<double>& targets, double from_ms) const {
    double worst = 0;
    for (std::size_t w = 0; w < Windows(); ++w) {
      if (EndMs(w) <= from_ms) continue;
      for (std::size_t event = 0; event < shares.size(); ++event) {
        worst = std::max(worst, std::abs(shares[event][w] - targets[event]));
      }
    }
    return worst;
  }
};

/// Shares from the moment when all events had begun, as far as all traces are complete.
inline TimeShares SharesOf(const Traces& traces, double window_ns) {
  TimeShares result;
  result.window_ns = window_ns;
  std::uint64_t end_ns = std::numeric_limits<std::uint64_t>::max();
  for (const auto& trace : traces) {
    std::uint64_t first_ns = std::numeric_limits<std::uint64_t>::max(), last_ns = 0;
    for (const synthetic::TraceEntry& entry : trace) {
      first_ns = std::min(first_ns, entry.begin_ns);
      last_ns = std::max(last_ns, entry.begin_ns);
    }
    result.begin_ns = std::max(result.begin_ns, first_ns);
    end_ns = std::min(end_ns, last_ns);
  }
  if (end_ns <= result.begin_ns) return result;
  const auto windows =
      static_cast<std::size_t>(static_cast<double>(end_ns - result.begin_ns) / window_ns);
  std::vector<double> sums(windows);
  result.shares.assign(traces.size(), std::vector<double>(windows));
  for (std::size_t event = 0; event < traces.size(); ++event) {
    for (const synthetic::TraceEntry& entry : traces[event]) {
      // The part of an element inside a window counts there, even if the element began or ended
      // outside.
      const auto at = [&](std::uint64_t ns) {
        return (static_cast<double>(ns) - static_cast<double>(result.begin_ns)) / window_ns;
      };
      const double begin = std::max(at(entry.begin_ns), 0.0), end = at(entry.end_ns);
      for (double first = begin; first < end && first < static_cast<double>(windows);) {
        const double next = std::min(end, std::floor(first) + 1);
        result.shares[event][static_cast<std::size_t>(first)] += next - first;
        sums[static_cast<std::size_t>(first)] += next - first;
        first = next;
      }
    }
  }
  for (const double sum : sums) result.at_once += sum / static_cast<double>(windows);
  for (auto& shares : result.shares) {
    for (std::size_t w = 0; w < windows; ++w) shares[w] *= sums[w] == 0 ? 0 : 100 / sums[w];
  }
  return result;
}

}  // namespace warpyard::bench

#endif  // WARPYARD_BENCHMARKS_SCHEDULER_CASES_TIME_SHARES_H_
