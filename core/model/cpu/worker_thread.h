// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A thread of the CPU that is a worker, and a block by itself.
#ifndef WARPYARD_CORE_MODEL_CPU_WORKER_THREAD_H_
#define WARPYARD_CORE_MODEL_CPU_WORKER_THREAD_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/exec/thread_scope.h"
#include "core/model/cpu/cpu_side.h"
#include "core/model/cpu/thread_executor.h"
#include "core/model/worker/worker.h"
#include "core/model/worker/worker_counts.h"
#include "core/model/worker/workspace.h"

namespace warpyard::model {

template <class Space>
class WorkerThread {
 public:
  /// @shape index: of this one among so many `threads`
  WorkerThread(CpuSide<Space>& side, std::uint32_t index, std::uint32_t threads)
      : side_(side),
        block_(std::make_unique<Block>()),
        scope_(block_->shared),
        executor_(scope_, *side.space),
        worker_(scope_, *side.space, ResetBlock(), executor_, {index, 0, threads, 1}) {}

  /// Executes until the workers are to end.
  void Run() {
    const auto done = [this](std::uint32_t slot) {
      side_.SetState(slot, EventState::kDone);
      side_.callers.TellEnd(slot);
    };
    for (std::uint32_t idle_rounds = 0;;) {
      const Found found = worker_.Step(done);
      if (found == Found::kStuck) return ReportStuck();
      side_.ranks.Renew();  // also by idle workers: it releases what is held
      if (found == Found::kRan || found == Found::kHeld) {
        idle_rounds = 0;
        continue;
      }
      worker_.Heed(side_.space->board.ReadFree());
      if (idle_rounds == 0) worker_.Rest();
      worker_.CountBackOff();
      if (idle_rounds++ < kIdleLooks) {
        std::this_thread::yield();
      } else if (!side_.sleep.AwaitWork([this] { return side_.AnyRuns(); })) {
        return;
      } else {
        Scope::Pause(idle_rounds);
      }
    }
  }

 private:
  using Scope = exec::ThreadScope;
  using Executor = ThreadExecutor<Scope, Space>;
  /// A worker looks so often for something to do before it may sleep.
  static constexpr std::uint32_t kIdleLooks = 16;

  /// Stands in for the memory of a block.
  struct Block {
    BlockMemory<Space> memory;
    alignas(64) std::byte shared[Space::Procedures::SharedBytes(1) + 64];
  };

  BlockMemory<Space>& ResetBlock() {
    WorkerCounts<Space>::Reset(scope_, block_->memory);
    return block_->memory;
  }

  void ReportStuck() {
    side_.callers.Fail(absl::InternalError(absl::StrCat(
        "a worker waited too long (", Scope::StuckReason(), "); the workers were stopped")));
    side_.sleep.End();
  }

  CpuSide<Space>& side_;
  const std::unique_ptr<Block> block_;
  Scope scope_;
  Executor executor_;
  Worker<Scope, Space, Executor> worker_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_CPU_WORKER_THREAD_H_
