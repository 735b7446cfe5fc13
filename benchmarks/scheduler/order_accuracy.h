// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How well an order of execution follows priorities. [Steinberger §5.2.4]
#ifndef WARPYARD_BENCHMARKS_SCHEDULER_ORDER_ACCURACY_H_
#define WARPYARD_BENCHMARKS_SCHEDULER_ORDER_ACCURACY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/workload/load/load_job.h"
#include "core/workload/load/load_node.h"

namespace warpyard::bench {

/// Numbers with counts, and sums of counts (a Fenwick tree).
class CountTree {
 public:
  explicit CountTree(std::size_t numbers) : sums_(numbers + 1) {}
  void Add(std::size_t number, std::int64_t count) {
    for (std::size_t i = number + 1; i < sums_.size(); i += i & (~i + 1)) sums_[i] += count;
  }
  /// Of all numbers less than `number`.
  std::int64_t Below(std::size_t number) const {
    std::int64_t sum = 0;
    for (std::size_t i = number; i > 0; i -= i & (~i + 1)) sum += sums_[i];
    return sum;
  }

 private:
  std::vector<std::int64_t> sums_;
};

/// Share of the pairs of packages that waited together of which the first to begin has no lower
/// priority: in `levels` steps, or exactly for 0. @shape trace: of all job.total packages
inline double OrderAccuracy(const load::LoadJob& job, const std::vector<load::TraceEntry>& trace,
                            std::uint32_t levels) {
  // Dense numbers of the priorities: lower is earlier.
  std::vector<std::uint32_t> sorted(job.total);
  const auto priority = [&](std::uint32_t id) {
    const std::uint32_t exact = load::PriorityOf(job, id);
    return levels == 0 ? exact : load::Scaled(exact, levels);
  };
  for (std::uint32_t id = 0; id < job.total; ++id) sorted[id] = priority(id);
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  const auto number = [&](std::uint32_t id) {
    return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), priority(id)) -
                                    sorted.begin());
  };
  CountTree waiting(sorted.size());
  std::uint32_t known = 0;
  std::int64_t count = 0;
  double right = 0, pairs = 0;
  for (std::uint32_t turn = 0; turn < job.total; ++turn) {
    for (; known < std::min(job.elements + turn, job.total); ++known, ++count) {
      waiting.Add(number(known), 1);
    }
    const std::size_t own = number(trace[turn].id);
    waiting.Add(own, -1);
    --count;
    right += static_cast<double>(count - waiting.Below(own));
    pairs += static_cast<double>(count);
  }
  return right / pairs;
}

}  // namespace warpyard::bench

#endif  // WARPYARD_BENCHMARKS_SCHEDULER_ORDER_ACCURACY_H_
