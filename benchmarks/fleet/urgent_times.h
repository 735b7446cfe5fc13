// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Measures the steps of one urgent scene, which steps at a fixed rate while other scenes step, too.
#ifndef WARPYARD_BENCHMARKS_FLEET_URGENT_TIMES_H_
#define WARPYARD_BENCHMARKS_FLEET_URGENT_TIMES_H_

#include <string>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "benchmarks/support/samples.h"

namespace warpyard::collision_bench {

class UrgentTimes {
 public:
  /// Steps `hz` times a second for a time. @shape step(deadline): steps, waits for the end, and
  ///     returns whether there is a result; deadline: when the next step is due
  UrgentTimes(double hz, absl::Duration time, absl::FunctionRef<bool(absl::Time)> step) : hz_(hz) {
    const absl::Duration period = absl::Seconds(1 / hz);
    const absl::Time end = absl::Now() + time;
    for (absl::Time due = absl::Now(); due < end; due += period) {
      while (absl::Now() < due) std::this_thread::yield();
      const bool done = step(due + period);
      const absl::Duration took = absl::Now() - due;
      ++steps_;
      met_ += done && took <= period;
      milliseconds_.push_back(absl::ToDoubleMilliseconds(took));
    }
  }

  /// A member of an object, with the comma before it. Steps without a result count with the time
  /// until that was known.
  std::string Json() {
    return absl::StrFormat(
        ", \"urgent\": {\"hz\": %g, \"steps\": %d, \"met\": %.4g, \"latency_ms\": {\"median\": "
        "%.4g, "
        "\"p99\": %.4g}}",
        hz_, steps_, static_cast<double>(met_) / steps_, bench::Median(milliseconds_),
        bench::Quantile(milliseconds_, 0.99));
  }

 private:
  const double hz_;
  int steps_ = 0, met_ = 0;
  std::vector<double> milliseconds_;  // from when each was due
};

}  // namespace warpyard::collision_bench

#endif  // WARPYARD_BENCHMARKS_FLEET_URGENT_TIMES_H_
