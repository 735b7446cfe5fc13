// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A worker block of the megakernel: a warp that schedules beside groups of threads that execute.
//
// The warp draws the next batch while the groups execute one. So a claim, a chain of accesses to
// memory, costs the groups nothing; batches change hands in shared memory. [Steinberger §6.4]
#ifndef WARPYARD_CORE_MODEL_WORKER_BLOCK_CUH_
#define WARPYARD_CORE_MODEL_WORKER_BLOCK_CUH_

#include <cstddef>
#include <cstdint>

#include "core/exec/block_handoff.cuh"
#include "core/exec/device_group.cuh"
#include "core/model/batch_run.cuh"
#include "core/model/block_scheduler.h"
#include "core/model/worker_loop.h"
#include "core/model/workspace.h"

namespace warpyard::model {

/// Memory that the scheduler warp and the groups share.
template <class Space>
struct WorkerBlockMemory {
  static constexpr std::uint32_t kThreads = Space::Shape::kThreads;
  BlockMemory<Space> block;
  typename exec::BlockHandoff<kThreads>::Memory handoff;
  std::uint32_t leave;  ///< not 0: no more batches
  typename BatchRun<Space>::Memory run;
};

template <class Space>
class WorkerBlock {
 public:
  using Memory = WorkerBlockMemory<Space>;
  static constexpr std::uint32_t kThreads = Space::Shape::kThreads;

  __device__ WorkerBlock(Space& space, Memory& memory)
      : space_(space), memory_(memory), handoff_(memory.handoff) {}

  /// @scope one thread, before a barrier of the whole block
  __device__ void Initialise() {
    memory_.leave = 0;
    handoff_.Initialise();
  }

  /// The groups: execute batches until told to leave. @scope all warps but the first
  /// @shape done: see BlockScheduler
  template <class Done>
  WY_INLINED __device__ void Execute(Done&& done) {
    for (std::uint32_t number = 0;; ++number) {
      handoff_.Await(number);
      if (memory_.leave != 0) return;
      BatchRun<Space>(space_, memory_.block, memory_.run, number % 2).Run(done);
      handoff_.Finish(number);
    }
  }

  /// The scheduler warp. @shape done: see BlockScheduler; launch: number of this kernel
  template <class Done>
  __device__ void Schedule(std::uint32_t launch, Done&& done) {
    exec::WarpScope warp;
    BlockScheduler<exec::WarpScope, Space> scheduler(warp, space_, memory_.block, gridDim.x - 1,
                                                     launch);
    std::uint32_t given = 0, taken_back = 0, idle_rounds = 0;
    std::uint64_t began = 0;  // start of the executing batch, in cycles
    ForgetCrossing(warp);     // of an earlier launch
    bool later = false;       // the last look found nothing beside it
    while (true) {
      const bool ahead = given != taken_back;
      std::uint32_t rest_ns = later ? kRestNs : 0;
      if (ahead && Claims(taken_back)) {
        // The groups update the estimates meanwhile: do not predict the batch's end.
        if (!OthersRun(warp, launch) || given - taken_back == 2) rest_ns = kRestNs;
      } else if (given - taken_back == 2) {
        rest_ns = kLongRestNs;
      } else if (ahead && !later) {
        const std::uint64_t cycles = warp.Broadcast(Block::Cycles()) - began;
        const std::uint64_t left =
            scheduler.CyclesUntilDue(memory_.block.batches[taken_back % 2], cycles);
        rest_ns = left < kLongRestNs ? static_cast<std::uint32_t>(left) / 2 : kLongRestNs / 2;
      }
      const bool rests = rest_ns != 0;
      if (ahead && handoff_.IsFinished(taken_back, rest_ns)) {
        const std::uint32_t i = taken_back++ % 2;
        began = warp.Broadcast(Block::Cycles());
        const Found kept =
            scheduler.Complete(memory_.block.batches[i], memory_.block.spawns[i], done);
        if (memory_.block.batches[i].claims != 0) ForgetCrossing(warp);
        if (kept == Found::kStuck) break;
        if (given != taken_back) scheduler.StayWith(memory_.block.batches[taken_back % 2], done);
        later = false;
        continue;
      }
      if (rests) {
        later = false;
        continue;
      }
      const std::uint32_t arrivals = idle_rounds == 0 ? 0 : space_.buckets.Arrivals();
      const Found found = scheduler.Next(memory_.block.batches[given % 2], ahead, done);
      if (found == Found::kPark || found == Found::kStuck) break;
      later = found == Found::kLater;
      if (found == Found::kBatch) {
        scheduler.SetIdle(false);
        idle_rounds = 0;
        if (!ahead) began = warp.Broadcast(Block::Cycles());
        Give(warp, given++, scheduler.Draws());
      } else if (found == Found::kNothing) {
        if (idle_rounds++ == 0) Beat(warp, scheduler.Draws(), BlockActivity::kIdle, 0);
        scheduler.SetIdle(true);
        scheduler.CountBackOff();
        if (idle_rounds > kEagerLooks) AwaitArrival(warp, arrivals, launch);
      }
    }
    ReportStuck(warp, launch);
    for (; taken_back != given; ++taken_back) {  // when stuck: the groups finish their batches
      while (!handoff_.IsFinished(taken_back, kRestNs)) continue;
    }
    Beat(warp, scheduler.Draws(), BlockActivity::kAbsent, 0);
    if (warp.Rank() == 0) memory_.leave = 1;
    handoff_.Give(given);
  }

 private:
  using Block = exec::DeviceScope;

  /// Reports that no executing batch has crossed to another stage.
  __device__ void ForgetCrossing(exec::WarpScope& warp) {
    if (warp.Rank() != 0 || blockIdx.x >= Space::kMostBlocks) return;
    Block::Word(space_.crossings[blockIdx.x]).StoreRelaxed(0);
  }

  /// Whether the groups of a batch claim more of its stage by themselves.
  __device__ bool Claims(std::uint32_t number) const {
    return memory_.block.batches[number % 2].claims != 0;
  }

  /// Whether there may be something to draw beside a batch whose groups claim more of its stage;
  /// the groups then stop. It looks at two words only, so that it can run often.
  __device__ bool OthersRun(exec::WarpScope& warp, std::uint32_t launch) {
    bool others = false;
    if (warp.Rank() == 0) {
      others = Block::Word(space_.running_events).LoadRelaxed() > 1 ||
               Block::Word(space_.park_launch).LoadRelaxed() == launch;
      if (others) Block::BlockWord(memory_.block.others_run).StoreRelaxed(1);
    }
    return warp.Broadcast(others);
  }

  __device__ void Give(exec::WarpScope& warp, std::uint32_t number, std::uint32_t draws) {
    const BatchOf<Space>& batch = memory_.block.batches[number % 2];
    Beat(warp, draws, BlockActivity::kExecuting, batch.procedure << 8 | batch.event << 16);
    handoff_.Give(number);
  }

  /// Waits for an arrival, or for some time. A few blocks react fast and most rest: hundreds of
  /// blocks that read one word slow down the blocks that work with its neighbours.
  __device__ void AwaitArrival(exec::WarpScope& warp, std::uint32_t arrivals,
                               std::uint32_t launch) {
    if (blockIdx.x % kSentinelStride == 1) return;  // looks again at once
    if (warp.Rank() == 0) {
      for (std::uint32_t look = 0; look < kIdleLooks; ++look) {
        __nanosleep(1500);
        if (space_.buckets.Arrivals() != arrivals ||
            Block::Word(space_.park_launch).LoadRelaxed() == launch) {
          break;
        }
      }
    }
    warp.Barrier();
  }
  static constexpr std::uint32_t kRestNs = 2'000;
  static constexpr std::uint32_t kLongRestNs = 50'000;  // the end of a batch wakes the warp anyway
  static constexpr std::uint32_t kEagerLooks = 4;
  static constexpr std::uint32_t kIdleLooks = 8;
  static constexpr std::uint32_t kSentinelStride = 16;

  /// Reports the block's activity to the host's watchdog.
  __device__ void Beat(exec::WarpScope& warp, std::uint32_t draws, BlockActivity activity,
                       std::uint32_t what) {
    if (warp.Rank() != 0 || blockIdx.x >= Space::kMostBlocks) return;
    Block::StoreSlot(space_.heartbeats[blockIdx.x],
                     {draws + 1, {static_cast<std::uint32_t>(activity) | what, 0, 0}});
  }

  /// If a wait ran out in this block: reports which, and tells all other blocks to leave.
  __device__ void ReportStuck(exec::WarpScope& warp, std::uint32_t launch) {
    if (warp.Rank() != 0) return;
    if (Block::Word(space_.park_launch).LoadRelaxed() == launch) return;  // told to leave
    std::uint32_t none = 0;
    if (!Block::Word(space_.stuck).CompareExchangeRelaxed(none, 1)) return;
    const char* reason = Block::StuckReason();
    std::uint32_t i = 0;
    WY_ROLLED
    for (; reason[i] != '\0' && i + 1 < sizeof space_.stuck_wait; ++i) {
      space_.stuck_wait[i] = reason[i];
    }
    space_.stuck_wait[i] = '\0';
    Block::OrderBeforePut();
    Block::Word(space_.park_launch).StoreRelaxed(launch);
  }

  Space& space_;
  Memory& memory_;
  exec::BlockHandoff<kThreads> handoff_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_BLOCK_CUH_
