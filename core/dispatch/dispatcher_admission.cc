// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The part of the dispatcher that asks each device's admission, and does what it decides.

#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/dispatch/dispatcher.h"
#include "core/dispatch/job_errors.h"

namespace warpyard::dispatch {

/// Accepts a job, also as late work, or says why not.
std::optional<Dispatcher::Refusal> Dispatcher::Admit(RunnerPool& pool, Job& job, absl::Time now) {
  const JobOrder& order = job.order;
  std::optional<Refusal> why;
  if (order.deadline == absl::InfiniteFuture()) return why;
  if (order.deadline <= now) {
    why = LateError();
  } else if (options_.admission.on && order.estimate != nullptr) {
    const Admission::Decision decision = pool.admission.Offer(
        {KeyOf(job), order.tenant, order.chain, order.estimate.get()}, absl::ToUnixNanos(now));
    for (const Admission::Key& key : decision.give_way) TakeBack(pool, key);
    if (!decision.accepted) {
      why = Unreachable{absl::FromUnixNanos(decision.expected_ns) - now, order.deadline - now};
    }
  }
  if (!why || !order.run_late) return why;
  // Late work leaves room in the queue for jobs that can be met.
  const std::size_t pending = PendingLocked();
  if (2 * pool.late_waiting >= options_.max_pending) return PendingError(pending);
  job.is_late = true;
  ++pool.late_waiting;
  pool.admission.CountLate();
  return std::nullopt;
}

/// Ends an accepted job that gives way to another tenant's, or makes it late work.
void Dispatcher::TakeBack(RunnerPool& pool, const Admission::Key& key) {
  if (const auto found = running_.find(key.id); found != running_.end()) {
    Job& job = *found->second;
    if (job.order.run_late) return;  // the device has its deadline already
    job.why_cancelled = EndReason::kGaveWay;
    job.token.Cancel();
    return;
  }
  JobPointer job;
  pool.waiting.ForEach([&](const JobPointer& other) {
    if (other->id.value == key.id) job = other;
  });
  if (job != nullptr) MakeLateOrReject(pool, job, GaveWayError());
}

/// Of a waiting job.
void Dispatcher::MakeLateOrReject(RunnerPool& pool, const JobPointer& job, absl::Status status) {
  if (job->order.run_late) {
    job->is_late = true;
    ++pool.late_waiting;
    pool.admission.CountLate();
    pool.waiting.Rerank({absl::InfiniteFuture(), job->order.priority, job->id.value},
                        job->order.chain);
  } else {
    pool.waiting.Remove(job->order.chain, job->id.value);
    ForgetAlarm(*job);
    RejectLocked(std::move(job->task), std::move(status));
  }
  Announce(pool);
}

/// Of the jobs that would start next: they would only keep the device from others.
void Dispatcher::GiveUpHopelessJobs(RunnerPool& pool, Lane lane, absl::Time now) {
  while (const JobPointer* head = pool.waiting.HeadJob(lane)) {
    const JobPointer job = *head;
    const Admission::Key key = KeyOf(*job);
    if (job->is_late || !pool.admission.IsHopeless(key, absl::ToUnixNanos(now))) return;
    pool.admission.Leave(key, absl::ToUnixNanos(now), Admission::Ending::kGivenUp);
    MakeLateOrReject(pool, job, GivenUpError());
  }
}

Admission::Ending Dispatcher::EndingOf(const Job& job, const absl::Status& status, absl::Time end) {
  const bool was_cancelled = job.token.Cancelled() && !status.ok();
  if (was_cancelled && job.why_cancelled == EndReason::kLate) return Admission::Ending::kMissed;
  if (!status.ok()) return Admission::Ending::kOther;
  return end <= job.order.deadline ? Admission::Ending::kMet : Admission::Ending::kMissed;
}

Dispatcher::AdmissionState Dispatcher::AdmissionOn(std::size_t device) const {
  std::lock_guard lock(mutex_);
  Admission& admission = pools_[device]->admission;
  return {admission.counts(), admission.safety(),
          absl::Nanoseconds(admission.BacklogNs(absl::ToUnixNanos(absl::Now())))};
}

}  // namespace warpyard::dispatch
