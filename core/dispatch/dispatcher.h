// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Starts waiting jobs on a device's runner threads, and ends those that are cancelled or late.
#ifndef WARPYARD_CORE_DISPATCH_DISPATCHER_H_
#define WARPYARD_CORE_DISPATCH_DISPATCHER_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/base/ids.h"
#include "core/dispatch/job_queue.h"
#include "core/procedure/event_runner.h"

namespace warpyard::dispatch {

/// A unit of work for a runner thread. Exactly one of the two is called, once.
struct Task {
  /// Does the job and completes it; `waited`: time since it was submitted. The token may fire while
  /// it runs; `error` then says what the job should end with.
  struct Running {
    const procedure::CancelToken& token;
    std::function<absl::Status()> error;
    absl::Duration waited;
  };
  std::function<void(const Running&)> run;
  /// Completes the job without doing it; called on a thread of the dispatcher, never by Submit.
  std::function<void(absl::Status)> reject;
};

/// Thread-safe. The destructor rejects what waits (CANCELLED), cancels what runs, and waits for it.
class Dispatcher {
 public:
  /// @shape `runners`: jobs that run at the same time
  Dispatcher(int runners, std::size_t max_pending);
  ~Dispatcher();

  /// Queues a task; it is rejected with RESOURCE_EXHAUSTED when `max_pending` wait, or with
  /// DEADLINE_EXCEEDED. @shape `chain`: see JobQueue
  JobId Submit(absl::Time deadline, int priority, std::uint64_t chain, Task task);

  /// Rejects a task that cannot even be queued.
  void Reject(Task task, absl::Status status);

  /// Ends a job early with CANCELLED; unknown or finished jobs are ignored.
  void Cancel(JobId id);

  std::size_t Pending() const;
  std::size_t Running() const;
  std::size_t MaxPending() const { return max_pending_; }

 private:
  struct Job;
  using JobPointer = std::shared_ptr<Job>;
  using Deadlines = std::multimap<absl::Time, JobPointer>;
  struct Job {
    JobId id;
    absl::Time submitted;
    Task task;
    procedure::CancelToken token;
    bool late = false;  ///< told to end because its deadline passed
    std::optional<Deadlines::iterator> deadline;
  };
  struct Rejection {
    Task task;
    absl::Status status;
  };

  void RunnerMain();
  void AttendantMain();
  void RunJob(const JobPointer& job);
  // Callers of these hold the lock.
  void RejectLocked(Task task, absl::Status status);
  void ForgetDeadline(Job& job);
  void EndLateJobs(absl::Time now);

  const std::size_t max_pending_;
  mutable std::mutex mutex_;
  std::condition_variable job_ready_;
  std::condition_variable attendant_wake_;
  JobQueue<JobPointer> waiting_;
  Deadlines deadlines_;  // of waiting and running jobs that have one
  std::deque<Rejection> rejections_;
  std::map<JobId, JobPointer> running_;
  std::uint64_t last_id_ = 0;
  bool stop_ = false;           // no job starts any more
  bool runners_ended_ = false;  // nothing can be submitted any more
  std::vector<std::thread> runners_;
  std::thread attendant_;  // calls rejections and watches deadlines
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_DISPATCHER_H_
