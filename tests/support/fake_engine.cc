// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/support/fake_engine.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "absl/time/clock.h"
#include "core/base/macros.h"
#include "tests/support/serial_sorts.h"

namespace warpyard::test_support {

namespace {

std::unique_ptr<Engine> MakeRealEngine() {
  EngineOptions options;
  options.backend = BackendChoice::kCpu;
  options.threads = 1;
  options.synthetic_jobs = true;
  absl::StatusOr<std::unique_ptr<Engine>> engine = Engine::Create(options);
  WY_ASSERT(engine.ok());
  return *std::move(engine);
}

}  // namespace

FakeEngine::FakeEngine() : engine_(MakeRealEngine()), thread_([this] { ThreadMain(); }) {}

FakeEngine::~FakeEngine() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    for (Job& job : waiting_) {
      job.held = false;
      job.outcome = outcome_.at_end;
    }
  }
  changed_.notify_all();
  thread_.join();
  // The real engine would cancel what still runs.
  const auto is_busy = [this] {
    const EngineStatistics now = engine_->Statistics();
    return now.jobs_pending + now.jobs_running != 0;
  };
  while (outcome_.at_end.ok() && is_busy()) absl::SleepFor(absl::Milliseconds(1));
}

JobId FakeEngine::OpenResident(const JobOptions& options, Open open, OpenDone done) {
  return Add(
      options, [done](const absl::Status& status) { done(status); },
      [this, open = std::move(open), done] {
        engine_->OpenResident({}, open, [this, done](const absl::StatusOr<ResidentId>& id) {
          done(id);
          ++ended_jobs_;
        });
      });
}

JobId FakeEngine::Run(ResidentId resident, const JobOptions& options, WorkOn work, Done done) {
  return Add(options, done, [this, resident, work = std::move(work), done] {
    engine_->Run(resident, {}, work, [this, done](const absl::Status& status) {
      done(status);
      ++ended_jobs_;
    });
  });
}

JobId FakeEngine::Run(const JobOptions& options, Work work, Done done) {
  return Add(options, done, [this, work = std::move(work), done] { engine_->Run({}, work, done); });
}

JobId FakeEngine::Add(const JobOptions& options, Done refuse, std::function<void()> start) {
  JobId id;
  {
    const std::lock_guard lock(mutex_);
    id = JobId{++last_id_};
    jobs_.push_back(options);
    waiting_.push_back(
        {id, options.deadline, hold_, outcome_.now, std::move(refuse), std::move(start)});
  }
  changed_.notify_all();
  return id;
}

void FakeEngine::Cancel(JobId job) {
  {
    const std::lock_guard lock(mutex_);
    ++cancel_requests_;
    if (!honour_cancel_) return;
    const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                    [job](const Job& waiting) { return waiting.id == job; });
    if (found == waiting_.end()) return;
    found->held = false;
    found->outcome = absl::CancelledError("the job was cancelled");
    ++cancelled_jobs_;
  }
  changed_.notify_all();
}

absl::Status FakeEngine::Close(ResidentId resident) { return engine_->Close(resident); }

EngineStatistics FakeEngine::Statistics() const {
  const std::lock_guard lock(mutex_);
  EngineStatistics statistics;
  statistics.jobs_pending = waiting_.size();
  statistics.max_jobs_pending = 1024;
  statistics.residents = engine_->Statistics().residents;
  for (std::size_t i = 0; i < lost_.size(); ++i) {
    EngineStatistics::Device device;
    device.name = "fake:" + std::to_string(i);
    device.lost = lost_[i];
    device.resident = true;
    device.launches = 3 + i;
    device.workers = 16;
    device.spills = 5;
    device.draws = {40, 30, 20, 6, absl::Milliseconds(250)};
    device.running_events = i;
    device.memory_used_bytes = 1000;
    device.memory_limit_bytes = 2000;
    device.queues = {{"RefitNode", 7, 4096}};
    device.procedures = {{"RefitNode", 12, 34, absl::Milliseconds(1500), absl::Milliseconds(500),
                          absl::Milliseconds(250 * 7)}};
    device.tenants = {absl::Seconds(1), absl::Seconds(2)};
    statistics.devices.push_back(device);
  }
  return statistics;
}

std::vector<DeviceHealth> FakeEngine::Health() const {
  const std::lock_guard lock(mutex_);
  std::vector<DeviceHealth> health;
  for (std::size_t i = 0; i < lost_.size(); ++i) {
    health.push_back({"fake:" + std::to_string(i),
                      lost_[i] ? absl::UnavailableError("it broke") : absl::OkStatus()});
  }
  return health;
}

void FakeEngine::LoseDevice(std::size_t device) {
  const std::lock_guard lock(mutex_);
  lost_[device] = true;
}

void FakeEngine::HoldJobs(bool hold) {
  const std::lock_guard lock(mutex_);
  hold_ = hold;
}

void FakeEngine::HonourCancel(bool honour) {
  const std::lock_guard lock(mutex_);
  honour_cancel_ = honour;
}

bool FakeEngine::WaitForHeld(std::size_t count) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::seconds(10), [&] {
    return static_cast<std::size_t>(std::count_if(
               waiting_.begin(), waiting_.end(), [](const Job& job) { return job.held; })) == count;
  });
}

void FakeEngine::EndNext(const absl::Status& status) {
  {
    const std::lock_guard lock(mutex_);
    const auto oldest =
        std::find_if(waiting_.begin(), waiting_.end(), [](const Job& job) { return job.held; });
    if (oldest == waiting_.end()) return;
    oldest->held = false;
    oldest->outcome = status;
  }
  changed_.notify_all();
}

void FakeEngine::EndLeftJobsWith(const absl::Status& status) {
  const std::lock_guard lock(mutex_);
  outcome_.at_end = status;
}

void FakeEngine::SetOutcome(const absl::Status& status) {
  const std::lock_guard lock(mutex_);
  outcome_.now = status;
}

std::vector<JobOptions> FakeEngine::jobs() const {
  const std::lock_guard lock(mutex_);
  return jobs_;
}

std::size_t FakeEngine::cancelled_jobs() const {
  const std::lock_guard lock(mutex_);
  return cancelled_jobs_;
}

std::size_t FakeEngine::cancel_requests() const {
  const std::lock_guard lock(mutex_);
  return cancel_requests_;
}

std::size_t FakeEngine::open_residents() const { return engine_->Statistics().residents; }

void FakeEngine::ThreadMain() {
  std::unique_lock lock(mutex_);
  while (true) {
    const auto next = NextToEnd();
    if (next != waiting_.end()) {
      const Job job = std::move(*next);
      waiting_.erase(next);
      lock.unlock();
      changed_.notify_all();
      if (job.outcome.ok()) {
        job.start();
      } else {
        job.refuse(job.outcome);
      }
      lock.lock();
      continue;
    }
    if (stop_) return;
    // A year means no deadline, because condition variables overflow at infinity.
    changed_.wait_until(
        lock, absl::ToChronoTime(std::min(NextDeadline(), absl::Now() + absl::Hours(8760))));
  }
}

std::list<FakeEngine::Job>::iterator FakeEngine::NextToEnd() {
  const absl::Time now = absl::Now();
  for (auto job = waiting_.begin(); job != waiting_.end(); ++job) {
    if (job->deadline <= now) {
      job->outcome = absl::DeadlineExceededError("the job's deadline has passed");
      return job;
    }
    if (!job->held) return job;
  }
  return waiting_.end();
}

absl::Time FakeEngine::NextDeadline() const {
  absl::Time next = absl::InfiniteFuture();
  for (const Job& job : waiting_) next = std::min(next, job.deadline);
  return next;
}

}  // namespace warpyard::test_support
