// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The part of the dispatcher that starts waiting jobs: on runners, and on threads that are lent.

#include <algorithm>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/base/lock_soon.h"
#include "core/dispatch/dispatcher.h"

namespace warpyard::dispatch {
Dispatcher::Urgency Dispatcher::UrgencyOf(absl::Time deadline, absl::Time now) {
  if (deadline == absl::InfiniteFuture()) return Urgency::kNone;
  return deadline <= now + kNear ? Urgency::kNear : Urgency::kFar;
}

bool Dispatcher::MayStart(const RunnerPool& pool, Lane lane, Urgency urgency) {
  const RunnerLimits& of = pool.limits;
  const int places = lane == kOfCarriers && of.carried != 0 ? of.carried : of.runners;
  const std::size_t limits[] = {
      static_cast<std::size_t>(places),
      static_cast<std::size_t>(places - of.kept_for_near_deadlines),
      static_cast<std::size_t>(places - of.kept_for_near_deadlines - of.kept_for_deadlines)};
  // Each limit counts the jobs that can wait at least as long as this one.
  std::size_t running = 0;
  for (std::size_t other = 3; other-- > 0;) {
    running += pool.running[lane][other];
    if (other <= static_cast<std::size_t>(urgency) && running >= limits[other]) return false;
  }
  return true;
}

Dispatcher::Started Dispatcher::TakeHead(RunnerPool& pool, Lane lane, Urgency urgency) {
  ++pool.running[lane][static_cast<std::size_t>(urgency)];
  Started started = *pool.waiting.Pop(lane);
  started.job->started_as = urgency;
  pool.late_waiting -= started.job->is_late;
  return started;
}

/// The urgency of the first waiting job of a lane.
std::optional<Dispatcher::Urgency> Dispatcher::FirstOf(const RunnerPool& pool, Lane lane) {
  const JobRank* head = pool.waiting.Head(lane);
  if (head == nullptr) return std::nullopt;
  return UrgencyOf(head->deadline, absl::Now());
}

/// Whether a thread must wake up for the first waiting job of a lane. The job may start now, or it
/// may start when its deadline comes near.
/// @shape first: FirstOf the lane
bool Dispatcher::IsToBeTold(const RunnerPool& pool, Lane lane, std::optional<Urgency> first) {
  return first.has_value() && (*first == Urgency::kFar || MayStart(pool, lane, *first));
}

/// Tells a thread of each kind that may start the first waiting job of its lane. Every change of
/// such a job, and every end of a job, is announced: nothing else wakes the threads of a device.
/// Returns false if a job is for a carrier, and there is none that was not told before.
bool Dispatcher::Announce(RunnerPool& pool) {
  if (IsToBeTold(pool, kOfRunners, FirstOf(pool, kOfRunners))) pool.ready.notify_one();
  const std::optional<Urgency> first = FirstOf(pool, kOfCarriers);
  if (!IsToBeTold(pool, kOfCarriers, first)) return true;
  Carrier* const carrier = CarrierToCall(pool, *first);
  if (carrier == nullptr) return false;
  carrier->called = true;
  if (carrier != this_carrier_) carrier->bell.Ring();
  return true;
}

/// A carrier that is to look for a job: the calling thread, if it is one, so that jobs that follow
/// one another stay there; the first one with few jobs, so that few are awake while few suffice; or
/// the one with the fewest. Null: all have been called, or will look when they have room.
Dispatcher::Carrier* Dispatcher::CarrierToCall(const RunnerPool& pool, Urgency urgency) {
  constexpr std::size_t kFew = 8;
  Carrier* best = nullptr;
  for (const auto& carrier : pool.carriers) {
    if (carrier->called || !carrier->HasRoomFor(urgency)) continue;
    if (carrier.get() == this_carrier_) return this_carrier_;
    const bool is_better = best == nullptr || (best->jobs >= kFew && carrier->jobs < best->jobs);
    if (is_better) best = carrier.get();
  }
  return best;
}

/// How long it takes until the first waiting job of a lane is one with a near deadline.
absl::Duration Dispatcher::UntilNear(const RunnerPool& pool, Lane lane, absl::Time now) {
  const JobRank* head = pool.waiting.Head(lane);
  if (head == nullptr || head->deadline - kNear <= now) return kLongest;
  return std::min(head->deadline - kNear - now, kLongest);
}

/// Waits for a job that may start, and takes it. Returns nothing when the runners must end.
std::optional<Dispatcher::Started> Dispatcher::AwaitJob(RunnerPool& pool,
                                                        std::unique_lock<std::mutex>& lock) {
  while (true) {
    const absl::Time now = absl::Now();
    GiveUpHopelessJobs(pool, kOfRunners, 0);
    const JobRank* head = pool.waiting.Head(kOfRunners);
    if (head == nullptr) {
      if (stop_) return std::nullopt;
      pool.ready.wait(lock);
      continue;
    }
    // The head has the earliest deadline, so if it may not start no other may.
    const Urgency urgency = UrgencyOf(head->deadline, now);
    if (MayStart(pool, kOfRunners, urgency)) {
      Started started = TakeHead(pool, kOfRunners, urgency);
      Announce(pool);  // the next one may start now, or its deadline may come near
      return started;
    }
    if (urgency == Urgency::kNone) {
      pool.ready.wait(lock);
    } else {
      pool.ready.wait_for(lock, absl::ToChronoNanoseconds(UntilNear(pool, kOfRunners, now)));
    }
  }
}

/// Takes the job if it is the first of its lane and may start now.
std::optional<Dispatcher::Started> Dispatcher::TakeIfNext(RunnerPool& pool, const Job& job,
                                                          absl::Time now) {
  const Lane lane = job.lane;
  const JobRank* head = pool.waiting.Head(lane);
  if (head == nullptr || head->arrival != job.id.value) return std::nullopt;
  const Urgency urgency = UrgencyOf(head->deadline, now);
  if (!MayStart(pool, lane, urgency)) return std::nullopt;
  return TakeHead(pool, lane, urgency);
}

/// Runs a job that was just submitted on this thread, if it may start now.
void Dispatcher::RunIfNext(JobPointer job, std::unique_lock<std::mutex>& lock) {
  RunnerPool& pool = *pools_[job->order.device];
  auto started = TakeIfNext(pool, *job, absl::Now());
  AnnounceNew();  // what others have submitted, or this job if it has to wait
  if (!started) return;
  job.reset();
  ++lent_;
  RunJob(pool, *std::move(started), lock);
  --lent_;
  lent_ended_.notify_all();
}

/// A job that was taken starts now. The caller tells admission, without the lock.
void Dispatcher::Begin(const JobPointer& job) {
  running_.emplace(job->id.value, job);
  const absl::Time now = absl::Now();
  if (job->order.run_late || now + options_.time_limit < job->order.deadline) {
    SetAlarm(job, now + options_.time_limit);
  }
  const auto error = [this, own = job.get()] {
    std::lock_guard guard(mutex_);
    return EndOf(*own);
  };
  job->running.emplace(Task::Running{job->token, error, now - job->submitted, job->is_late});
}

/// Jobs that were taken have ended, and have left admission.
void Dispatcher::Finish(RunnerPool& pool, absl::Span<const Ended> ended) {
  for (const auto& [started, status, event] : ended) {
    Job& job = *started.job;
    ForgetAlarm(job);
    running_.erase(job.id.value);
    --pool.running[job.lane][static_cast<std::size_t>(job.started_as)];
    pool.waiting.Finish(started.key);
  }
}

/// Runs a job that was taken, without the lock. No exception may leave this function, because the
/// runner would count as busy for ever.
void Dispatcher::RunJob(RunnerPool& pool, Started started,
                        std::unique_lock<std::mutex>& lock) noexcept {
  Begin(started.job);
  lock.unlock();
  StartAll(pool, {&started, 1});
  Ended ended = {std::move(started), absl::OkStatus()};
  Job& job = *ended.started.job;
  ended.status = job.task.run(*job.running);
  job.task = {};  // frees what the task holds, outside the lock
  Leave(pool, {&ended, 1});
  LockSoon(lock);
  Finish(pool, {&ended, 1});
  Announce(pool);
}

void Dispatcher::RunnerMain(RunnerPool& pool) {
  std::unique_lock lock(mutex_);
  while (auto started = AwaitJob(pool, lock)) RunJob(pool, *std::move(started), lock);
}

}  // namespace warpyard::dispatch
