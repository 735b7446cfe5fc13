// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Time and order statistics for benchmarks.
#ifndef WARPYARD_BENCHMARKS_SUPPORT_SAMPLES_H_
#define WARPYARD_BENCHMARKS_SUPPORT_SAMPLES_H_

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpyard::bench {

/// @units nanoseconds of std::chrono::steady_clock, as deadlines of events
inline std::uint64_t NowNs() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

inline double MicrosecondsSince(std::uint64_t begin_ns) {
  return static_cast<double>(NowNs() - begin_ns) * 1e-3;
}

/// The smallest value that at least `share` of all values do not exceed. @shape values: in any
/// order; share: 0 to 1
inline double Quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto last = static_cast<double>(values.size() - 1);
  const auto index = static_cast<std::size_t>(share * last + 0.5);
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(index),
                   values.end());
  return values[index];
}

inline double Median(const std::vector<double>& values) { return Quantile(values, 0.5); }

}  // namespace warpyard::bench

#endif  // WARPYARD_BENCHMARKS_SUPPORT_SAMPLES_H_
