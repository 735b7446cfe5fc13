// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/run_jobs.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace warpyard::cli {

absl::StatusOr<JobLevels> RunJobs(const RemoteService& service, const RunOptions& options,
                                  std::vector<MeshJob>& jobs) {
  JobLevels results(jobs.size());
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  absl::Status first_error;  // guarded by the mutex
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      MeshJob& job = jobs[i];
      auto levels = SimplifyLevels(service, job.open, job.goal, options.levels);
      job.open.Clear();
      if (levels.ok()) {
        results[i] = *std::move(levels);
        continue;
      }
      const absl::Status& error = levels.status();
      const std::lock_guard lock(mutex);
      first_error.Update(
          jobs.size() == 1
              ? error
              : absl::Status(error.code(), absl::StrCat(job.label, ": ", error.message())));
      next = jobs.size();
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < std::min(options.in_flight, jobs.size()); ++i) {
    threads.emplace_back(work);
  }
  work();
  for (std::thread& thread : threads) thread.join();
  if (!first_error.ok()) return first_error;
  return results;
}

}  // namespace warpyard::cli
