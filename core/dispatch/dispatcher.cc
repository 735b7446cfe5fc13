// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/dispatcher.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "core/base/lock_soon.h"
#include "core/base/macros.h"
#include "core/dispatch/job_errors.h"

namespace warpyard::dispatch {

thread_local Dispatcher::Carrier* Dispatcher::this_carrier_ = nullptr;

Dispatcher::Dispatcher(const DispatcherOptions& options)
    : options_(options), arrivals_(options.max_pending, options.admission, [this] {
        PassOn(LockedSoon(arrivals_.offer_mutex));
      }) {
  for (const RunnerLimits& limits : options.devices) {
    pools_.push_back(std::make_unique<RunnerPool>(limits, options.admission));
    WY_ASSERT(limits.kept_for_deadlines + limits.kept_for_near_deadlines < limits.runners);
    WY_ASSERT(limits.carriers == 0 || options.make_loop != nullptr);
  }
  for (std::size_t device = 0; device < pools_.size(); ++device) {
    RunnerPool& pool = *pools_[device];
    for (int i = 0; i < pool.limits.carriers; ++i) {
      pool.carriers.push_back(std::make_unique<Carrier>());
      pool.carriers.back()->dispatcher = this;
    }
    for (const auto& carrier : pool.carriers) {
      carrier->thread = std::thread([=, this, &own = *carrier] { CarrierMain(device, own); });
    }
    for (int i = 0; i < pool.limits.runners; ++i) {
      pool.runners.emplace_back([this, &pool] { RunnerMain(pool); });
    }
  }
  alarm_clock_.thread = std::thread([this] { AlarmMain(); });
}

Dispatcher::~Dispatcher() {
  arrivals_.clerk.Stop();
  OfferAll();
  {
    std::lock_guard lock(mutex_);
    AcceptOffered();
    stop_ = true;
    for (const auto& pool : pools_) {
      while (auto job = pool->waiting.RemoveIf([](const JobPointer&) { return true; })) {
        ForgetAlarm(**job);
        deliveries_.Put(std::move((*job)->task), CancelError());
      }
      pool->ready.notify_all();
      for (const auto& carrier : pool->carriers) {
        carrier->called = true;
        carrier->bell.Ring();
      }
    }
    for (auto& [id, job] : running_) job->token.Cancel();
  }
  for (const auto& pool : pools_) {
    for (std::thread& runner : pool->runners) runner.join();
    for (const auto& carrier : pool->carriers) carrier->thread.join();
  }
  {
    std::unique_lock lock(mutex_);
    lent_ended_.wait(lock, [this] { return lent_ == 0; });
  }
  {
    std::lock_guard lock(mutex_);
    runners_ended_ = true;
  }
  alarm_clock_.changed.notify_all();
  alarm_clock_.thread.join();
  // Completions of the last jobs may have submitted jobs, which were rejected.
  deliveries_.Stop();
}

JobId Dispatcher::Submit(const JobOrder& order, Task task) {
  const JobId id{last_id_.fetch_add(1, std::memory_order_relaxed) + 1};
  if (order.deadline != absl::InfiniteFuture()) arrivals_.backlog.Add(order.tenant);
  auto job = std::make_shared<Job>();
  job->id = id;
  job->submitted = absl::Now();
  job->order = order;
  if (task.carry != nullptr && !pools_[order.device]->carriers.empty()) job->lane = kOfCarriers;
  job->task = std::move(task);
  // A carrier has other jobs to go on with, and soon takes the lock for what has ended. A thread of
  // deliveries has others to deliver. So these do not run a job themselves.
  if (IsCarrier()) {
    if (arrivals_.submitted.PutUnattended(std::move(job))) this_carrier_->has_submitted = true;
  } else if (!order.on_submitting_thread || deliveries_.IsOwnThread() || this_carrier_ != nullptr) {
    const auto number = arrivals_.submitted.Put(std::move(job));
    if (!number) return id;
    std::unique_lock offer_lock(arrivals_.offer_mutex, std::defer_lock);
    const auto others_offer = [&] { return arrivals_.submitted.IsTaken(*number); };
    if (LockSoonUnless(offer_lock, others_offer)) PassOn(std::move(offer_lock));
  } else {
    static_cast<void>(arrivals_.submitted.PutUnattended(job));
    OfferAll();
    std::unique_lock lock = LockedSoon(mutex_);
    AcceptOffered();
    RunIfNext(std::move(job), lock);
  }
  return id;
}

/// Accepts the jobs that were offered. The caller calls AnnounceNew afterwards.
void Dispatcher::AcceptOffered() {
  const std::vector<JobPointer> offered = arrivals_.offered.TakeAll();
  if (offered.empty()) return;
  for (const JobPointer& job : offered) Accept(job);
}

/// Announces the jobs that were accepted.
void Dispatcher::AnnounceNew() {
  for (const auto& pool : pools_) {
    if (std::exchange(pool->has_new, false)) Announce(*pool);
  }
}

void Dispatcher::Accept(const JobPointer& job) {
  const JobOrder& order = job->order;
  RunnerPool& pool = *pools_[order.device];
  if (stop_) return deliveries_.Put(std::move(job->task), CancelError());
  if (auto why = Admit(pool, *job)) return deliveries_.Put(std::move(job->task), *std::move(why));
  const absl::Time deadline = job->is_late ? absl::InfiniteFuture() : order.deadline;
  pool.waiting.Push({deadline, order.priority, job->id.value}, order.chain, job, job->lane);
  pool.has_new = true;
  if (deadline != absl::InfiniteFuture()) SetAlarm(job, deadline);
}

void Dispatcher::Reject(Task task, Refusal why) {
  deliveries_.Put(std::move(task), std::move(why));
}

void Dispatcher::Cancel(JobId id) {
  if (id == JobId()) return;  // of a job that was refused at once
  OfferAll();
  std::lock_guard lock(mutex_);
  AcceptOffered();
  AnnounceNew();
  if (const auto found = running_.find(id.value); found != running_.end()) {
    found->second->token.Cancel();
    return;
  }
  for (const auto& pool : pools_) {
    auto removed = pool->waiting.RemoveIf([id](const JobPointer& job) { return job->id == id; });
    if (!removed) continue;
    Job& job = **removed;
    ForgetAlarm(job);
    pool->late_waiting -= job.is_late;
    Leave(*pool, job, Admission::Ending::kOther);
    deliveries_.Put(std::move(job.task), CancelError());
    Announce(*pool);
    return;
  }
}

std::size_t Dispatcher::Pending() const {
  std::lock_guard lock(mutex_);
  return arrivals_.submitted.Size() + arrivals_.offered.Size() + PendingLocked();
}

std::map<int, Dispatcher::Waiting> Dispatcher::PendingByPriority() const {
  std::map<int, Waiting> waiting;
  std::lock_guard lock(mutex_);
  for (const auto& pool : pools_) {
    pool->waiting.ForEach([&waiting](const JobPointer& job) {
      Waiting& same = waiting[job->order.priority];
      ++same.jobs;
      same.oldest = std::min(same.oldest, job->submitted);
    });
  }
  return waiting;
}

std::size_t Dispatcher::Running() const {
  std::lock_guard lock(mutex_);
  return running_.size();
}

std::size_t Dispatcher::RunningOn(std::size_t device) const {
  std::lock_guard lock(mutex_);
  std::size_t jobs = 0;
  for (const auto& lane : pools_[device]->running) {
    for (const std::size_t running : lane) jobs += running;
  }
  return jobs;
}

std::size_t Dispatcher::PendingLocked() const {
  std::size_t jobs = 0;
  for (const auto& pool : pools_) jobs += pool->waiting.Size();
  return jobs;
}

absl::Status Dispatcher::EndOf(const Job& job) const {
  switch (job.why_cancelled) {
    case EndReason::kLate:
      return LateError();
    case EndReason::kTimeLimit:
      return TimeLimitError(options_.time_limit);
    case EndReason::kGaveWay:
      return GaveWayError();
    default:
      return CancelError();
  }
}

void Dispatcher::SetAlarm(const JobPointer& job, absl::Time at) {
  ForgetAlarm(*job);
  job->alarm = alarm_clock_.alarms.emplace(at, job);
  // Most alarms are forgotten before they ring, so the thread sleeps on if it wakes early enough.
  if (at >= alarm_clock_.wakes_at) return;
  alarm_clock_.wakes_at = at;
  alarm_clock_.changed.notify_one();
}

void Dispatcher::ForgetAlarm(Job& job) {
  if (!job.alarm) return;
  alarm_clock_.alarms.erase(*job.alarm);
  job.alarm.reset();
}

void Dispatcher::EndJobsWhoseTimeIsUp(absl::Time now) {
  while (!alarm_clock_.alarms.empty() && alarm_clock_.alarms.begin()->first <= now) {
    const JobPointer job = alarm_clock_.alarms.begin()->second;
    ForgetAlarm(*job);
    if (running_.contains(job->id.value)) {
      const bool is_late = job->order.deadline <= now && !job->order.run_late;
      job->why_cancelled = is_late ? EndReason::kLate : EndReason::kTimeLimit;
      job->token.Cancel();
      continue;
    }
    RunnerPool& pool = *pools_[job->order.device];
    Leave(pool, *job, Admission::Ending::kGivenUp);
    MakeLateOrReject(pool, job, LateError());
  }
}

void Dispatcher::AlarmMain() {
  std::unique_lock lock(mutex_);
  while (!runners_ended_) {
    EndJobsWhoseTimeIsUp(absl::Now());
    alarm_clock_.wakes_at =
        alarm_clock_.alarms.empty() ? absl::InfiniteFuture() : alarm_clock_.alarms.begin()->first;
    alarm_clock_.changed.wait_until(
        lock, absl::ToChronoTime(std::min(alarm_clock_.wakes_at, absl::Now() + kLongest)));
  }
}

}  // namespace warpyard::dispatch
