// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Where the sum of a histogram's bins reaches a number.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_BINS_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_BINS_H_

#include <cstdint>
#include <cstring>

#include "core/base/macros.h"
#include "core/workload/simplify/job/scan.h"
#include "core/workload/simplify/job/simplify_job.h"

namespace warpyard::simplify {

/// Bits that have the order of the numbers. @shape value: not negative
WY_HD inline std::uint32_t OrderedBits(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The bin of a cost: bins have the width of an eighth of a power of two. @shape cost: not negative
inline constexpr std::uint32_t kCostBins = kBins;
WY_HD inline std::uint32_t BinOf(float cost) { return OrderedBits(cost) >> 20; }

/// The bin in which a sum is reached, and the sum of those before it.
struct BinSum {
  std::uint32_t bin;     ///< in the order of the sum; the number of bins if they are less than that
  std::uint32_t before;  ///< meaningless then
};

/// Bins of a histogram in the order in which they are summed up.
struct BinOrder {
  std::uint32_t* bins;  ///< [count]
  std::uint32_t count;
  bool falling;  ///< from the last one on
};

/// Sums bins up until there are `wanted`, and clears them; all threads get the same. @shape wanted:
///     at least 1 @scope the group
template <class Scope>
WY_HD BinSum FindInBins(Scope& scope, LaneSums& lanes, const BinOrder& order,
                        std::uint64_t wanted) {
  std::uint32_t* const bins = order.bins;
  const std::uint32_t count = order.count;
  const Range part = PartOf(scope, 0, count);
  const auto bin_of = [&](std::uint32_t i) { return order.falling ? count - 1 - i : i; };
  std::uint64_t own = 0, all = 0;
  for (std::uint32_t i = part.begin; i < part.end; ++i) own += bins[bin_of(i)];
  std::uint64_t sum = lanes.Before(scope, own, all);
  std::uint64_t found = 0;  // bin + 1, and the sum before it
  for (std::uint32_t i = part.begin; i < part.end; ++i) {
    const std::uint32_t items = bins[bin_of(i)];
    bins[bin_of(i)] = 0;
    if (sum < wanted && sum + items >= wanted) found = (std::uint64_t{i} + 1) << 32 | sum;
    sum += items;
  }
  lanes.Before(scope, found, all);  // one thread has found it
  if (all == 0) return {count, 0};
  return {static_cast<std::uint32_t>(all >> 32) - 1, static_cast<std::uint32_t>(all)};
}

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_BINS_H_
