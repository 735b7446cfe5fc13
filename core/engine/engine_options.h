// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The options of an engine, and the options of a job.
#ifndef WARPYARD_CORE_ENGINE_ENGINE_OPTIONS_H_
#define WARPYARD_CORE_ENGINE_ENGINE_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/time/time.h"
#include "core/policy/policy.h"

namespace warpyard {

/// Where work runs: kAuto takes CUDA where a device answers, else CPU threads
/// (Engine::StartNote says why).
enum class BackendChoice { kAuto, kCuda, kCpu };

struct EngineOptions {
  BackendChoice backend = BackendChoice::kAuto;
  /// CPU worker threads; 0: one per hardware thread.
  int threads = 0;
  /// CUDA devices by number; empty: all that answer.
  std::vector<int> devices;
  /// The policy decides which job's elements the workers of a device draw first.
  policy::PolicyOptions policy;
  /// An idle device keeps its kernel for this long, so that the next job need not launch it;
  /// InfiniteDuration: always. CPU threads sleep instead.
  absl::Duration linger = absl::Milliseconds(2);
  /// Blocks of the kernel that stays on a CUDA device, two or more; 0: as many as fit. With fewer
  /// blocks, some multiprocessors stay free for other processes. As long as there are no more
  /// blocks than multiprocessors, each block has a multiprocessor of its own.
  unsigned most_blocks = 0;
  /// Adds the synthetic load to the workers' program; see core/programs.h.
  bool synthetic_jobs = false;
  /// A job that runs longer ends with RESOURCE_EXHAUSTED. A device that does not end such a job
  /// counts as lost.
  absl::Duration job_time_limit = absl::Seconds(60);
  /// Bytes that residents and scratch may take on each device (or the host, for CPU threads); 0:
  /// 80 % of the memory that is free at start.
  std::size_t memory_limit_bytes = 0;
  /// Jobs that may wait; one more is refused with RESOURCE_EXHAUSTED.
  int max_pending_jobs = 1024;
  /// Refuses jobs that cannot meet their deadlines; see core/dispatch/admission/admission.h.
  bool admission = true;
  /// Lets small jobs of a kind that wait at the same time share an event; see
  /// core/engine/event_loop.h. Policies that compare events (kFairShare, kShortestJob) have none of
  /// this.
  bool batching = true;
  /// Residents that may be open; one more is refused with RESOURCE_EXHAUSTED.
  int max_residents = 256;
};

/// Order among jobs without a deadline.
enum class Priority { kLow, kNormal, kHigh, kUrgent };
inline constexpr std::size_t kPriorities = 4;

/// Tenants are numbers below this.
inline constexpr std::uint32_t kMaxTenants = policy::kMaxTenants;

/// Learns when a job starts. Its functions must not block.
class JobObserver {
 public:
  virtual ~JobObserver() = default;

  /// The job has got its place on a device. Not called for a job that ends before.
  /// @shape waited: since the job was submitted
  virtual void OnStart(absl::Duration waited) = 0;
};

/// What becomes of a job that cannot meet its deadline.
enum class WhenLate {
  kRefuse,  ///< it is refused at once, or ends as soon as that is known, at its deadline at last
  kRun,     ///< it runs after all jobs that can be met, also after its deadline
};

struct JobOptions {
  Priority priority = Priority::kNormal;
  /// By default jobs with a deadline run first, earliest first. A job that cannot meet it, given
  /// the work accepted before it and what jobs of its kind have taken, is refused with
  /// RESOURCE_EXHAUSTED. An accepted job that is late ends with DEADLINE_EXCEEDED.
  absl::Time deadline = absl::InfiniteFuture();
  WhenLate when_late = WhenLate::kRefuse;
  /// Jobs of one kind on one resident take about as long. 0: the job is like no other, and its
  /// deadline is accepted without a check.
  std::uint64_t kind = 0;
  /// The account of the job. @shape less than kMaxTenants
  std::uint32_t tenant = 0;
  /// For a caller that would wait anyway: the calling thread runs a job that may start at once, and
  /// the completion runs within the call. That saves two wake-ups, which take as long as a short
  /// job. A job that may not start yet waits as others do. (The thread's current CUDA device may
  /// have changed afterwards.)
  bool lend_thread = false;
  /// Kept until the job has ended; null: nobody asks.
  std::shared_ptr<JobObserver> observer = nullptr;
};

}  // namespace warpyard

#endif  // WARPYARD_CORE_ENGINE_ENGINE_OPTIONS_H_
