// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The admission of a device, with a lock of its own.
//
// Jobs are offered without the dispatcher's lock: in overload most are refused, and the accepted
// ones must not wait for that.
#ifndef WARPYARD_CORE_DISPATCH_ADMISSION_GUARDED_ADMISSION_H_
#define WARPYARD_CORE_DISPATCH_ADMISSION_GUARDED_ADMISSION_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>

#include "absl/time/clock.h"
#include "absl/types/span.h"
#include "core/base/lock_soon.h"
#include "core/dispatch/admission/admission.h"
#include "core/dispatch/admission/refusal_gate.h"

namespace warpyard::dispatch {

/// Thread-safe. It reads the clock with its lock, so that its times are in order.
/// @units nanoseconds since the epoch
class GuardedAdmission {
 public:
  using Key = Admission::Key;

  explicit GuardedAdmission(const AdmissionOptions& options) : admission_(options) {}

  /// Asks the gate (RefusalGate::Refuse). Takes no lock.
  std::optional<std::int64_t> RefuseAtOnce(const Admission::Request& request, std::int64_t now_ns) {
    return gate_.Refuse(request.tenant, request.estimate->LatestCost(), request.key.deadline_ns,
                        now_ns);
  }

  /// Counts a job that was refused and not offered.
  void CountUnseen() { unseen_.fetch_add(1, std::memory_order_relaxed); }

  /// For calls of Offer.
  std::unique_lock<std::mutex> Lock() { return LockedSoon(mutex_); }

  /// As in Admission, which is told the time now. @shape the caller has called Lock
  Admission::Decision Offer(const Admission::Request& request) {
    const std::int64_t now_ns = absl::GetCurrentTimeNanos();
    Admission::Decision decision = admission_.Offer(request, now_ns);
    if (decision.others_are_in_the_way) {
      // The gate opens when several jobs fit. If it opened for one, a refusal here would follow
      // each accepted job, and a refusal takes a step for each accepted job.
      const std::int64_t left_ns = request.key.deadline_ns - now_ns;
      const std::int64_t more_ns = std::min(left_ns / kGatePart, kMostOfGate);
      gate_.Close(request.tenant, request.estimate->LatestCost(), decision.expected_ns + more_ns,
                  now_ns);
    }
    return decision;
  }
  /// @shape cost_ns, least_ns: from the decision that accepted the job; begun_ns: see
  /// Admission::IsHopeless
  bool IsHopeless(const Key& key, double cost_ns, double least_ns, double begun_ns) {
    // As usual, and found without the lock: most jobs are not.
    const auto left_ns = static_cast<double>(key.deadline_ns - absl::GetCurrentTimeNanos());
    const double before_ns = running_ns_.load(std::memory_order_relaxed) + begun_ns;
    if (std::max(before_ns + cost_ns, least_ns) <= left_ns) return false;
    const auto lock = LockedSoon(mutex_);
    return admission_.IsHopeless(key, absl::GetCurrentTimeNanos(), begun_ns);
  }
  void Start(absl::Span<const Key> keys) {
    const auto lock = LockedSoon(mutex_);
    const std::int64_t now_ns = absl::GetCurrentTimeNanos();
    for (const Key& key : keys) admission_.Start(key, now_ns);
    running_ns_.store(admission_.RunningNs(), std::memory_order_relaxed);
  }
  /// @shape jobs: one, or some that shared an event
  void Leave(absl::Span<const Admission::EndedJob> jobs) {
    const auto lock = LockedSoon(mutex_);
    admission_.Leave(jobs, absl::GetCurrentTimeNanos());
    running_ns_.store(admission_.RunningNs(), std::memory_order_relaxed);
  }
  void Leave(const Key& key, Admission::Ending ending) { Leave({{key, ending}}); }
  void CountLate() {
    const auto lock = LockedSoon(mutex_);
    admission_.CountLate();
  }

  struct State {
    AdmissionCounts counts;
    double safety = 1;
    double backlog_ns = 0;  ///< expected time until all accepted jobs are done
  };
  State Look() {
    const auto lock = LockedSoon(mutex_);
    State state{admission_.counts(), admission_.safety(),
                admission_.BacklogNs(absl::GetCurrentTimeNanos())};
    state.counts.refused += gate_.Refused();
    state.counts.unseen = unseen_.load(std::memory_order_relaxed);
    return state;
  }

 private:
  /// The gate stays closed longer by a part of the time that a job has. The device has work
  /// meanwhile: that of jobs that were accepted.
  static constexpr std::int64_t kGatePart = 32, kMostOfGate = 1'000'000;

  std::mutex mutex_;
  Admission admission_;
  std::atomic<double> running_ns_ = 0;  // of it
  RefusalGate gate_;
  std::atomic<std::uint64_t> unseen_ = 0;
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_ADMISSION_GUARDED_ADMISSION_H_
