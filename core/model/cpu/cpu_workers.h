// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Execution model of the CPU: threads that run the worker loop, one block each.
#ifndef WARPYARD_CORE_MODEL_CPU_CPU_WORKERS_H_
#define WARPYARD_CORE_MODEL_CPU_CPU_WORKERS_H_

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/exec/thread_scope.h"
#include "core/model/cpu/thread_executor.h"
#include "core/model/event/event_end.h"
#include "core/model/event/rank_keeper.h"
#include "core/model/execution_model.h"
#include "core/model/worker/worker.h"
#include "core/model/worker/workspace.h"

namespace warpyard::model {

struct CpuShape {
  static constexpr std::uint32_t kLanes = 1;
  static constexpr std::uint32_t kBlockWorkers = 1;
  static constexpr std::uint32_t kWorkers = 256;
  static constexpr std::uint32_t kStackElements = 512;
  static constexpr std::uint32_t kReserveElements = 4096;
  static constexpr std::uint32_t kPages = 2048;
};

/// Threads live as long as the object; they sleep while no event runs. Thread-safe.
template <class Program>
class CpuWorkers final : public ExecutionModel<Program> {
 public:
  using Job = typename Program::Job;
  using Space = Workspace<exec::ThreadScope, Program, CpuShape>;

  /// @shape threads: at least 1; no more than CpuShape::kWorkers are started
  explicit CpuWorkers(int threads, const policy::PolicyOptions& policy = {})
      : threads_(std::min(static_cast<std::uint32_t>(threads), CpuShape::kWorkers)),
        policy_(policy),
        space_(std::make_unique<Space>()) {
    space_->Reset(0, 1);
    for (std::uint32_t i = 0; i < threads_; ++i) {
      workers_.emplace_back([this, i] { WorkerMain(i); });
    }
  }

  ~CpuWorkers() override {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
    }
    work_arrived_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  std::uint32_t MaxEvents() const override { return procedure::kEventBuckets; }

  absl::StatusOr<procedure::StageTimes> Run(const Job& job,
                                            const policy::EventAttributes& attributes,
                                            const procedure::CancelToken& token) override {
    std::uint32_t slot = 0;
    WY_RETURN_IF_ERROR(ClaimSlot(slot));
    StartEvent(slot, job, attributes);
    return AwaitEvent(slot, token);
  }

  std::uint32_t Workers() const override { return static_cast<std::uint32_t>(workers_.size()); }

  ModelStatistics Statistics() const override {
    ModelStatistics statistics;
    for (std::uint32_t p = 0; p < Space::Procedures::kCount; ++p) {
      statistics.procedures.push_back(ReadSums(LoadSums(space_->procedures[p])));
      statistics.queues.push_back(FillOf(p));
    }
    statistics.spills = Scope::Word(space_->counters.given).LoadRelaxed();
    statistics.back_offs = Scope::Word(space_->counters.back_offs).LoadRelaxed();
    statistics.looks = Scope::Word(space_->counters.looks).LoadRelaxed();
    statistics.claims = Scope::Word(space_->counters.claims).LoadRelaxed();
    statistics.misses = Scope::Word(space_->counters.misses).LoadRelaxed();
    std::lock_guard lock(mutex_);
    statistics.workers = workers_.size();
    statistics.running_events = running_;
    statistics.launches = 1;
    statistics.resident = true;
    return statistics;
  }

  absl::Status Health() const override {
    std::lock_guard lock(mutex_);
    return stuck_;
  }

  absl::Status RunQuietly(const std::function<absl::Status()>& work) override { return work(); }

 private:
  using Scope = exec::ThreadScope;
  using Executor = ThreadExecutor<Scope, Space>;
  using Clock = std::chrono::steady_clock;

  /// Workers look for new events this long before they sleep: waking one takes longer.
  static constexpr std::chrono::microseconds kSpin{50};
  /// How often workers have the policy evaluated.
  static constexpr std::uint64_t kPolicyNs = 50'000;

  /// Stands in for the memory of a block.
  struct Block {
    BlockMemory<Space> memory;
    alignas(64) std::byte shared[Program::Procedures::SharedBytes(1) + 64];
  };

  static ProcedureSums LoadSums(ProcedureSums& sums) {
    return {Scope::Word(sums.executed).LoadRelaxed(), Scope::Word(sums.spawned).LoadRelaxed(),
            Scope::Word(sums.busy_ns).LoadRelaxed(), Scope::Word(sums.min_ns).LoadRelaxed(),
            Scope::Word(sums.max_ns).LoadRelaxed()};
  }

  QueueFill FillOf(std::uint32_t procedure) const {
    return {Scope::Word(space_->waiting[procedure]).LoadRelaxed(), Space::Levels::Capacity()};
  }

  absl::Status ClaimSlot(std::uint32_t& slot) {
    std::unique_lock lock(mutex_);
    while (true) {
      WY_RETURN_IF_ERROR(stuck_);
      for (slot = 0; slot < procedure::kEventBuckets; ++slot) {
        if (claimed_[slot]) continue;
        claimed_[slot] = true;
        SetRunning(running_ + 1);
        return absl::OkStatus();
      }
      event_done_.wait_for(lock, std::chrono::milliseconds(100));
    }
  }

  void StartEvent(std::uint32_t slot, const Job& job, const policy::EventAttributes& attributes) {
    auto& event = space_->events[slot];
    {
      std::lock_guard lock(policy_mutex_);
      event.job = job;
      event.view = ViewOf(attributes, Scope::NowNs());
      Scope::Word(event.cancel).StoreRelaxed(0);
      if (space_->events.Start(slot, space_->board).done) SetDone(slot);
      UpdateRanksLocked();
    }
    {
      std::lock_guard lock(mutex_);
      arrivals_.store(arrivals_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }
    work_arrived_.notify_all();
  }

  /// The caller holds the lock.
  void SetRunning(std::uint32_t running) {
    running_ = running;
    Scope::Word(space_->running_events).StoreRelaxed(running);
  }

  void SetDone(std::uint32_t slot) {
    Scope::Word(space_->events[slot].state)
        .StoreRelease(static_cast<std::uint32_t>(EventState::kDone));
  }

  bool IsDone(std::uint32_t slot) const {
    return Scope::Word(space_->events[slot].state).LoadAcquire() ==
           static_cast<std::uint32_t>(EventState::kDone);
  }

  absl::StatusOr<procedure::StageTimes> AwaitEvent(std::uint32_t slot,
                                                   const procedure::CancelToken& token) {
    auto& event = space_->events[slot];
    const Clock::time_point spin_end = Clock::now() + kSpin;
    while (!IsDone(slot) && Clock::now() < spin_end) std::this_thread::yield();
    std::unique_lock lock(mutex_);
    while (!IsDone(slot)) {
      WY_RETURN_IF_ERROR(stuck_);  // the slot stays taken, since a worker may still write to it
      if (token.Cancelled()) Scope::Word(event.cancel).StoreRelaxed(1);
      event_done_.wait_for(lock, std::chrono::milliseconds(1));
    }
    lock.unlock();
    const absl::StatusOr<procedure::StageTimes> result = ReadEnd<Program>(
        event.job, event.begin_ns, Scope::Word(event.cancel).LoadRelaxed(), Scope::Word(event.error).LoadRelaxed());
    {
      std::lock_guard policy_lock(policy_mutex_);
      Scope::Word(event.state).StoreRelaxed(static_cast<std::uint32_t>(EventState::kFree));
    }
    lock.lock();
    claimed_[slot] = false;
    SetRunning(running_ - 1);
    event_done_.notify_all();
    return result;
  }

  void ReportStuck() {
    std::lock_guard lock(mutex_);
    stuck_ = absl::InternalError(absl::StrCat("a worker waited too long (", Scope::StuckReason(),
                                              "); the workers were stopped"));
    event_done_.notify_all();
    work_arrived_.notify_all();
  }

  void UpdateRanksLocked() {
    Scope scope(nullptr);
    RankKeeper<Space>::Update(scope, *space_, ranks_, policy_);
    ranked_ns_.store(Scope::NowNs(), std::memory_order_relaxed);
  }

  /// The worker that finds the ranks old renews them.
  void UpdateRanksSometimes() {
    if (Scope::NowNs() - ranked_ns_.load(std::memory_order_relaxed) < kPolicyNs) return;
    const std::unique_lock lock(policy_mutex_, std::try_to_lock);
    if (lock.owns_lock()) UpdateRanksLocked();
  }

  /// Sleeps while no event runs; false when the workers must end.
  bool AwaitWork() {
    const std::uint64_t seen = arrivals_.load(std::memory_order_acquire);
    const Clock::time_point spin_end = Clock::now() + kSpin;
    while (arrivals_.load(std::memory_order_acquire) == seen && Clock::now() < spin_end) {
      std::this_thread::yield();
    }
    std::unique_lock lock(mutex_);
    work_arrived_.wait(lock, [this] { return stop_ || !stuck_.ok() || running_ > 0; });
    return !stop_ && stuck_.ok();
  }

  void WorkerMain(std::uint32_t index) {
    const auto block = std::make_unique<Block>();
    Scope scope(block->shared);
    Executor executor(scope, *space_);
    WorkerCounts<Space>::Reset(scope, block->memory);
    Worker<Scope, Space, Executor> worker(scope, *space_, block->memory, executor,
                                          {index, 0, threads_, 1});
    const auto done = [this](std::uint32_t slot) {
      SetDone(slot);
      std::lock_guard lock(mutex_);  // so that no waiter misses it between its check and its wait
      event_done_.notify_all();
    };
    for (std::uint32_t idle_rounds = 0;;) {
      const Found found = worker.Step(done);
      if (found == Found::kStuck) return ReportStuck();
      if (found == Found::kRan) {
        idle_rounds = 0;
        UpdateRanksSometimes();
        continue;
      }
      if (idle_rounds == 0) worker.Rest();
      worker.CountBackOff();
      if (idle_rounds++ < kIdleLooks) {
        std::this_thread::yield();
      } else if (!AwaitWork()) {
        return;
      } else {
        Scope::Pause(idle_rounds);
      }
    }
  }
  static constexpr std::uint32_t kIdleLooks = 16;

  const std::uint32_t threads_;
  const policy::PolicyOptions policy_;
  const std::unique_ptr<Space> space_;
  std::mutex policy_mutex_;  // ranks_, and the views and states of events
  RankMemory ranks_{};
  std::atomic<std::uint64_t> ranked_ns_{0};
  std::atomic<std::uint64_t> arrivals_{0};
  mutable std::mutex mutex_;
  std::condition_variable work_arrived_;
  std::condition_variable event_done_;
  bool claimed_[procedure::kEventBuckets] = {};
  bool stop_ = false;
  absl::Status stuck_;
  std::uint32_t running_ = 0;
  std::vector<std::thread> workers_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_CPU_CPU_WORKERS_H_
