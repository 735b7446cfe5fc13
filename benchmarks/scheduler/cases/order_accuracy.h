// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Measures how well an order of execution follows priorities. [Steinberger §5.2.4]
#ifndef WARPYARD_BENCHMARKS_SCHEDULER_CASES_ORDER_ACCURACY_H_
#define WARPYARD_BENCHMARKS_SCHEDULER_CASES_ORDER_ACCURACY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/workload/synthetic/synthetic_job.h"
#include "core/workload/synthetic/synthetic_node.h"

namespace warpyard::bench {

/// Numbers with counts, and sums of counts (a Fenwick tree).
class CountTree {
 public:
  explicit CountTree(std::size_t numbers) : sums_(numbers + 1) {}
  void Add(std::size_t number, std::int64_t count) {
    for (std::size_t i = number + 1; i < sums_.size(); i += i & (~i + 1)) sums_[i] += count;
  }
  /// The sum of the counts of all numbers less than `number`.
  std::int64_t Below(std::size_t number) const {
    std::int64_t sum = 0;
    for (std::size_t i = number; i > 0; i -= i & (~i + 1)) sum += sums_[i];
    return sum;
  }

 private:
  std::vector<std::int64_t> sums_;
};

/// Ids in the order in which packages began to wait, and when. Packages of the start wait at once,
/// others from when the package that spawned them ended. @shape as for OrderAccuracy
inline std::vector<std::pair<std::uint64_t, std::uint32_t>> Arrivals(
    const synthetic::SyntheticJob& job, const std::vector<synthetic::TraceEntry>& trace) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> arrivals;
  for (std::uint32_t id = 0; id < job.elements; ++id) arrivals.emplace_back(0, id);
  for (std::uint32_t turn = 0; turn + job.elements < job.total; ++turn) {
    arrivals.emplace_back(trace[turn].end_ns, turn + job.elements);
  }
  std::sort(arrivals.begin(), arrivals.end());
  return arrivals;
}

/// Among all pairs of packages that waited together: the fraction in which the package that begins
/// first does not have the lower priority. Priorities are compared in `levels` steps, or exactly
/// for 0. @shape trace: of all job.total packages
inline double OrderAccuracy(const synthetic::SyntheticJob& job,
                            const std::vector<synthetic::TraceEntry>& trace, std::uint32_t levels) {
  // Priorities as consecutive numbers; lower is earlier.
  std::vector<std::uint32_t> sorted(job.total);
  const auto priority = [&](std::uint32_t id) {
    const std::uint32_t exact = synthetic::PriorityOf(job, id);
    return levels == 0 ? exact : synthetic::Scaled(exact, levels);
  };
  for (std::uint32_t id = 0; id < job.total; ++id) sorted[id] = priority(id);
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  const auto number = [&](std::uint32_t id) {
    return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), priority(id)) -
                                    sorted.begin());
  };
  CountTree waiting(sorted.size());
  const auto arrivals = Arrivals(job, trace);
  std::size_t known = 0;
  std::int64_t count = 0;
  double right = 0, pairs = 0;
  for (std::uint32_t turn = 0; turn < job.total; ++turn) {
    for (; known < arrivals.size() && arrivals[known].first <= trace[turn].begin_ns; ++known) {
      waiting.Add(number(arrivals[known].second), 1);
      ++count;
    }
    // The clock may not have shown the package's arrival yet; then the sums become right when it
    // does.
    const std::size_t own = number(trace[turn].id);
    waiting.Add(own, -1);
    --count;
    right += static_cast<double>(count - waiting.Below(own));
    pairs += static_cast<double>(count);
  }
  return right / pairs;
}

}  // namespace warpyard::bench

#endif  // WARPYARD_BENCHMARKS_SCHEDULER_CASES_ORDER_ACCURACY_H_
