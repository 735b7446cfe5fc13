// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Submits jobs by a fixed schedule, whether or not the earlier jobs are done.
#ifndef WARPYARD_BENCHMARKS_SCHEDULER_CASES_OPEN_LOOP_H_
#define WARPYARD_BENCHMARKS_SCHEDULER_CASES_OPEN_LOOP_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/support/samples.h"

namespace warpyard::bench {

/// Job k is due at begin_ns + k * period_ns.
struct Schedule {
  std::uint64_t begin_ns;
  std::uint64_t period_ns;
  std::uint32_t jobs;
  unsigned threads;       ///< threads that submit: the limit of jobs under way
  std::uint64_t spin_ns;  ///< how long a thread spins before its job is due
  /// Set: jobs that are not yet due do not come any more. Null: all jobs come.
  const std::atomic<bool>* stop = nullptr;
};

/// Runs one job. @shape scheduled_ns: when the job was due; thread: less than Schedule::threads
using RunJob = std::function<absl::Status(std::uint64_t scheduled_ns, unsigned thread)>;

class OpenLoop {
 public:
  /// Runs all jobs; returns when they are done.
  OpenLoop(const Schedule& schedule, const RunJob& run) : schedule_(schedule), run_(run) {
    std::vector<std::vector<double>> latencies_ns(schedule.threads);
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < schedule.threads; ++i) {
      threads.emplace_back([this, i, &latencies_ns] { Submit(i, latencies_ns[i]); });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::vector<double>& some_ns : latencies_ns) {
      latencies_ns_.insert(latencies_ns_.end(), some_ns.begin(), some_ns.end());
    }
  }

  /// The time from when a job was due until its submitter knew that it was done, for each job that
  /// came, in any order.
  const std::vector<double>& LatenciesNs() const { return latencies_ns_; }
  const absl::Status& status() const { return status_; }

 private:
  void Submit(unsigned thread, std::vector<double>& latencies_ns) {
    while (true) {
      const std::uint32_t number = next_.fetch_add(1);
      if (number >= schedule_.jobs) return;
      const std::uint64_t due_ns = schedule_.begin_ns + number * schedule_.period_ns;
      AwaitTime(due_ns);
      if (schedule_.stop != nullptr && *schedule_.stop) return;
      const absl::Status end = run_(due_ns, thread);
      latencies_ns.push_back(static_cast<double>(NowNs() - due_ns));
      if (end.ok()) continue;
      std::lock_guard lock(mutex_);
      status_.Update(end);
      next_ = schedule_.jobs;  // makes the other threads end soon
    }
  }

  void AwaitTime(std::uint64_t due_ns) const {
    const std::uint64_t now_ns = NowNs();
    if (now_ns + schedule_.spin_ns < due_ns) {
      std::this_thread::sleep_for(std::chrono::nanoseconds(due_ns - now_ns - schedule_.spin_ns));
    }
    while (NowNs() < due_ns) {
    }
  }

  const Schedule schedule_;
  const RunJob& run_;
  std::vector<double> latencies_ns_;
  std::atomic<std::uint32_t> next_{0};
  std::mutex mutex_;
  absl::Status status_;
};

}  // namespace warpyard::bench

#endif  // WARPYARD_BENCHMARKS_SCHEDULER_CASES_OPEN_LOOP_H_
