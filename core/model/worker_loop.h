// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The loop of a worker whose scheduler and whose groups are the same thread: a CPU worker.
//
// The megakernel runs the same scheduler in a warp of its own beside the groups that execute
// (versatile_megakernel.cuh).
#ifndef WARPYARD_CORE_MODEL_WORKER_LOOP_H_
#define WARPYARD_CORE_MODEL_WORKER_LOOP_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/model/block_scheduler.h"
#include "core/model/workspace.h"
#include "core/procedure/procedure_concept.h"

namespace warpyard::model {

/// The context of an element that a group executes.
template <class Group, class Space>
WY_HD procedure::Context<Group, typename Space::Program::Job> MakeContext(
    Group& group, Space& space, procedure::SpawnBuffer& spawns, std::uint32_t head) {
  auto& event = space.events[procedure::EventOf(head)];
  return {group, event.job, &event.cancel, &spawns, head, 0, &event.error};
}

/// @scope one thread
template <exec::LaneScope Scope, class Space>
class WorkerLoop {
 public:
  /// @shape workers, launch: see BlockScheduler
  WorkerLoop(Scope& scope, Space& space, BlockMemory<Space>& memory, std::uint32_t workers,
             std::uint32_t launch = 1)
      : scope_(scope),
        space_(space),
        memory_(memory),
        scheduler_(scope, space, memory, workers, launch) {}

  /// Draws one batch, executes it and accounts for it. @shape done: called with each event that is
  ///     done
  template <class Done>
  Found RunOnce(Done&& done) {
    BatchOf<Space>& batch = memory_.batches[0];
    const Found found = scheduler_.Next(batch, false, done);
    if (found != Found::kBatch) return found;
    scheduler_.SetIdle(false);
    Execute(batch);
    const Found completed = scheduler_.Complete(batch, memory_.spawns[0], done);
    return completed == Found::kStuck ? completed : Found::kBatch;
  }

  /// Reports that there was nothing to do, so that other workers give some elements away.
  void SetIdle() {
    scheduler_.SetIdle(true);
    scheduler_.CountBackOff();
  }

 private:
  void Execute(BatchOf<Space>& batch) {
    const std::uint64_t begin = Scope::Cycles();
    for (std::uint32_t i = 0; i < batch.count; ++i) ExecuteOne(batch.elements[i]);
    batch.first_rounds = batch.count;
    batch.cycles = batch.first_cycles = Scope::Cycles() - begin;
    if (!batch.GoesOn() || memory_.spawns[0].count == 0) return;
    GoOn(batch, begin);
    batch.cycles = Scope::Cycles() - begin;
  }

  void ExecuteOne(const procedure::Element& element) {
    auto context = MakeContext(scope_, space_, memory_.spawns[0], element.head);
    Space::Procedures::Execute(element.Procedure(), context, element.payload);
  }

  /// Executes the spawns of the batch, newest first, as long as there is time and room.
  void GoOn(BatchOf<Space>& batch, std::uint64_t begin) {
    procedure::SpawnBuffer& spawns = memory_.spawns[0];
    while (spawns.count != 0) {
      if (spawns.count > 1 && Scope::Word(space_.idle_blocks).LoadRelaxed() != 0) return;
      if (Scope::Cycles() - begin > batch.cycles_to_go) return;
      const procedure::Element element = spawns.elements[spawns.count - 1];
      const std::uint32_t more = memory_.procedures[element.Procedure()].max_spawns;
      if (spawns.count - 1 + more > batch.reserved) return;
      if (element.Bucket() != element.Event()) return;  // another bucket may rank before
      --spawns.count;
      ExecuteOne(element);
      ++batch.executed[element.Procedure()];
    }
  }

  Scope& scope_;
  Space& space_;
  BlockMemory<Space>& memory_;
  BlockScheduler<Scope, Space> scheduler_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_LOOP_H_
