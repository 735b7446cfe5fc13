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

namespace {

/// One is enough, except for the refusals of several hundred thousand jobs a second.
constexpr int kAttendants = 2;

}  // namespace

thread_local Dispatcher::Carrier* Dispatcher::this_carrier_ = nullptr;
thread_local const Dispatcher* Dispatcher::attended_ = nullptr;

Dispatcher::Dispatcher(const DispatcherOptions& options)
    : options_(options), submitted_(options.max_pending) {
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
  for (int i = 0; i < kAttendants; ++i) {
    attendants_.threads.emplace_back([this] { AttendantMain(); });
  }
}

Dispatcher::~Dispatcher() {
  {
    std::lock_guard lock(mutex_);
    AcceptSubmitted();
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
  attendants_.wake.notify_all();
  for (std::thread& attendant : attendants_.threads) attendant.join();
}

JobId Dispatcher::Submit(const JobOrder& order, Task task) {
  auto job = std::make_shared<Job>();
  job->id = JobId{last_id_.fetch_add(1, std::memory_order_relaxed) + 1};
  const JobId id = job->id;
  job->submitted = absl::Now();
  job->order = order;
  job->task = std::move(task);
  // A carrier has other jobs to go on with, and soon takes the lock for what has ended. The
  // attendant delivers alarms and rejections. So these do not run a job themselves.
  if (IsCarrier()) {
    this_carrier_->has_submitted = true;
    submitted_.PutUnattended(std::move(job));
  } else if (!order.on_submitting_thread || IsAttendant() || this_carrier_ != nullptr) {
    if (!submitted_.Put(std::move(job))) return id;
    const std::unique_lock lock = LockedSoon(mutex_);
    AcceptSubmitted();
    AnnounceNew();
  } else {
    submitted_.PutUnattended(job);
    std::unique_lock lock = LockedSoon(mutex_);
    AcceptSubmitted();
    RunIfNext(std::move(job), lock);
  }
  return id;
}

/// Accepts or refuses the submitted jobs. The caller calls AnnounceNew afterwards.
void Dispatcher::AcceptSubmitted() {
  const std::vector<JobPointer> submitted = submitted_.TakeAll();
  if (submitted.empty()) return;
  const absl::Time now = absl::Now();
  for (const JobPointer& job : submitted) Accept(job, now);
}

/// Announces the jobs that were accepted.
void Dispatcher::AnnounceNew() {
  for (const auto& pool : pools_) {
    if (std::exchange(pool->has_new, false)) Announce(*pool);
  }
}

void Dispatcher::Accept(const JobPointer& job, absl::Time now) {
  const JobOrder& order = job->order;
  RunnerPool& pool = *pools_[order.device];
  if (stop_) return RejectLocked(std::move(job->task), CancelError());
  if (const std::size_t pending = PendingLocked(); pending >= options_.max_pending) {
    return RejectLocked(std::move(job->task), PendingError(pending));
  }
  if (auto why = Admit(pool, *job, now)) return RejectLocked(std::move(job->task), *std::move(why));
  const absl::Time deadline = job->is_late ? absl::InfiniteFuture() : order.deadline;
  pool.waiting.Push({deadline, order.priority, job->id.value}, order.chain, job,
                    LaneOf(pool, *job));
  pool.has_new = true;
  if (deadline != absl::InfiniteFuture()) SetAlarm(job, deadline);
}

void Dispatcher::Reject(Task task, absl::Status status) {
  std::lock_guard lock(mutex_);
  RejectLocked(std::move(task), std::move(status));
}

void Dispatcher::Cancel(JobId id) {
  std::lock_guard lock(mutex_);
  AcceptSubmitted();
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
    pool->admission.Leave(KeyOf(job), absl::ToUnixNanos(absl::Now()), Admission::Ending::kOther);
    RejectLocked(std::move(job.task), CancelError());
    Announce(*pool);
    return;
  }
}

std::size_t Dispatcher::Pending() const {
  std::lock_guard lock(mutex_);
  return submitted_.Size() + PendingLocked();
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

/// Calls an attendant if none is about to look for rejections. The caller holds the lock, and
/// waking a thread takes longer than everything else under the lock. So rejections wake threads
/// seldom.
void Dispatcher::RejectLocked(Task task, Refusal why) {
  rejections_.push_back({std::move(task), std::move(why)});
  const int others = attendants_.waiting - attendants_.called + attendants_.delivering;
  if (others == kAttendants) CallAttendant();
}

/// Wakes an attendant that waits and has not been called, if there is one.
void Dispatcher::CallAttendant() {
  if (attendants_.waiting == attendants_.called) return;
  ++attendants_.called;
  attendants_.wake.notify_one();
}

/// Takes up to `most` rejections. A thread takes the lock once for many of them, because in
/// overload many threads want the lock.
std::vector<Dispatcher::Rejection> Dispatcher::TakeRejections(std::size_t most) {
  const auto end =
      rejections_.begin() + static_cast<std::ptrdiff_t>(std::min(rejections_.size(), most));
  std::vector<Rejection> taken(std::make_move_iterator(rejections_.begin()),
                               std::make_move_iterator(end));
  rejections_.erase(rejections_.begin(), end);
  return taken;
}

/// Without the lock.
void Dispatcher::Deliver(std::vector<Rejection> rejections) {
  for (Rejection& rejection : rejections) {
    auto* const status = std::get_if<absl::Status>(&rejection.why);
    const auto* const late = std::get_if<Unreachable>(&rejection.why);
    rejection.task.reject(late != nullptr ? RefusedError(late->expected, late->left)
                                          : std::move(*status));
    rejection = {};
  }
}

void Dispatcher::SetAlarm(const JobPointer& job, absl::Time at) {
  ForgetAlarm(*job);
  job->alarm = alarms_.emplace(at, job);
  // Most alarms are forgotten before they ring, so attendants sleep on if they wake early enough.
  if (at >= attendants_.until) return;
  attendants_.until = at;
  while (attendants_.waiting != attendants_.called) CallAttendant();  // one may be busy then
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
    if (running_.contains(job->id.value)) {
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

void Dispatcher::AttendantMain() {
  constexpr std::size_t kMost = 256;  // alarms may wait meanwhile
  attended_ = this;
  std::unique_lock lock(mutex_);
  while (true) {
    EndJobsWhoseTimeIsUp(absl::Now());
    if (!rejections_.empty()) {
      std::vector<Rejection> some = TakeRejections(kMost);
      ++attendants_.delivering;
      if (!rejections_.empty()) CallAttendant();
      lock.unlock();
      Deliver(std::move(some));
      // A thread that sleeps for the lock would seldom get it from those that try again and again.
      LockSoon(lock);
      --attendants_.delivering;
      continue;
    }
    if (runners_ended_) return;
    attendants_.until = alarms_.empty() ? absl::InfiniteFuture() : alarms_.begin()->first;
    ++attendants_.waiting;
    // Whoever wakes looks at everything again: its time limit may be older than the first alarm.
    attendants_.wake.wait_until(
        lock, absl::ToChronoTime(std::min(attendants_.until, absl::Now() + kLongest)));
    --attendants_.waiting;
    if (attendants_.called != 0) --attendants_.called;
  }
}

}  // namespace warpyard::dispatch
