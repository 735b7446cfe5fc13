// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/dispatcher.h"

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"

namespace warpyard::dispatch {
namespace {

absl::Status LateError() {
  return absl::DeadlineExceededError("the job's deadline passed before its result was ready");
}

absl::Status CancelError() { return absl::CancelledError("the job was cancelled"); }

}  // namespace

Dispatcher::Dispatcher(int runners, std::size_t max_pending) : max_pending_(max_pending) {
  for (int i = 0; i < runners; ++i) runners_.emplace_back([this] { RunnerMain(); });
  attendant_ = std::thread([this] { AttendantMain(); });
}

Dispatcher::~Dispatcher() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
    while (auto job = waiting_.Remove([](const JobPointer&) { return true; })) {
      ForgetDeadline(**job);
      RejectLocked(std::move((*job)->task), CancelError());
    }
    for (auto& [id, job] : running_) job->token.Cancel();
  }
  job_ready_.notify_all();
  attendant_wake_.notify_all();
  for (std::thread& runner : runners_) runner.join();
  // What the last jobs submitted from their completions has been rejected; now that can be told.
  {
    std::lock_guard lock(mutex_);
    runners_ended_ = true;
  }
  attendant_wake_.notify_all();
  attendant_.join();
}

JobId Dispatcher::Submit(absl::Time deadline, int priority, std::uint64_t chain, Task task) {
  const absl::Time now = absl::Now();
  std::lock_guard lock(mutex_);
  const JobId id{++last_id_};
  if (stop_) {
    RejectLocked(std::move(task), CancelError());
    return id;
  }
  if (waiting_.Size() >= max_pending_) {
    RejectLocked(std::move(task),
                 absl::ResourceExhaustedError(absl::StrCat("job queue: ", waiting_.Size(),
                                                           " jobs wait, the limit "
                                                           "(--max-pending-jobs)")));
    return id;
  }
  if (deadline <= now) {
    RejectLocked(std::move(task), LateError());
    return id;
  }
  auto job = std::make_shared<Job>();
  job->id = id;
  job->submitted = now;
  job->task = std::move(task);
  waiting_.Push({deadline, priority, id.value}, chain, job);
  if (deadline != absl::InfiniteFuture()) {
    job->deadline = deadlines_.emplace(deadline, job);
    if (*job->deadline == deadlines_.begin()) attendant_wake_.notify_one();
  }
  job_ready_.notify_one();
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
  auto removed = waiting_.Remove([id](const JobPointer& job) { return job->id == id; });
  if (!removed) return;
  ForgetDeadline(**removed);
  RejectLocked(std::move((*removed)->task), CancelError());
}

std::size_t Dispatcher::Pending() const {
  std::lock_guard lock(mutex_);
  return waiting_.Size();
}

std::size_t Dispatcher::Running() const {
  std::lock_guard lock(mutex_);
  return running_.size();
}

void Dispatcher::RejectLocked(Task task, absl::Status status) {
  rejections_.push_back({std::move(task), std::move(status)});
  attendant_wake_.notify_one();
}

void Dispatcher::ForgetDeadline(Job& job) {
  if (!job.deadline) return;
  deadlines_.erase(*job.deadline);
  job.deadline.reset();
}

void Dispatcher::RunJob(const JobPointer& job) {
  job->task.run({job->token,
                 [this, &job] {
                   std::lock_guard lock(mutex_);
                   return job->late ? LateError() : CancelError();
                 },
                 absl::Now() - job->submitted});
}

void Dispatcher::RunnerMain() {
  std::unique_lock lock(mutex_);
  while (true) {
    auto started = waiting_.Pop();
    if (!started) {
      if (stop_) return;
      job_ready_.wait(lock);
      continue;
    }
    JobPointer job = std::move(started->job);
    running_.emplace(job->id, job);
    lock.unlock();
    RunJob(job);
    lock.lock();
    ForgetDeadline(*job);
    running_.erase(job->id);
    waiting_.Finish(started->key);
    // The next job of the chain may be ready now, while the other runners sleep.
    job_ready_.notify_one();
    lock.unlock();
    job.reset();  // frees what the task holds, outside the lock
    lock.lock();
  }
}

void Dispatcher::EndLateJobs(absl::Time now) {
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    const JobPointer job = deadlines_.begin()->second;
    ForgetDeadline(*job);
    if (running_.contains(job->id)) {
      job->late = true;
      job->token.Cancel();
      continue;
    }
    waiting_.Remove([&](const JobPointer& other) { return other == job; });
    RejectLocked(std::move(job->task), LateError());
  }
}

void Dispatcher::AttendantMain() {
  std::unique_lock lock(mutex_);
  while (true) {
    EndLateJobs(absl::Now());
    if (!rejections_.empty()) {
      Rejection rejection = std::move(rejections_.front());
      rejections_.pop_front();
      lock.unlock();
      rejection.task.reject(std::move(rejection.status));
      rejection = {};
      lock.lock();
      continue;
    }
    if (runners_ended_) return;
    if (deadlines_.empty()) {
      attendant_wake_.wait(lock);
    } else {
      attendant_wake_.wait_until(lock, absl::ToChronoTime(deadlines_.begin()->first));
    }
  }
}

}  // namespace warpyard::dispatch
