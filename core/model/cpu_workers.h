// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Execution model of the CPU: threads that run the worker loop, one block each.
#ifndef WARPYARD_CORE_MODEL_CPU_WORKERS_H_
#define WARPYARD_CORE_MODEL_CPU_WORKERS_H_

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
#include "core/exec/thread_scope.h"
#include "core/model/execution_model.h"
#include "core/model/worker_loop.h"
#include "core/model/workspace.h"

namespace warpyard::model {

/// Threads live as long as the object; they sleep while no event runs. Thread-safe.
template <class Program>
class CpuWorkers final : public ExecutionModel<Program> {
 public:
  using Job = typename Program::Job;
  using Space = Workspace<exec::ThreadScope, Program>;

  explicit CpuWorkers(int threads) : space_(std::make_unique<Space>()) {
    space_->Reset();
    for (int i = 0; i < threads; ++i) workers_.emplace_back([this] { WorkerMain(); });
  }

  ~CpuWorkers() override {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
    }
    work_arrived_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  std::uint32_t MaxEvents() const override { return Space::kMaxEvents; }

  absl::StatusOr<procedure::StageTimes> Run(const Job& job,
                                            const procedure::CancelToken& token) override {
    std::uint32_t slot = 0;
    WY_RETURN_IF_ERROR(ClaimSlot(slot));
    Event<Program>& event = space_->events[slot];
    event.job = job;
    Scope::Word(event.cancel).StoreRelaxed(0);
    {
      Scratch scratch;
      Scope scope(scratch.bytes);
      if (Loop(scope, *space_).StartEvent(slot) == Round::kStuck) ReportStuck();
    }
    return AwaitEvent(slot, token);
  }

  std::vector<ProcedureCounters> Counters() const override {
    std::vector<ProcedureCounters> counters(Space::kProcedures);
    for (std::uint32_t p = 0; p < Space::kProcedures; ++p) {
      counters[p].executed = Scope::Word(space_->procedures[p].executed).LoadRelaxed();
      counters[p].busy_ns = Scope::Word(space_->procedures[p].busy_ns).LoadRelaxed();
    }
    return counters;
  }

  std::vector<QueueFill> QueueFills() const override {
    std::vector<QueueFill> fills(Space::kProcedures);
    for (std::uint32_t p = 0; p < Space::kProcedures; ++p) {
      fills[p] = {space_->queues.ApproximateSize(p), Space::kQueueCapacity};
    }
    return fills;
  }

 private:
  using Scope = exec::ThreadScope;
  using Loop = WorkerLoop<Scope, Program>;

  /// Stands in for the shared memory of a block.
  struct Scratch {
    alignas(64) std::byte bytes[Program::Procedures::SharedBytes() + 64];
  };

  static absl::Status StuckError() {
    return absl::InternalError("a worker waited too long inside a queue; the workers were stopped");
  }

  absl::Status ClaimSlot(std::uint32_t& slot) {
    std::unique_lock lock(mutex_);
    while (true) {
      if (stuck_) return StuckError();
      for (slot = 0; slot < Space::kMaxEvents; ++slot) {
        const auto state = Scope::Word(space_->events[slot].state);
        if (state.LoadRelaxed() != static_cast<std::uint32_t>(EventState::kFree)) continue;
        state.StoreRelaxed(static_cast<std::uint32_t>(EventState::kRunning));
        ++running_;
        work_arrived_.notify_all();
        return absl::OkStatus();
      }
      event_done_.wait_for(lock, std::chrono::milliseconds(100));
    }
  }

  absl::StatusOr<procedure::StageTimes> AwaitEvent(std::uint32_t slot,
                                                   const procedure::CancelToken& token) {
    Event<Program>& event = space_->events[slot];
    std::unique_lock lock(mutex_);
    while (Scope::Word(event.state).LoadAcquire() !=
           static_cast<std::uint32_t>(EventState::kDone)) {
      if (stuck_) return StuckError();  // the slot stays taken: a worker may still write to it
      if (token.Cancelled()) Scope::Word(event.cancel).StoreRelaxed(1);
      event_done_.wait_for(lock, std::chrono::milliseconds(1));
    }
    procedure::StageTimes times;
    static_assert(Program::kMaxStages <= procedure::StageTimes::kMaxStages);
    for (std::uint32_t s = 0; s <= Program::StageCount(event.job); ++s) {
      times.begin_ns[s] = event.begin_ns[s];
    }
    const bool cancelled = Scope::Word(event.cancel).LoadRelaxed() != 0;
    Scope::Word(event.state).StoreRelaxed(static_cast<std::uint32_t>(EventState::kFree));
    --running_;
    event_done_.notify_all();
    if (cancelled) return absl::CancelledError("cancelled while running");
    return times;
  }

  void ReportStuck() {
    std::lock_guard lock(mutex_);
    stuck_ = true;
    event_done_.notify_all();
  }

  /// Sleeps while no event runs; false when the workers must end.
  bool AwaitWork() {
    std::unique_lock lock(mutex_);
    work_arrived_.wait(lock, [this] { return stop_ || stuck_ || running_ > 0; });
    return !stop_ && !stuck_;
  }

  void WorkerMain() {
    const auto scratch = std::make_unique<Scratch>();
    Scope scope(scratch->bytes);
    Loop loop(scope, *space_);
    for (std::uint32_t idle_rounds = 0; AwaitWork();) {
      Round round = Round::kWorked;
      while (round == Round::kWorked) {
        round = loop.RunOnce();
        if (round != Round::kIdle) idle_rounds = 0;
      }
      if (round == Round::kStuck) return ReportStuck();
      if (round == Round::kIdle) Scope::Pause(idle_rounds++);
      if (round == Round::kEventDone) {
        std::lock_guard lock(mutex_);  // so that no waiter misses it between its check and its wait
        event_done_.notify_all();
      }
    }
  }

  const std::unique_ptr<Space> space_;
  std::mutex mutex_;
  std::condition_variable work_arrived_;
  std::condition_variable event_done_;
  bool stop_ = false;
  bool stuck_ = false;
  int running_ = 0;
  std::vector<std::thread> workers_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_CPU_WORKERS_H_
