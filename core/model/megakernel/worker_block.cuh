// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A block of workers of the megakernel: every warp is one. [Steinberger §6.4]
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_WORKER_BLOCK_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_WORKER_BLOCK_CUH_

#include <cstdint>

#include "core/exec/device_group.cuh"
#include "core/model/megakernel/warp_executor.cuh"
#include "core/model/worker/worker.h"
#include "core/model/worker/workspace.h"

namespace warpyard::model {

/// One waiting warp of a block watches the memory of the device for the others, so that thousands
/// of warps do not read one word. @shape in shared memory
struct BlockWatch {
  std::uint32_t watched;  ///< not 0: a warp watches
  std::uint32_t woken;    ///< how often there was something for all warps
  std::uint32_t event;    ///< what it was the last time: an event with an open stage, or kNoEvent
  StageHint stage;        ///< that stage
  std::uint32_t given;    ///< a bit for each warp that was given something
};

/// @shape in the shared memory of a block
template <class Space>
struct WorkerBlockMemory {
  BlockMemory<Space> block;
  ExecutorMemory<Space> executor;
  BlockWatch watch;
};

template <class Space>
class WorkerBlock {
 public:
  using Memory = WorkerBlockMemory<Space>;

  __device__ WorkerBlock(Space& space, Memory& memory) : space_(space), memory_(memory) {}

  /// @scope the block, before a barrier of it
  __device__ void Initialise() {
    if (threadIdx.x >= 32) return;
    exec::WarpScope warp;
    WorkerCounts<Space>::Reset(warp, memory_.block);
    if (threadIdx.x != 0) return;
    memory_.executor.posted = {};
    for (TeamWarp& team : memory_.executor.warps) team = {};
    memory_.watch = {};
  }

  /// Executes until told to leave. @scope each warp @shape done: see Worker::Step; launch: number
  /// of
  ///     this kernel
  template <class Done>
  WY_INLINED __device__ void Work(std::uint32_t launch, Done&& done) {
    exec::WarpScope warp;
    // One lane's number, so that the compiler knows that it is the same in all lanes.
    const std::uint32_t own = warp.Broadcast(threadIdx.x / 32);
    WarpExecutor<Space> executor(space_, memory_.block, memory_.executor, own);
    OneWorker worker(warp, space_, memory_.block, executor,
                     {(blockIdx.x - 1) * kWarps + own, own, (gridDim.x - 1) * kWarps, launch});
    while (true) {
      const Found found = worker.Step(done);
      if (found == Found::kRan || found == Found::kHeld) continue;
      if (found != Found::kNothing) {
        executor.Dissolve();
        if (found == Found::kStuck) ReportStuck(warp, launch);
        CloseTeams(executor);
        return worker.End();
      }
      worker.CountBackOff();
      executor.Rest();
      const std::uint32_t rounds = executor.StaysForTeam() ? kTeamRounds : kRounds;
      if (!AwaitNews(warp, worker, executor.Members(), rounds)) worker.Rest();
    }
  }

 private:
  using Scope = exec::DeviceScope;
  static constexpr std::uint32_t kWarps = Space::Shape::kBlockWorkers;
  using Claims = StageClaims<Space>;
  using OneWorker = Worker<exec::WarpScope, Space, WarpExecutor<Space>>;

  /// Before the warp ends: a team that gathers may wait for it. Then it joins that one first.
  __device__ static void CloseTeams(WarpExecutor<Space>& executor) {
    for (std::uint32_t tries = 0; tries < kCloseTries && !executor.Close(); ++tries) {
      if (executor.IsWanted(false)) {
        executor.Join(false);
      } else {
        __nanosleep(kMostRestNs);
      }
    }
  }
  static constexpr std::uint32_t kCloseTries = 1u << 22;  // some seconds

  /// Waits until there may be something to do, or for some time; then returns false. One warp of
  /// the block watches the board and the inboxes for all; when it goes, another one watches. The
  /// others wait for the bell of the block. @shape members: see WarpExecutor::Members;
  ///     most_rounds: how often it rests
  __device__ bool AwaitNews(exec::WarpScope& warp, OneWorker& worker, std::uint32_t members,
                            std::uint32_t most_rounds) {
    BlockWatch& watch = memory_.watch;
    const auto bell = Scope::BlockWord(memory_.block.bell);
    const std::uint32_t woken = warp.Broadcast(Scope::BlockWord(watch.woken).LoadAcquire());
    bool watches = false, has = false;
    for (std::uint32_t round = 0; round < most_rounds && !has;) {
      const std::uint32_t rung = warp.Broadcast(bell.LoadAcquire());
      const bool of_block = worker.HasNewsOfBlock();
      const bool given = (Scope::BlockWord(watch.given).LoadRelaxed() & members) != 0;
      has = warp.Any(of_block || given || Scope::BlockWord(watch.woken).LoadAcquire() != woken);
      if (has) {
        // The watcher may write these meanwhile, so the lanes take what one of them reads.
        if (!warp.Any(of_block || given)) {
          worker.Expect(warp.Broadcast(Scope::BlockWord(watch.event).LoadRelaxed()),
                        warp.Broadcast(watch.stage));
        }
        break;
      }
      if (!watches) {
        if (warp.Rank() == 0 && Scope::BlockWord(watch.watched).LoadRelaxed() == 0) {
          watches = Scope::BlockWord(watch.watched).ExchangeAcqRel(1) == 0;
        }
        watches = warp.Any(watches);
      }
      // Soon news come oftener than late, and a warp that rests leaves its multiprocessor to those
      // that still execute the last elements of a stage.
      std::uint32_t rest_ns = kLeastRestNs;
      do {
        if (watches) {
          has = Watch(warp, worker, members);
          if (has) break;
        }
        const std::uint32_t most_ns = watches ? kMostWatchNs : kMostRestNs;
        __nanosleep(rest_ns < most_ns ? rest_ns : most_ns);
        if (++round % kRoundsOfRest == 0) rest_ns *= 2;
      } while (round < most_rounds && warp.Any(bell.LoadRelaxed() == rung));
    }
    if (warp.Any((Scope::BlockWord(watch.given).LoadRelaxed() & members) != 0)) {
      if (warp.Rank() == 0) Scope::BlockWord(watch.given).FetchAndRelaxed(~members);
      worker.HeedGift();
    }
    if (watches && warp.Rank() == 0) {
      Scope::BlockWord(watch.watched).StoreRelease(0);
      bell.FetchAddRelaxed(1);  // another one is to watch
    }
    return has;
  }
  static constexpr std::uint32_t kRounds = 512;
  static constexpr std::uint32_t kTeamRounds = 100;  // some 20 us, while it stays for its team
  static constexpr std::uint32_t kRoundsOfRest = 16;
  static constexpr std::uint32_t kLeastRestNs = 20;
  static constexpr std::uint32_t kMostRestNs = 640;
  static constexpr std::uint32_t kMostWatchNs = 160;

  /// Reads what others tell the block, and wakes those of its warps that it is for. Returns whether
  /// there is something for this warp.
  __device__ bool Watch(exec::WarpScope& warp, OneWorker& worker, std::uint32_t members) {
    const BoardNews read = space_.board.ReadFree();  // one address: under way with the inboxes
    bool given = false;
    if (warp.Rank() < kWarps) {
      given = space_.hand_over.Given((blockIdx.x - 1) * kWarps + warp.Rank()) != 0;
    }
    const std::uint32_t inboxes = warp.Ballot(given);
    const BoardNews news = warp.Broadcast(read);
    // Each warp draws of queues for itself, and of stages of uneven elements where events
    // share the device.
    const std::uint32_t event = news.OnlyOpen();
    const StageHint stage = news.HintOf(event);
    const bool for_all = news.Levels() != 0 || news.Queued() != 0 ||
                         (worker.Shares() && event != kNoEvent && stage.elements > gridDim.x &&
                          Claims::Spreads(memory_.block, stage.procedure));
    if ((inboxes != 0 || for_all) && warp.Rank() == 0) {
      const auto told = Scope::BlockWord(memory_.watch.given);
      const bool is_new =
          inboxes != 0 && (inboxes & ~told.FetchOrRelaxed(inboxes)) != 0;  // a warp may be busy
      if (for_all) {
        memory_.watch.event = event;
        memory_.watch.stage = stage;
        Scope::BlockWord(memory_.watch.woken).FetchAddRelease(1);
      }
      if (is_new || for_all) Scope::BlockWord(memory_.block.bell).FetchAddRelease(1);
    }
    return warp.Any(worker.Heed(news)) || (inboxes & members) != 0;
  }

  /// A wait ran out in this block: reports which, and tells all workers to leave.
  __device__ void ReportStuck(exec::WarpScope& warp, std::uint32_t launch) {
    if (warp.Rank() != 0) return;
    if (space_.board.IsLeaving(launch)) return;  // told to leave
    TellStuck(space_, launch, Scope::StuckReason());
  }

  Space& space_;
  Memory& memory_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_WORKER_BLOCK_CUH_
