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
#include "core/base/macros.h"
#include "core/dispatch/job_errors.h"

namespace warpyard::dispatch {
namespace {

/// An infinite time overflows in condition variables, so waits take at most this long.
constexpr absl::Duration kLongest = absl::Hours(24 * 365);

}  // namespace

Dispatcher::Dispatcher(const DispatcherOptions& options) : options_(options) {
  for (const RunnerLimits& limits : options.devices) {
    pools_.push_back(std::make_unique<RunnerPool>(limits, options.admission));
    WY_ASSERT(limits.kept_for_deadlines + limits.kept_for_near_deadlines < limits.runners);
  }
  for (const auto& pool : pools_) {
    for (int i = 0; i < pool->limits.runners; ++i) {
      pool->runners.emplace_back([this, &pool = *pool] { RunnerMain(pool); });
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
    }
    for (auto& [id, job] : running_) job->token.Cancel();
  }
  attendant_wake_.notify_all();
  for (const auto& pool : pools_) {
    for (std::thread& runner : pool->runners) runner.join();
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
  std::unique_lock lock(mutex_);
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
  if (order.on_submitting_thread && !IsAttendant()) {
    if (auto started = TakeIfNext(pool, *job, now)) {
      job.reset();
      ++lent_;
      RunJob(pool, *std::move(started), lock);
      --lent_;
      lent_ended_.notify_all();
      return id;
    }
  }
  pool.ready.notify_one();
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

Dispatcher::Urgency Dispatcher::UrgencyOf(absl::Time deadline, absl::Time now) {
  if (deadline == absl::InfiniteFuture()) return Urgency::kNone;
  return deadline <= now + kNear ? Urgency::kNear : Urgency::kFar;
}

bool Dispatcher::MayStart(const RunnerPool& pool, Urgency urgency) {
  const RunnerLimits& of = pool.limits;
  const std::size_t limits[] = {
      static_cast<std::size_t>(of.runners),
      static_cast<std::size_t>(of.runners - of.kept_for_near_deadlines),
      static_cast<std::size_t>(of.runners - of.kept_for_near_deadlines - of.kept_for_deadlines)};
  // Each limit counts the jobs that can wait at least as long as this one.
  std::size_t running = 0;
  for (std::size_t other = 3; other-- > 0;) {
    running += pool.running[other];
    if (other <= static_cast<std::size_t>(urgency) && running >= limits[other]) return false;
  }
  return true;
}

Dispatcher::Started Dispatcher::TakeHead(RunnerPool& pool, Urgency urgency) {
  ++pool.running[static_cast<std::size_t>(urgency)];
  Started started = *pool.waiting.Pop();
  started.job->started_as = urgency;
  pool.late_waiting -= started.job->is_late;
  return started;
}

/// Waits for a job that may start, and takes it. Returns nothing when the runners must end.
std::optional<Dispatcher::Started> Dispatcher::AwaitJob(RunnerPool& pool,
                                                        std::unique_lock<std::mutex>& lock) {
  while (true) {
    const absl::Time now = absl::Now();
    GiveUpHopelessJobs(pool, now);
    const JobRank* head = pool.waiting.Head();
    if (head == nullptr) {
      if (stop_) return std::nullopt;
      pool.ready.wait(lock);
      continue;
    }
    // The head has the earliest deadline, so if it may not start no other may.
    const Urgency urgency = UrgencyOf(head->deadline, now);
    if (MayStart(pool, urgency)) {
      Started started = TakeHead(pool, urgency);
      // Wake another runner for the next job: it may start now, or its deadline may come near.
      if (pool.waiting.Head() != nullptr) pool.ready.notify_one();
      return started;
    }
    if (urgency == Urgency::kNone) {
      pool.ready.wait(lock);
    } else {
      pool.ready.wait_until(lock,
                            absl::ToChronoTime(std::min(head->deadline - kNear, now + kLongest)));
    }
  }
}

/// Takes the job if it is the one that a runner would take now.
std::optional<Dispatcher::Started> Dispatcher::TakeIfNext(RunnerPool& pool, const Job& job,
                                                          absl::Time now) {
  const JobRank* head = pool.waiting.Head();
  if (head == nullptr || head->arrival != job.id.value) return std::nullopt;
  const Urgency urgency = UrgencyOf(head->deadline, now);
  if (!MayStart(pool, urgency)) return std::nullopt;
  return TakeHead(pool, urgency);
}

/// Runs a job that was taken, without the lock. No exception may leave this function, because the
/// runner would count as busy for ever.
void Dispatcher::RunJob(RunnerPool& pool, Started started,
                        std::unique_lock<std::mutex>& lock) noexcept {
  JobPointer job = std::move(started.job);
  running_.emplace(job->id, job);
  const absl::Time now = absl::Now();
  if (job->order.run_late || now + options_.time_limit < job->order.deadline) {
    SetAlarm(job, now + options_.time_limit);
  }
  const Admission::Key key = KeyOf(*job);
  pool.admission.Start(key, absl::ToUnixNanos(now));
  lock.unlock();
  const absl::Status status = job->task.run({job->token,
                                             [this, &job] {
                                               std::lock_guard guard(mutex_);
                                               return EndOf(*job);
                                             },
                                             now - job->submitted, job->is_late});
  lock.lock();
  ForgetAlarm(*job);
  const absl::Time end = absl::Now();
  pool.admission.Leave(key, absl::ToUnixNanos(end), EndingOf(*job, status, end));
  running_.erase(job->id);
  --pool.running[static_cast<std::size_t>(job->started_as)];
  pool.waiting.Finish(started.key);
  // The end of this job may let the next job of its chain start, while the other runners sleep.
  pool.ready.notify_one();
  lock.unlock();
  job.reset();  // frees what the task holds, outside the lock
  lock.lock();
}

void Dispatcher::RunnerMain(RunnerPool& pool) {
  std::unique_lock lock(mutex_);
  while (auto started = AwaitJob(pool, lock)) RunJob(pool, *std::move(started), lock);
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
  lock.lock();
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
