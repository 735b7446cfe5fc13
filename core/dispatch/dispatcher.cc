// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/dispatcher.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "core/base/lock_soon.h"
#include "core/base/macros.h"
#include "core/dispatch/job_errors.h"

namespace warpyard::dispatch {

thread_local Dispatcher::Carrier* Dispatcher::this_carrier_ = nullptr;

Dispatcher::Dispatcher(const DispatcherOptions& options) : options_(options) {
  for (const RunnerLimits& limits : options.devices) {
    pools_.push_back(std::make_unique<RunnerPool>(limits, options.admission));
    WY_ASSERT(limits.kept_for_deadlines + limits.kept_for_near_deadlines < limits.runners);
    WY_ASSERT(limits.carriers == 0 || options.make_loop != nullptr);
  }
  for (std::size_t device = 0; device < pools_.size(); ++device) {
    RunnerPool& pool = *pools_[device];
    for (int i = 0; i < pool.limits.carriers; ++i) {
      pool.carriers.push_back(std::make_unique<Carrier>());
    }
    for (const auto& carrier : pool.carriers) {
      carrier->thread = std::thread([=, this, &own = *carrier] { CarrierMain(device, own); });
    }
    for (int i = 0; i < pool.limits.runners; ++i) {
      pool.runners.emplace_back([this, &pool] { RunnerMain(pool); });
    }
  }
  attendant_ = std::thread([this] { AttendantMain(); });
}

Dispatcher::~Dispatcher() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
    for (const auto& pool : pools_) {
      while (auto job = pool->waiting.RemoveIf([](const JobPointer&) { return true; })) {
        ForgetAlarm(**job);
        RejectLocked(std::move((*job)->task), CancelError());
      }
      pool->ready.notify_all();
      for (const auto& carrier : pool->carriers) {
        carrier->called = true;
        carrier->bell.Ring();
      }
    }
    for (auto& [id, job] : running_) job->token.Cancel();
  }
  attendant_wake_.notify_all();
  for (const auto& pool : pools_) {
    for (std::thread& runner : pool->runners) runner.join();
    for (const auto& carrier : pool->carriers) carrier->thread.join();
  }
  {
    std::unique_lock lock(mutex_);
    lent_ended_.wait(lock, [this] { return lent_ == 0; });
  }
  // Completions of the last jobs may have submitted jobs, which were rejected. Deliver that now.
  {
    std::lock_guard lock(mutex_);
    runners_ended_ = true;
  }
  attendant_wake_.notify_all();
  attendant_.join();
}

JobId Dispatcher::Submit(const JobOrder& order, Task task) {
  const absl::Time now = absl::Now();
  std::unique_lock lock = LockedSoon(mutex_);
  const JobId id{++last_id_};
  if (stop_) {
    RejectLocked(std::move(task), CancelError());
    return id;
  }
  if (const std::size_t pending = PendingLocked(); pending >= options_.max_pending) {
    RejectLocked(std::move(task), PendingError(pending));
    return id;
  }
  auto job = std::make_shared<Job>();
  job->id = id;
  job->submitted = now;
  job->order = order;
  job->task = std::move(task);
  RunnerPool& pool = *pools_[order.device];
  if (absl::Status status = Admit(pool, *job, now); !status.ok()) {
    RejectLocked(std::move(job->task), std::move(status));
    return id;
  }
  const absl::Time deadline = job->is_late ? absl::InfiniteFuture() : order.deadline;
  pool.waiting.Push({deadline, order.priority, id.value}, order.chain, job);
  if (deadline != absl::InfiniteFuture()) SetAlarm(job, deadline);
  // The attendant delivers alarms and rejections, so it must not run a job itself.
  // A carrier has other jobs to go on with.
  if (order.on_submitting_thread && !IsAttendant() && this_carrier_ == nullptr) {
    if (auto started = TakeIfNext(pool, *job, now)) {
      job.reset();
      ++lent_;
      RunJob(pool, *std::move(started), lock);
      --lent_;
      lent_ended_.notify_all();
      return id;
    }
  }
  Announce(pool);
  return id;
}

void Dispatcher::Reject(Task task, absl::Status status) {
  std::lock_guard lock(mutex_);
  RejectLocked(std::move(task), std::move(status));
}

void Dispatcher::Cancel(JobId id) {
  std::lock_guard lock(mutex_);
  if (const auto found = running_.find(id); found != running_.end()) {
    found->second->token.Cancel();
    return;
  }
  for (const auto& pool : pools_) {
    auto removed = pool->waiting.RemoveIf([id](const JobPointer& job) { return job->id == id; });
    if (!removed) continue;
    Job& job = **removed;
    ForgetAlarm(job);
    pool->late_waiting -= job.is_late;
    pool->admission.Leave(KeyOf(job), absl::ToUnixNanos(absl::Now()), Admission::Ending::kOther);
    RejectLocked(std::move(job.task), CancelError());
    Announce(*pool);
    return;
  }
}

std::size_t Dispatcher::Pending() const {
  std::lock_guard lock(mutex_);
  return PendingLocked();
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
  for (const std::size_t running : pools_[device]->running) jobs += running;
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

void Dispatcher::RejectLocked(Task task, absl::Status status) {
  rejections_.push_back({std::move(task), std::move(status)});
  attendant_wake_.notify_one();
}

void Dispatcher::SetAlarm(const JobPointer& job, absl::Time at) {
  ForgetAlarm(*job);
  job->alarm = alarms_.emplace(at, job);
  // Most alarms are forgotten before they ring, so the attendant sleeps on if it wakes early
  // enough.
  if (at < attendant_until_) attendant_wake_.notify_one();
}

void Dispatcher::ForgetAlarm(Job& job) {
  if (!job.alarm) return;
  alarms_.erase(*job.alarm);
  job.alarm.reset();
}

void Dispatcher::EndJobsWhoseTimeIsUp(absl::Time now) {
  while (!alarms_.empty() && alarms_.begin()->first <= now) {
    const JobPointer job = alarms_.begin()->second;
    ForgetAlarm(*job);
    if (running_.contains(job->id)) {
      const bool is_late = job->order.deadline <= now && !job->order.run_late;
      job->why_cancelled = is_late ? EndReason::kLate : EndReason::kTimeLimit;
      job->token.Cancel();
      continue;
    }
    RunnerPool& pool = *pools_[job->order.device];
    pool.admission.Leave(KeyOf(*job), absl::ToUnixNanos(now), Admission::Ending::kGivenUp);
    MakeLateOrReject(pool, job, LateError());
  }
}

/// Delivers some rejections for which it takes the lock once: in overload many threads want it.
void Dispatcher::DeliverRejections(std::unique_lock<std::mutex>& lock) {
  constexpr std::size_t kMost = 256;  // alarms wait meanwhile
  const auto end =
      rejections_.begin() + static_cast<std::ptrdiff_t>(std::min(rejections_.size(), kMost));
  std::vector<Rejection> some(std::make_move_iterator(rejections_.begin()),
                              std::make_move_iterator(end));
  rejections_.erase(rejections_.begin(), end);
  lock.unlock();
  for (Rejection& rejection : some) {
    rejection.task.reject(std::move(rejection.status));
    rejection = {};
  }
  // A thread that sleeps for the lock would seldom get it from those that try again and again.
  LockSoon(lock);
}

void Dispatcher::AttendantMain() {
  std::unique_lock lock(mutex_);
  while (true) {
    EndJobsWhoseTimeIsUp(absl::Now());
    if (!rejections_.empty()) {
      DeliverRejections(lock);
      continue;
    }
    if (runners_ended_) return;
    attendant_until_ = alarms_.empty() ? absl::InfiniteFuture() : alarms_.begin()->first;
    if (alarms_.empty()) {
      attendant_wake_.wait(lock);
    } else {
      attendant_wake_.wait_until(
          lock, absl::ToChronoTime(std::min(attendant_until_, absl::Now() + kLongest)));
    }
  }
}

}  // namespace warpyard::dispatch
