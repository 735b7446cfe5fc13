// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Charges the time that passes to the jobs with deadlines that run side by side on a device.
//
// Nobody measures how much of a device a job takes: small jobs leave most of a GPU idle, and the
// host is a part of their time, too. What can be measured is the time that passes while jobs run.
// All of it is charged to the running job with the earliest deadline, which comes first on the
// device, too. Jobs that run beside it are charged nothing; when they are the first they are nearly
// done. So the mean charge is the time between two ends, at the number of jobs that run now, and a
// job that keeps others waiting is charged for it.
#ifndef WARPYARD_CORE_DISPATCH_ADMISSION_SHARED_TIME_H_
#define WARPYARD_CORE_DISPATCH_ADMISSION_SHARED_TIME_H_

#include <algorithm>
#include <compare>
#include <cstdint>
#include <vector>

namespace warpyard::dispatch {

/// Names a job, in the order of deadlines.
struct DeadlineKey {
  std::int64_t deadline_ns = 0;
  std::uint64_t id = 0;
  friend auto operator<=>(const DeadlineKey&, const DeadlineKey&) = default;
};

/// @scope one thread at a time @units nanoseconds of a clock that does not go back
class SharedTime {
 public:
  bool IsIdle() const { return jobs_.empty(); }
  /// The job to which time is charged now. @shape not idle
  const DeadlineKey& First() const { return jobs_.front().key; }

  void Begin(const DeadlineKey& key, std::int64_t now_ns) {
    Advance(now_ns);
    jobs_.insert(Find(key), {key, 0});
  }

  /// The time that was charged to a running job.
  double Of(const DeadlineKey& key, std::int64_t now_ns) {
    Advance(now_ns);
    return Find(key)->charged_ns;
  }

  void End(const DeadlineKey& key, std::int64_t now_ns) {
    Advance(now_ns);
    jobs_.erase(Find(key));
  }

 private:
  struct Job {
    DeadlineKey key;
    double charged_ns;
  };

  /// The job, or where it belongs.
  std::vector<Job>::iterator Find(const DeadlineKey& key) {
    return std::lower_bound(
        jobs_.begin(), jobs_.end(), key,
        [](const Job& job, const DeadlineKey& wanted) { return job.key < wanted; });
  }

  void Advance(std::int64_t now_ns) {
    if (now_ns <= last_ns_) return;
    if (!jobs_.empty()) jobs_.front().charged_ns += static_cast<double>(now_ns - last_ns_);
    last_ns_ = now_ns;
  }

  std::vector<Job> jobs_;  // ascending keys
  std::int64_t last_ns_ = 0;
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_ADMISSION_SHARED_TIME_H_
