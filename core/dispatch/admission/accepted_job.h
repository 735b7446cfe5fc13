// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A job that admission has accepted and that has not ended.
#ifndef WARPYARD_CORE_DISPATCH_ADMISSION_ACCEPTED_JOB_H_
#define WARPYARD_CORE_DISPATCH_ADMISSION_ACCEPTED_JOB_H_

#include <algorithm>
#include <cstdint>
#include <deque>

#include "core/dispatch/admission/shared_time.h"
#include "core/dispatch/admission/work_estimate.h"

namespace warpyard::dispatch {

inline double TimeUntil(std::int64_t then_ns, std::int64_t now_ns) {
  return static_cast<double>(then_ns - now_ns);
}

/// @units nanoseconds
struct AcceptedJob {
  static constexpr std::int64_t kWaiting = -1;

  DeadlineKey key;
  std::uint64_t chain;
  WorkEstimate* estimate;
  double cost_ns;
  double least_ns;
  double left_ns;           // of the cost; of the job to which time is charged, at the last look
  std::uint64_t offer;      // of the safety factor
  std::int64_t started_ns;  // kWaiting: not yet
  std::uint32_t tenant;
  bool was_alone;  // when it started
  bool chosen;     // to give way, if that is enough

  bool Waits() const { return started_ns == kWaiting; }
  /// The time that it needs after the work before it.
  double RoomNs() const { return Waits() ? std::max(left_ns, least_ns) : left_ns; }
};

/// In the order of their keys.
using AcceptedJobs = std::deque<AcceptedJob>;

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_ADMISSION_ACCEPTED_JOB_H_
