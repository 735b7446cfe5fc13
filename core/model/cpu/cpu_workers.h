// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Execution model of the CPU: threads that run the worker loop, one block each.
#ifndef WARPYARD_CORE_MODEL_CPU_CPU_WORKERS_H_
#define WARPYARD_CORE_MODEL_CPU_CPU_WORKERS_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/macros.h"
#include "core/exec/thread_scope.h"
#include "core/model/cpu/cpu_side.h"
#include "core/model/cpu/space_counters.h"
#include "core/model/cpu/worker_thread.h"
#include "core/model/event/event_end.h"
#include "core/model/execution_model.h"
#include "core/model/worker/workspace.h"

namespace warpyard::model {

struct CpuShape {
  static constexpr std::uint32_t kLanes = 1;
  static constexpr std::uint32_t kBlockWorkers = 1;
  static constexpr std::uint32_t kWorkers = 256;
  static constexpr std::uint32_t kStackElements = 512;
  static constexpr std::uint32_t kReserveElements = 4096;
  static constexpr std::uint32_t kPages = 2048;
  static constexpr std::uint32_t kNewestCycles = 5'000;
};

/// Threads live as long as the object; they sleep while no event runs. Thread-safe.
template <class Program>
class CpuWorkers final : public ExecutionModel<Program> {
 public:
  using Job = typename Program::Job;
  using Space = Workspace<exec::ThreadScope, Program, CpuShape>;

  /// @shape threads: at least 1; no more than CpuShape::kWorkers are started
  explicit CpuWorkers(int threads, const policy::PolicyOptions& policy = {}) : side_(policy) {
    const std::uint32_t count = std::min(static_cast<std::uint32_t>(threads), CpuShape::kWorkers);
    for (std::uint32_t i = 0; i < count; ++i) {
      workers_.emplace_back([this, i, count] { WorkerThread<Space>(side_, i, count).Run(); });
    }
  }

  ~CpuWorkers() override {
    side_.sleep.End();
    for (std::thread& worker : workers_) worker.join();
  }

  absl::StatusOr<procedure::StageTimes> Run(const Job& job,
                                            const policy::EventAttributes& attributes,
                                            const procedure::CancelToken& token) override {
    WY_ASSIGN_OR_RETURN(const auto taken, StartIn(job, attributes, nullptr));
    const std::uint32_t slot = *taken;
    const auto pass_on_cancel = [&] {
      if (token.Cancelled()) Cancel(slot);
    };
    const auto is_done = [&] { return side_.IsDone(slot); };
    const bool has_deadline = attributes.deadline_ns != policy::kNoDeadline;
    WY_RETURN_IF_ERROR(side_.callers.AwaitEnd(slot, has_deadline, is_done, pass_on_cancel));
    return End(slot);
  }

  absl::StatusOr<std::unique_ptr<StartedEvent>> Start(const Job& job,
                                                      const policy::EventAttributes& attributes,
                                                      Bell& bell) override {
    auto started = std::make_unique<Started>(*this);  // an event that runs needs it
    WY_ASSIGN_OR_RETURN(const auto slot, StartIn(job, attributes, &bell));
    if (!slot) return nullptr;
    started->slot = *slot;
    return started;
  }
  bool RingsBells() const override { return true; }

  std::uint32_t Workers() const override { return static_cast<std::uint32_t>(workers_.size()); }

  ModelStatistics Statistics() const override {
    ModelStatistics statistics = ReadCounters(*side_.space);
    statistics.tenant_ns = side_.ranks.TenantNs();
    statistics.workers = workers_.size();
    statistics.running_events = side_.callers.Running();
    statistics.launches = 1;
    statistics.resident = true;
    return statistics;
  }

  absl::Status Health() const override { return side_.callers.Failure(); }

  absl::Status RunQuietly(const std::function<absl::Status()>& work) override { return work(); }

 private:
  using Scope = exec::ThreadScope;

  class Started final : public StartedEvent {
   public:
    explicit Started(CpuWorkers& workers) : workers_(workers) {}

    std::optional<absl::StatusOr<procedure::StageTimes>> TakeEnd() override {
      if (workers_.side_.IsDone(slot)) return workers_.End(slot);
      // The slot stays taken then, since a worker may still write to its memory.
      const absl::Status failure = workers_.side_.callers.Failure();
      return failure.ok() ? std::nullopt
                          : std::optional(absl::StatusOr<procedure::StageTimes>(failure));
    }
    void Cancel() override { workers_.Cancel(slot); }

    std::uint32_t slot = 0;

   private:
    CpuWorkers& workers_;
  };

  /// Starts an event in a free slot, and returns the slot. @shape bell: see EventCallers::TakeSlot
  absl::StatusOr<std::optional<std::uint32_t>> StartIn(const Job& job,
                                                       const policy::EventAttributes& attributes,
                                                       Bell* bell) {
    WY_ASSIGN_OR_RETURN(const auto slot, side_.callers.TakeSlot(bell, SetRunning()));
    if (!slot) return slot;
    side_.ranks.Apply([&] { Begin(*slot, job, attributes); });
    side_.sleep.Wake();
    return slot;
  }

  void Cancel(std::uint32_t slot) { Scope::Word(side_.space->events[slot].cancel).StoreRelaxed(1); }

  /// Reads how an event ended that is done, and frees its slot.
  absl::StatusOr<procedure::StageTimes> End(std::uint32_t slot) {
    auto& event = side_.space->events[slot];
    absl::StatusOr<procedure::StageTimes> result =
        ReadEnd<Program>(event.job, event.begin_ns, Scope::Word(event.cancel).LoadRelaxed(),
                         Scope::Word(event.error).LoadRelaxed());
    side_.ranks.Exclude([&] { side_.SetState(slot, EventState::kFree); });
    side_.callers.FreeSlot(slot, SetRunning());
    return result;
  }

  auto SetRunning() {
    return [this](std::uint32_t events) { side_.SetRunning(events); };
  }

  void Begin(std::uint32_t slot, const Job& job, const policy::EventAttributes& attributes) {
    Space& space = *side_.space;
    space.events[slot].job = job;
    space.events[slot].view = ViewOf(attributes, Scope::NowNs());
    Scope::Word(space.events[slot].cancel).StoreRelaxed(0);
    if (space.events.Start(slot, space.board).done) side_.SetState(slot, EventState::kDone);
  }

  CpuSide<Space> side_;
  std::vector<std::thread> workers_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_CPU_CPU_WORKERS_H_
