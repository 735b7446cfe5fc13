// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The device code of kernels with queues: a kernel for each procedure, and one that ends a round
// and reports to the host what to launch next. [Steinberger §6.2]
//
// A round reads one buffer of every procedure's queue and spawns into the other, so that each
// collector queue is either only filled or only emptied. Elements are executed in place in the
// queue (variant A of [Steinberger §6.5]).
#ifndef WARPYARD_BENCHMARKS_KERNELS_WITH_QUEUES_KERNEL_ROUND_CUH_
#define WARPYARD_BENCHMARKS_KERNELS_WITH_QUEUES_KERNEL_ROUND_CUH_

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/exec/bits.h"
#include "core/exec/device_group.cuh"
#include "core/exec/lane_sets.h"
#include "core/message/host_ring.h"
#include "core/model/event/event_table.h"
#include "core/procedure/element.h"
#include "core/procedure/procedure_concept.h"
#include "core/queue/collector_queue.h"

namespace warpyard::bench {

template <class Program>
using DeviceEvent = model::Event<exec::DeviceScope, Program>;

/// The queued data: the queue implies the procedure, and there is only one event.
struct alignas(8) QueuedItem {
  std::uint32_t words[2];
};

/// The queues of all procedures. @shape procedures that are not spawned have no room
template <class Program>
struct KernelQueues {
  static constexpr std::uint32_t kCount = Program::Procedures::kCount;
  using Scope = exec::DeviceScope;
  using Queue = queue::CollectorQueue<Scope, QueuedItem>;

  struct alignas(Scope::kContendedBytes) Ends {
    std::uint64_t pushed;
    std::uint64_t taken;
  };
  /// Counts of a procedure in this event.
  struct alignas(128) Tally {
    std::uint64_t spawned;  ///< elements that it made
    std::uint64_t dropped;  ///< elements launched after the event had ended
  };

  Queue queues[2][kCount];
  Ends ends[2][kCount];
  Tally tallies[kCount];
};

/// From the device, when a round is over.
template <class Program>
struct RoundReport {
  static constexpr std::uint32_t kCount = Program::Procedures::kCount;
  std::uint32_t done;  ///< not 0: the event has no more stages
  std::uint32_t error;
  procedure::StagePlan plan;  ///< of the stage that begins now; count 0: none does
  std::uint64_t begin_ns[Program::kMaxStages + 1];
  std::uint64_t wanted[kCount];  ///< pushed elements, even without room
  std::uint64_t spawned[kCount];
  std::uint64_t dropped[kCount];
};

/// A round for one procedure. @shape plan.count: not 0: indices of a stage, else elements of the
///     queue; buffer: the one that is read
template <class Program>
struct KernelArguments {
  DeviceEvent<Program>* event;
  KernelQueues<Program>* queues;
  std::uint32_t buffer;
  std::uint32_t elements;
  procedure::StagePlan plan;
};

/// The shape of a procedure with a kernel of its own: threads and registers as it likes.
template <class P>
struct KernelShape {
  static constexpr std::uint32_t kDeclared = procedure::ThreadsOf<P>();
  /// The megakernel's number of workers, so that both do the same work for an element.
  static constexpr std::uint32_t kPackageThreads = 128;
  static constexpr std::uint32_t kSize =
      kDeclared == procedure::kWholeBlock ? kPackageThreads : kDeclared;
  static constexpr std::uint32_t kMaxSpawns = procedure::MaxSpawnsOf<P>();
  static constexpr std::size_t kGroupBytes = (P::kSharedBytes + 15) / 16 * 16;
  static constexpr std::uint32_t kSets = kSize <= 32 ? 32 / kSize : 1;  // in a warp

  /// As many warps as still let eight blocks share a multiprocessor, eight at most.
  static constexpr std::uint32_t Warps() {
    constexpr std::size_t kEach = kSets * (kGroupBytes + sizeof(procedure::SpawnBuffer) +
                                           kMaxSpawns * sizeof(procedure::Element));
    constexpr std::size_t kFit = std::size_t{24} * 1024 / kEach;
    return kFit >= 8 ? 8 : kFit < 1 ? 1 : static_cast<std::uint32_t>(kFit);
  }

  /// Items and sets share a block; a package has one for itself. [Steinberger §6.2]
  static constexpr std::uint32_t kThreads = kSize <= 32 ? Warps() * 32 : kSize;
  static constexpr std::uint32_t kGroups = kSize <= 32 ? Warps() * kSets : 1;
  static_assert(kThreads % 32 == 0 && kThreads <= 1024);
};

/// Spawns of the groups of a block. A buffer for each group: all threads would contend for one
/// word.
template <std::uint32_t kGroups, std::uint32_t kMaxSpawns, std::uint32_t kProcedures>
struct SpawnMemory {
  procedure::SpawnBuffer buffers[kGroups];
  procedure::Element elements[kGroups * kMaxSpawns];
  std::uint32_t counts[kProcedures];  ///< by the procedure that is to execute them
  std::uint64_t first[kProcedures];   ///< index in its queue
};
struct NoSpawnMemory {};

/// @shape in dynamic shared memory
template <class Program, class P>
struct KernelMemory {
  using Shape = KernelShape<P>;
  using Spawns =
      std::conditional_t<Shape::kMaxSpawns == 0, NoSpawnMemory,
                         SpawnMemory<Shape::kGroups, Shape::kMaxSpawns == 0 ? 1 : Shape::kMaxSpawns,
                                     Program::Procedures::kCount>>;
  Spawns spawns;
  std::uint64_t mailbox[2];
  std::uint32_t dropped;
  alignas(16) std::byte shared[Shape::kGroups * Shape::kGroupBytes + 16];
};

/// A block that executes elements of P, one a group.
template <class Program, class P>
class ProcedureBlock {
 public:
  using Memory = KernelMemory<Program, P>;
  using Shape = KernelShape<P>;

  __device__ ProcedureBlock(const KernelArguments<Program>& arguments, Memory& memory)
      : arguments_(arguments), memory_(memory) {}

  /// @scope the block
  __device__ void Run() {
    Prepare();
    __syncthreads();
    if (memory_.dropped != 0) return;
    std::uint32_t index, rank;
    if constexpr (Shape::kSize <= 32) {
      const std::uint32_t lane = threadIdx.x % 32;
      index = threadIdx.x / 32 * Shape::kSets + lane / Shape::kSize;
      rank = lane % Shape::kSize;
      if (lane / Shape::kSize < Shape::kSets) Execute(index, rank);
    } else {
      Execute(0, threadIdx.x);
    }
    if constexpr (Shape::kMaxSpawns != 0) AppendSpawned();
  }

 private:
  using Scope = exec::DeviceScope;
  using Queues = KernelQueues<Program>;
  static constexpr std::uint32_t kId = Program::Procedures::template IndexOf<P>();
  static constexpr std::uint32_t kNone = 0xffffffffu;

  /// Looks once for the whole block whether the event goes on, so that all its threads agree.
  __device__ void Prepare() {
    if constexpr (Shape::kMaxSpawns != 0) {
      auto& spawns = memory_.spawns;
      for (std::uint32_t g = threadIdx.x; g < Shape::kGroups; g += Shape::kThreads) {
        spawns.buffers[g] = {0, spawns.elements + g * Shape::kMaxSpawns};
      }
      for (std::uint32_t p = threadIdx.x; p < Queues::kCount; p += Shape::kThreads) {
        spawns.counts[p] = 0;
      }
    }
    if (threadIdx.x != 0) return;
    DeviceEvent<Program>& event = *arguments_.event;
    memory_.dropped =
        Scope::Word(event.cancel).LoadRelaxed() | Scope::Word(event.error).LoadRelaxed();
    if (memory_.dropped == 0) return;
    const std::uint32_t left = arguments_.elements - blockIdx.x * Shape::kGroups;
    Scope::Word(arguments_.queues->tallies[kId].dropped)
        .FetchAddRelaxed(left < Shape::kGroups ? left : Shape::kGroups);
  }

  /// @scope a group
  __device__ void Execute(std::uint32_t index, std::uint32_t rank) {
    const std::uint32_t i = blockIdx.x * Shape::kGroups + index;
    if (i >= arguments_.elements) return;
    exec::DeviceGroup<Shape::kSize> group(memory_.shared + index * Shape::kGroupBytes,
                                          memory_.mailbox, rank, 1);
    procedure::SpawnBuffer* buffer = nullptr;
    if constexpr (Shape::kMaxSpawns != 0) buffer = &memory_.spawns.buffers[index];
    DeviceEvent<Program>& event = *arguments_.event;
    procedure::Context<exec::DeviceGroup<Shape::kSize>, typename Program::Job> context{
        group, event.job, &event.cancel, buffer, procedure::MakeHead(0, kId, 0), 0, &event.error};
    const QueuedItem item = Item(i);
    Program::Procedures::template ExecuteOne<P>(context, item.words);
  }

  __device__ QueuedItem Item(std::uint32_t i) const {
    if constexpr (std::is_same_v<typename P::Item, procedure::Range>) {
      const procedure::StagePlan& plan = arguments_.plan;
      if (plan.count != 0) {
        const std::uint32_t begin = i * plan.grain, left = plan.count - begin;
        return {{begin, begin + (left < plan.grain ? left : plan.grain)}};
      }
    }
    return arguments_.queues->queues[arguments_.buffer][kId].Get(i);
  }

  /// Appends the spawns to the queues, with one atomic for each procedure. @scope the block
  __device__ void AppendSpawned() {
    constexpr std::uint32_t kSlots = Shape::kGroups * Shape::kMaxSpawns;
    constexpr std::uint32_t kRounds = (kSlots + Shape::kThreads - 1) / Shape::kThreads;
    auto& spawns = memory_.spawns;
    __syncthreads();
    std::uint32_t places[kRounds];
    bool any = false;
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      const std::uint32_t procedure = SpawnedIn(round * Shape::kThreads + threadIdx.x);
      any = any || procedure != kNone;
      places[round] = CountIn(procedure);
    }
    if (__syncthreads_or(any) == 0) return;
    auto& queues = arguments_.queues->queues[1 - arguments_.buffer];
    for (std::uint32_t p = threadIdx.x; p < Queues::kCount; p += Shape::kThreads) {
      if (spawns.counts[p] == 0) continue;
      spawns.first[p] = queues[p].Reserve(spawns.counts[p]);
      Scope::Word(arguments_.queues->tallies[kId].spawned).FetchAddRelaxed(spawns.counts[p]);
    }
    __syncthreads();
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      const std::uint32_t slot = round * Shape::kThreads + threadIdx.x;
      const std::uint32_t procedure = SpawnedIn(slot);
      if (procedure == kNone) continue;
      const auto& payload = spawns.elements[slot].payload;
      // The queue counts elements that find no room: the round's end reports them to the host.
      static_cast<void>(
          queues[procedure].Put(spawns.first[procedure] + places[round], {payload[0], payload[1]}));
    }
  }

  /// The procedure of the element at a place of the buffers; kNone: there is none.
  __device__ std::uint32_t SpawnedIn(std::uint32_t slot) const {
    const auto& spawns = memory_.spawns;
    const std::uint32_t group = slot / Shape::kMaxSpawns;
    if (group >= Shape::kGroups) return kNone;
    if (slot % Shape::kMaxSpawns >= spawns.buffers[group].count) return kNone;
    return spawns.elements[slot].Procedure();
  }

  /// Counts an element for its procedure; returns its place among those of the block. Lanes with
  /// the same procedure count together. @scope the warp
  __device__ std::uint32_t CountIn(std::uint32_t procedure) {
    exec::WarpScope warp;
    std::uint32_t place = 0;
    const auto count = [&](std::uint32_t served, std::uint32_t peers) {
      const std::uint32_t leader = exec::LowestBit(peers);
      std::uint32_t first = 0;
      if (warp.Rank() == leader) {
        first =
            Scope::BlockWord(memory_.spawns.counts[served]).FetchAddRelaxed(exec::CountBits(peers));
      }
      first = warp.BroadcastFrom(first, leader);
      if (procedure == served) place = first + exec::PlaceAmong(peers, warp.Rank());
    };
    exec::ForEachPeerSet(warp, procedure != kNone, procedure, count);
    return place;
  }

  const KernelArguments<Program>& arguments_;
  Memory& memory_;
};

template <class Program, class P>
__global__ void __launch_bounds__(KernelShape<P>::kThreads)
    ExecuteProcedureKernel(const __grid_constant__ KernelArguments<Program> arguments) {
  extern __shared__ __align__(16) std::byte shared[];
  ProcedureBlock<Program, P>(arguments, *reinterpret_cast<KernelMemory<Program, P>*>(shared)).Run();
}

/// The arguments of the end of a round. @shape buffer: the one that was read, or 0; turn: of the
/// message
template <class Program>
struct RoundArguments {
  DeviceEvent<Program>* event;
  KernelQueues<Program>* queues;
  message::SlottedMessage<RoundReport<Program>>* message;
  std::uint32_t buffer;
  std::uint32_t turn;
};

/// Ends a round, and a stage that has no more elements. @scope a warp that is the only one to run
template <class Program>
class RoundEnd {
 public:
  using Report = RoundReport<Program>;

  __device__ RoundEnd(const RoundArguments<Program>& arguments, Report& report)
      : arguments_(arguments), report_(report) {}

  /// Begins an event with its first stage.
  __device__ void Start(const typename Program::Job& job) {
    DeviceEvent<Program>& event = *arguments_.event;
    for (std::uint32_t p = warp_.Rank(); p < kCount; p += 32) {
      arguments_.queues->queues[1 - arguments_.buffer][p].Reset();
      arguments_.queues->tallies[p] = {0, 0};
    }
    if (warp_.Rank() == 0) {
      event.job = job;
      event.cancel = event.error = event.stage = 0;
    }
    warp_.Barrier();
    Run(0);
  }

  __device__ void Finish() { Run(arguments_.event->stage + 1); }

 private:
  using Scope = exec::DeviceScope;
  static constexpr std::uint32_t kCount = Program::Procedures::kCount;

  /// @shape next_stage: where to go on when nothing waits
  __device__ void Run(std::uint32_t next_stage) {
    bool waits = false;
    for (std::uint32_t p = warp_.Rank(); p < kCount; p += 32) {
      const auto& tally = arguments_.queues->tallies[p];
      report_.wanted[p] = arguments_.queues->queues[1 - arguments_.buffer][p].Wanted();
      report_.spawned[p] = tally.spawned;
      report_.dropped[p] = tally.dropped;
      waits = waits || report_.wanted[p] != 0;
      arguments_.queues->queues[arguments_.buffer][p].Reset();
    }
    waits = warp_.Any(waits);
    if (warp_.Rank() == 0) {
      DeviceEvent<Program>& event = *arguments_.event;
      report_.done = 0;
      report_.plan = {};
      if (!waits) Open(event, next_stage);
      report_.error = event.error;
      for (std::uint32_t s = 0; s <= Program::kMaxStages; ++s) {
        report_.begin_ns[s] = event.begin_ns[s];
      }
    }
    warp_.Barrier();
    Scope::OrderBeforeHost();  // the host may launch on other streams as soon as it knows
    warp_.Barrier();
    using Message = message::SlottedMessage<Report>;
    for (std::uint32_t i = warp_.Rank(); i < Message::kSlots; i += 32) {
      Scope::StoreHostSlot(arguments_.message->slots[i], Message::Cut(report_, arguments_.turn, i));
    }
  }

  /// Opens the first stage from `stage` on that has indices; none if the event is to end.
  __device__ void Open(DeviceEvent<Program>& event, std::uint32_t stage) {
    const std::uint32_t stages = Program::StageCount(event.job);
    for (; stage < stages; ++stage) {
      event.begin_ns[stage] = Scope::NowNs();
      if ((Scope::Word(event.cancel).LoadRelaxed() | Scope::Word(event.error).LoadRelaxed()) != 0) {
        continue;
      }
      const procedure::StagePlan plan = Program::template Plan<Scope>(event.job, stage);
      if (plan.count == 0) continue;
      event.stage = stage;
      report_.plan = plan;
      return;
    }
    event.begin_ns[stages] = Scope::NowNs();
    report_.done = 1;
  }

  const RoundArguments<Program>& arguments_;
  Report& report_;
  exec::WarpScope warp_;
};

template <class Program>
__global__ void __launch_bounds__(32)
    StartEventKernel(const __grid_constant__ RoundArguments<Program> arguments,
                     const __grid_constant__ typename Program::Job job) {
  __shared__ RoundReport<Program> report;
  RoundEnd<Program>(arguments, report).Start(job);
}

template <class Program>
__global__ void __launch_bounds__(32)
    FinishRoundKernel(const __grid_constant__ RoundArguments<Program> arguments) {
  __shared__ RoundReport<Program> report;
  RoundEnd<Program>(arguments, report).Finish();
}

}  // namespace warpyard::bench

#endif  // WARPYARD_BENCHMARKS_KERNELS_WITH_QUEUES_KERNEL_ROUND_CUH_
