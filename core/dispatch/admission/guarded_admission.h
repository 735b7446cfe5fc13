// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The admission of a device, with a lock of its own.
//
// Jobs are offered without the dispatcher's lock: in overload most are refused, and the accepted
// ones must not wait for that. Threads that start and end jobs do not take admission's lock. They
// write down what has become of the jobs, and the thread that offers reads it first. So all that
// admission knows stays in the cache of one core.
#ifndef WARPYARD_CORE_DISPATCH_ADMISSION_GUARDED_ADMISSION_H_
#define WARPYARD_CORE_DISPATCH_ADMISSION_GUARDED_ADMISSION_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/time/clock.h"
#include "absl/types/span.h"
#include "core/base/lock_soon.h"
#include "core/dispatch/admission/admission.h"
#include "core/dispatch/admission/refusal_gate.h"

namespace warpyard::dispatch {

/// Thread-safe. @units nanoseconds since the epoch
class GuardedAdmission {
 public:
  using Key = Admission::Key;

  /// An accepted job begins, or it has ended.
  struct Change {
    Key key;
    std::optional<Admission::Ending> ending{};  ///< none: it begins
    /// The estimate of a job that has ended. It lives until it has learnt from the job.
    std::shared_ptr<WorkEstimate> estimate{};
    bool is_last = true;      ///< of the jobs that have shared an event and ended with it
    double cost_ns = 0;       ///< of a job that begins, from the decision that accepted it
    std::int64_t now_ns = 0;  ///< Tell sets it
  };

  explicit GuardedAdmission(const AdmissionOptions& options) : admission_(options) {}

  /// Asks the gate (RefusalGate::Refuse). Takes no lock.
  std::optional<std::int64_t> RefuseAtOnce(const Admission::Request& request, std::int64_t now_ns) {
    return gate_.Refuse(request.tenant, request.estimate->LatestCost(), request.key.deadline_ns,
                        now_ns);
  }

  /// Counts a job that was refused and not offered.
  void CountUnseen() { unseen_.fetch_add(1, std::memory_order_relaxed); }

  /// Locks for calls of Offer. Reads the changes that threads have told, and then the clock.
  std::unique_lock<std::mutex> Lock() {
    auto lock = LockedSoon(mutex_);
    ReadChanges();
    now_ns_ = absl::GetCurrentTimeNanos();
    return lock;
  }

  /// As in Admission, which is told the time now. @shape the caller has called Lock
  Admission::Decision Offer(const Admission::Request& request) {
    // Admission looks at the job that runs once for all jobs that are offered at one time.
    const std::int64_t now_ns = absl::GetCurrentTimeNanos();
    if (now_ns < now_ns_ || now_ns - now_ns_ > kSameTime) now_ns_ = now_ns;
    Admission::Decision decision = admission_.Offer(request, now_ns_);
    if (decision.others_are_in_the_way) {
      // The gate stays closed until several jobs fit. If it opened for one job, admission would
      // accept that job and refuse the next one, again and again. A refusal looks at all accepted
      // jobs where other tenants have some.
      const std::int64_t left_ns = request.key.deadline_ns - now_ns_;
      const std::int64_t more_ns = std::min(left_ns / kGatePart, kMostOfGate);
      gate_.Close(request.tenant, request.estimate->LatestCost(), decision.expected_ns + more_ns,
                  now_ns_);
    }
    return decision;
  }

  /// Tells what has become of jobs. Takes no lock that is held for long. @shape changes: in the
  /// order in which they happened; those of jobs that shared an event follow one another
  void Tell(absl::Span<Change> changes) {
    if (changes.empty()) return;
    const auto lock = LockedSoon(changes_mutex_);
    const std::int64_t now_ns = absl::GetCurrentTimeNanos();
    double begun_ns = begun_ns_.load(std::memory_order_relaxed);
    for (Change& change : changes) {
      change.now_ns = now_ns;
      begun_ns += change.cost_ns;
      changes_.push_back(std::move(change));
    }
    begun_ns_.store(begun_ns, std::memory_order_relaxed);
  }

  /// @shape cost_ns, least_ns: from the decision that accepted the job; begun_ns: see
  /// Admission::IsHopeless
  bool IsHopeless(const Key& key, double cost_ns, double least_ns, double begun_ns) {
    // As usual, and found without the lock: most jobs are not. The work of jobs that have ended, or
    // that have just begun, may be too large a part of this sum, and then the lock tells.
    const auto left_ns = static_cast<double>(key.deadline_ns - absl::GetCurrentTimeNanos());
    const double told_ns = begun_ns_.load(std::memory_order_acquire);
    const double before_ns = running_ns_.load(std::memory_order_relaxed) + told_ns + begun_ns;
    if (std::max(before_ns + cost_ns, least_ns) <= left_ns) return false;
    const auto lock = Lock();
    return admission_.IsHopeless(key, now_ns_, begun_ns);
  }

  /// Counts a job that runs late.
  void CountLate() { late_.fetch_add(1, std::memory_order_relaxed); }

  struct State {
    AdmissionCounts counts;
    double safety = 1;
    double backlog_ns = 0;  ///< expected time until all accepted jobs are done
  };
  State Look() {
    const auto lock = Lock();
    State state{admission_.counts(), admission_.safety(), admission_.BacklogNs(now_ns_)};
    state.counts.refused += gate_.Refused();
    state.counts.unseen = unseen_.load(std::memory_order_relaxed);
    state.counts.late = late_.load(std::memory_order_relaxed);
    return state;
  }

 private:
  /// The gate stays closed longer by a part of the time that a job has. The device has work
  /// meanwhile: that of jobs that were accepted.
  static constexpr std::int64_t kGatePart = 32, kMostOfGate = 1'000'000;
  /// Admission gets one clock reading for all offers that come within 20 us of that reading.
  static constexpr std::int64_t kSameTime = 20'000;

  /// With the lock.
  void ReadChanges() {
    {
      const auto lock = LockedSoon(changes_mutex_);
      std::swap(changes_, read_);
      // A thread that sees no work of jobs that begin sees it in this sum.
      running_ns_.store(
          running_ns_.load(std::memory_order_relaxed) + begun_ns_.load(std::memory_order_relaxed),
          std::memory_order_relaxed);
      begun_ns_.store(0, std::memory_order_release);
    }
    absl::InlinedVector<Admission::EndedJob, 64> of_event;
    for (const Change& change : read_) {
      if (!change.ending) {
        admission_.Start(change.key, change.now_ns);
        continue;
      }
      of_event.push_back({change.key, *change.ending});
      if (!change.is_last) continue;
      admission_.Leave(of_event, change.now_ns);
      of_event.clear();
    }
    if (!read_.empty()) running_ns_.store(admission_.RunningNs(), std::memory_order_relaxed);
    read_.clear();
  }

  std::mutex mutex_;
  Admission admission_;
  std::int64_t now_ns_ = 0;   // about the time of the latest offer
  std::vector<Change> read_;  // those that are being read
  std::mutex changes_mutex_;
  std::vector<Change> changes_;         // that nobody has read
  std::atomic<double> begun_ns_ = 0;    // the work of jobs that begin, of these; changes with them
  std::atomic<double> running_ns_ = 0;  // of `admission_`, when changes were read
  RefusalGate gate_;
  std::atomic<std::uint64_t> unseen_ = 0, late_ = 0;
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_ADMISSION_GUARDED_ADMISSION_H_
