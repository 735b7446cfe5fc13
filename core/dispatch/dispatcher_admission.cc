// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The part of the dispatcher that asks each device's admission, and does what it decides.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "core/base/lock_soon.h"
#include "core/dispatch/dispatcher.h"
#include "core/dispatch/job_errors.h"

namespace warpyard::dispatch {

/// So many are offered before others may lock admission.
constexpr std::ptrdiff_t kOfferedTogether = 32;

/// If so many were submitted while a thread offered others, the clerk is called to offer the next.
constexpr std::size_t kMany = 8;

std::optional<Refusal> Dispatcher::Refuse(const JobOrder& order) {
  const absl::Time now = absl::Now();
  auto why = RefusalOf(order, now);
  return why ? why : RefusalUnseen(order, now);
}

/// Why a job that is submitted now cannot be accepted, if that is known at once.
std::optional<Refusal> Dispatcher::RefusalOf(const JobOrder& order, absl::Time now) {
  if (order.deadline == absl::InfiniteFuture() || order.run_late) return std::nullopt;
  if (order.deadline <= now) return LateError();
  if (!options_.admission.on || order.estimate == nullptr) return std::nullopt;
  const auto expected_ns = pools_[order.device]->admission.RefuseAtOnce(
      {{absl::ToUnixNanos(order.deadline), 0}, order.tenant, order.chain, order.estimate.get()},
      absl::ToUnixNanos(now));
  if (!expected_ns) return std::nullopt;
  return Unreachable{absl::FromUnixNanos(*expected_ns) - now, order.deadline - now};
}

/// Why a job would wait too long until it is offered, if it would.
std::optional<Refusal> Dispatcher::RefusalUnseen(const JobOrder& order, absl::Time now) {
  const bool has_check = options_.admission.on && !order.run_late && order.estimate != nullptr &&
                         order.estimate->LatestCost() > 0;
  if (!has_check || order.deadline == absl::InfiniteFuture()) return std::nullopt;
  const absl::Duration left = order.deadline - now;
  const auto wait_ns = arrivals_.backlog.Refuse(order.tenant, absl::ToInt64Nanoseconds(left));
  if (!wait_ns) return std::nullopt;
  pools_[order.device]->admission.CountUnseen();
  return Unseen{absl::Nanoseconds(*wait_ns), left};
}

/// Offers what was submitted, as the only thread. Returns a number for IsTaken of these if
/// the caller must see that AcceptOffered is called soon.
std::optional<std::uint64_t> Dispatcher::OfferSubmitted() {
  std::vector<JobPointer> jobs = arrivals_.submitted.TakeAll();
  if (jobs.size() >= kMany) arrivals_.clerk.Call();
  std::vector<Deliveries::Rejection> rejections;
  for (auto some = jobs.begin(); some != jobs.end();) {
    // Those of one device that follow one another: one lock for them, but not for very long.
    const std::size_t device = (*some)->order.device;
    std::unique_lock<std::mutex> lock;
    const std::int64_t begin_ns = absl::GetCurrentTimeNanos();
    std::array<std::int64_t, kAdmissionTenants> offered{};
    const auto end = some + std::min<std::ptrdiff_t>(kOfferedTogether, jobs.end() - some);
    for (; some != end && (*some)->order.device == device; ++some) {
      Job& job = **some;
      if (job.order.deadline == absl::InfiniteFuture()) continue;
      ++offered[job.order.tenant];
      if (!lock.owns_lock()) lock = pools_[device]->admission.Lock();
      // Others may have been refused since it was submitted.
      auto why = RefusalOf(job.order, absl::Now());
      if (!why) why = Offer(*pools_[device], job);
      if (!why) continue;
      rejections.push_back({std::move(job.task), *std::move(why)});
      some->reset();
    }
    arrivals_.backlog.Remove(offered, absl::GetCurrentTimeNanos() - begin_ns);
  }
  deliveries_.Put(std::move(rejections));
  std::erase(jobs, nullptr);
  if (jobs.empty()) return std::nullopt;
  return arrivals_.offered.PutAll(std::move(jobs));
}

/// Offers what was submitted, and accepts what was not refused. @shape offer_lock: of offer_mutex
void Dispatcher::PassOn(std::unique_lock<std::mutex> offer_lock) {
  const auto offered = OfferSubmitted();
  offer_lock.unlock();
  if (!offered) return;
  std::unique_lock lock(mutex_, std::defer_lock);
  // The inbox has its own lock, in which a carrier looks after it has said that it has come.
  const auto others_accept = [&] {
    return arrivals_.offered.IsTaken(*offered) ||
           arrivals_.carriers_to_come.load(std::memory_order_relaxed) != 0;
  };
  if (!LockSoonUnless(lock, others_accept)) return;
  AcceptOffered();
  AnnounceNew();
}

/// Offers what was submitted. The caller calls AcceptOffered afterwards.
void Dispatcher::OfferAll() {
  const auto lock = LockedSoon(arrivals_.offer_mutex);
  OfferSubmitted();
}

/// Offers a job with a deadline to the admission of its device, which is locked. Returns why it is
/// refused, or nothing; a job that is to run late anyway is late work then.
std::optional<Refusal> Dispatcher::Offer(RunnerPool& pool, Job& job) {
  const JobOrder& order = job.order;
  std::optional<Refusal> why;
  const absl::Duration left = order.deadline - job.submitted;
  if (left <= absl::ZeroDuration()) {
    why = LateError();
  } else if (options_.admission.on && order.estimate != nullptr) {
    Admission::Decision decision =
        pool.admission.Offer({KeyOf(job), order.tenant, order.chain, order.estimate.get()});
    job.cost_ns = decision.cost_ns;
    job.least_ns = decision.least_ns;
    job.give_way = std::move(decision.give_way);
    if (!decision.accepted) {
      why = Unreachable{absl::FromUnixNanos(decision.expected_ns) - job.submitted, left};
    }
  }
  job.is_late = why.has_value() && order.run_late;
  return job.is_late ? std::nullopt : why;
}

/// What is left to do for a job that was offered, with the lock. Late work leaves room in the queue
/// for jobs that can be met. @shape returns why it is rejected, or nothing
std::optional<Refusal> Dispatcher::Admit(RunnerPool& pool, Job& job) {
  const std::size_t pending = PendingLocked();
  // Nothing is taken from others for a job that is rejected, so one for which they give way is not.
  const bool is_full = pending >= options_.max_pending && job.give_way.empty();
  if (is_full || (job.is_late && 2 * pool.late_waiting >= options_.max_pending)) {
    if (job.order.deadline != absl::InfiniteFuture()) {
      Leave(pool, job, Admission::Ending::kOther);
    }
    return PendingError(pending);
  }
  for (const Admission::Key& key : job.give_way) TakeBack(pool, key);
  if (job.is_late) {
    ++pool.late_waiting;
    pool.admission.CountLate();
  }
  return std::nullopt;
}

/// Ends an accepted job that gives way to another tenant's, or makes it late work. Does
/// nothing if the job has ended.
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
  ForgetAlarm(*job);
  if (job->order.run_late) {
    if (std::exchange(job->is_late, true)) return;
    ++pool.late_waiting;
    pool.admission.CountLate();
    pool.waiting.Rerank({absl::InfiniteFuture(), job->order.priority, job->id.value},
                        job->order.chain);
  } else {
    pool.waiting.Remove(job->order.chain, job->id.value);
    deliveries_.Put(std::move(job->task), std::move(status));
  }
  Announce(pool);
}

/// Of the jobs that would start next: they would only keep the device from others.
/// @shape begun_ns: the work of the jobs that the caller has just taken: admission does not know
/// yet that these jobs begin
void Dispatcher::GiveUpHopelessJobs(RunnerPool& pool, Lane lane, double begun_ns) {
  while (const JobRank* rank = pool.waiting.Head(lane)) {
    if (rank->deadline == absl::InfiniteFuture()) return;
    const JobPointer job = *pool.waiting.HeadJob(lane);
    const Admission::Key key = KeyOf(*job);
    if (!pool.admission.IsHopeless(key, job->cost_ns, job->least_ns, begun_ns)) return;
    Leave(pool, *job, Admission::Ending::kGivenUp);
    MakeLateOrReject(pool, job, GivenUpError());
  }
}

Admission::Ending Dispatcher::EndingOf(const Job& job, const absl::Status& status, absl::Time end) {
  const bool was_cancelled = job.token.Cancelled() && !status.ok();
  if (was_cancelled && job.why_cancelled == EndReason::kLate) return Admission::Ending::kMissed;
  if (!status.ok()) return Admission::Ending::kOther;
  return end <= job.order.deadline ? Admission::Ending::kMet : Admission::Ending::kMissed;
}

/// A job leaves admission before it starts.
void Dispatcher::Leave(RunnerPool& pool, const Job& job, Admission::Ending ending) {
  GuardedAdmission::Change change{KeyOf(job), ending, job.order.estimate};
  pool.admission.Tell({&change, 1});
}

/// Tells admission of the jobs that begin.
void Dispatcher::StartAll(RunnerPool& pool, absl::Span<const Started> begun) {
  Changes changes;
  for (const Started& started : begun) {
    if (started.job->order.deadline != absl::InfiniteFuture()) {
      changes.push_back({.key = KeyOf(*started.job), .cost_ns = started.job->cost_ns});
    }
  }
  pool.admission.Tell(absl::MakeSpan(changes));
}

/// Jobs have ended, and teach their estimates. Without the lock. @shape ended: jobs of the same
/// event follow one another
void Dispatcher::Leave(RunnerPool& pool, absl::Span<const Ended> ended) {
  const absl::Time end = absl::Now();
  Changes changes;
  for (std::size_t i = 0; i < ended.size(); ++i) {
    const auto& [started, status, event] = ended[i];
    Job& job = *started.job;
    if (job.order.deadline != absl::InfiniteFuture()) {
      changes.push_back(
          {KeyOf(job), EndingOf(job, status, end), std::move(job.order.estimate), false});
    }
    const bool is_last = i + 1 == ended.size() || ended[i + 1].event != event;
    if (is_last && !changes.empty()) changes.back().is_last = true;
  }
  pool.admission.Tell(absl::MakeSpan(changes));
}

Dispatcher::AdmissionState Dispatcher::AdmissionOn(std::size_t device) const {
  const GuardedAdmission::State state = pools_[device]->admission.Look();
  return {state.counts, state.safety, absl::Nanoseconds(state.backlog_ns)};
}

}  // namespace warpyard::dispatch
