// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The threads of a block that execute: a batch, and then what it spawned.
//
// They form as many groups of the batch's procedure as fit: single threads, item sets within warps,
// packages with a named barrier each. [Steinberger §6.4]
// What a batch spawned lies in a buffer of the block. While there is time and room they take the
// newest of it as the next round, between two barriers and without the warp that schedules: a look
// and an account cost more than many elements take. Items, which are single threads, share a round
// whatever their procedures. They leave the rest to that warp when something else comes first, when
// others have nothing to do, and when what comes belongs to a bucket that is in order with those of
// other blocks.
#ifndef WARPYARD_CORE_MODEL_BATCH_RUN_CUH_
#define WARPYARD_CORE_MODEL_BATCH_RUN_CUH_

#include <cstddef>
#include <cstdint>

#include "core/exec/bits.h"
#include "core/exec/device_group.cuh"
#include "core/model/worker_loop.h"
#include "core/model/workspace.h"

namespace warpyard::model {

/// @scope all worker threads of a block, all but the warp that schedules
template <class Space>
class BatchRun {
 public:
  using Procedures = typename Space::Procedures;
  static constexpr std::uint32_t kThreads = Space::Shape::kThreads;
  static_assert(Space::Shape::kBatchElements == kThreads, "a thread copies an element of a round");
  static_assert(Procedures::kCount <= kThreads, "a thread counts a procedure");

  struct Memory {
    procedure::SpawnBuffer buffers[2];  ///< of rounds by turns, after that of the batch
    std::uint32_t ends;                 ///< an End
    std::uint32_t unlike[2];            ///< not 0: a round has elements that do not go together
    std::uint32_t counts[2][Procedures::kCount];  ///< of a round's items by their procedures
    std::uint64_t mailboxes[(kThreads + 63) / 64][2];
    alignas(16) std::byte shared[Space::Procedures::SharedBytes(kThreads) + 16];
  };

  /// @shape number: of the batch's place
  __device__ BatchRun(Space& space, BlockMemory<Space>& block, Memory& memory, std::uint32_t number)
      : space_(space),
        block_(block),
        memory_(memory),
        batch_(block.batches[number]),
        spawns_(block.spawns[number]),
        spawned_(block.spawned[number]),
        filled_(&spawns_),
        procedure_(batch_.procedure),
        count_(batch_.count),
        begin_(Scope::Cycles()) {}

  __device__ void Run() {
    const std::uint32_t groups = block_.procedures[procedure_].groups;
    if (Worker() == 0) {
      batch_.first_rounds = 0;
      for (std::uint32_t i = 0; i < count_; i += groups) ++batch_.first_rounds;
    }
    const bool goes_on = batch_.GoesOn();
    if (goes_on && Worker() == 0) memory_.unlike[0] = 0;
    if (goes_on && Worker() < Procedures::kCount) memory_.counts[0][Worker()] = 0;
    for (std::uint32_t turn = 0;; ++turn) {
      Execute();
      if (Worker() == 0 && turn == 0) batch_.first_cycles = Scope::Cycles() - begin_;
      if (!goes_on || !Refill(turn % 2)) break;
    }
    if (goes_on && Worker() == 0 && filled_ != &spawns_) spawns_.count = size_;
    if (Worker() != 0) return;
    batch_.cycles = goes_on ? executing_ : batch_.first_cycles;
  }

 private:
  using Scope = exec::DeviceScope;

  /// Why a round may be the last.
  enum End : std::uint32_t { kGoesOn, kOthersWait, kTimeIsOver };

  /// The warp that schedules is the first one: of those that are ready a multiprocessor prefers the
  /// oldest.
  __device__ static std::uint32_t Worker() { return threadIdx.x - 32; }

  __device__ static std::uint32_t Least(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }

  /// Executes the elements of the round.
  __device__ void Execute() {
    if (block_.procedures[procedure_].item != 0) {
      exec::DeviceGroup<1> group(memory_.shared, nullptr, 0, Worker());
      for (std::uint32_t i = Worker(); i < count_; i += kThreads) {
        const procedure::Element element = batch_.elements[i];
        auto context = MakeContext(group, space_, *filled_, element.head);
        Procedures::ExecuteItem(element.Procedure(), context, element.payload);
      }
      return;
    }
    Visitor visitor{*this};
    Procedures::Visit(procedure_, visitor);
  }

  /// Executes them in groups of P's size.
  struct Visitor {
    BatchRun& run;

    template <class P>
    __device__ void Visit() {
      constexpr std::uint32_t kDeclared = procedure::ThreadsOf<P>();
      constexpr std::uint32_t kSize =
          kDeclared == procedure::kWholeBlock || kDeclared > kThreads ? kThreads : kDeclared;
      constexpr std::uint32_t kSets = kSize <= 32 ? 32 / kSize : 1;  // in a warp
      if constexpr (kSize > 1) {
        std::uint32_t index, rank;
        if constexpr (kSize <= 32) {
          const std::uint32_t lane = Worker() % 32;
          if (lane / kSize >= kSets) return;
          index = Worker() / 32 * kSets + lane / kSize;
          rank = lane % kSize;
        } else {
          index = Worker() / kSize;
          rank = Worker() % kSize;
        }
        constexpr std::uint32_t kGroups = kSize <= 32 ? kThreads / 32 * kSets : kThreads / kSize;
        if (index >= kGroups) return;
        run.template RunGroup<P, kSize, kGroups>(index, rank);
      }
    }
  };

  template <class P, std::uint32_t kSize, std::uint32_t kGroups>
  __device__ void RunGroup(std::uint32_t index, std::uint32_t rank) {
    constexpr std::size_t kShared = (P::kSharedBytes + 15) / 16 * 16;
    std::uint64_t* mailbox = kSize > 32 ? memory_.mailboxes[index] : nullptr;
    exec::DeviceGroup<kSize> group(memory_.shared + index * kShared, mailbox, rank, index);
    for (std::uint32_t i = index; i < count_; i += kGroups) {
      const procedure::Element& element = batch_.elements[i];
      auto context = MakeContext(group, space_, *filled_, element.head);
      Procedures::template ExecuteOne<P>(context, element.payload);
      group.Barrier();
    }
  }

  /// Takes the newest of what was spawned as the next round. False: the block does not go on; what
  /// is left is size_ elements.
  __device__ bool Refill(std::uint32_t turn) {
    if (Worker() == 0) memory_.ends = SeeEnd();
    exec::NamedBarrier::SyncWorkers<kThreads>();  // the round is over
    if (Worker() == 0) executing_ += Scope::Cycles() - round_begin_;
    size_ = base_ + filled_->count;
    const std::uint32_t count = RoundSize(memory_.ends);
    if (count == 0) return false;
    const std::uint32_t procedure = spawned_[size_ - 1].Procedure();
    const BlockProcedure& known = block_.procedures[procedure];
    const std::uint32_t base = size_ - count;
    const bool mine = Worker() < count;
    const procedure::Element element = mine ? spawned_[base + Worker()] : procedure::Element{};
    const bool alike = element.Bucket() == element.Event() &&
                       (element.Procedure() == procedure ||
                        (known.item != 0 && block_.procedures[element.Procedure()].item != 0));
    if (Worker() < Procedures::kCount) memory_.counts[1 - turn][Worker()] = 0;
    if (mine && !alike) memory_.unlike[turn] = 1;
    const std::uint32_t place =
        known.item != 0 ? PlaceByProcedure(mine, element.Procedure(), turn) : Worker();
    if (mine) batch_.elements[place] = element;
    if (Worker() == 0) {
      memory_.unlike[1 - turn] = 0;
      memory_.buffers[turn] = {0, spawned_ + base, true};
    }
    exec::NamedBarrier::SyncWorkers<kThreads>();
    if (memory_.unlike[turn] != 0) return false;
    if (known.item != 0) {
      const std::uint32_t p = Worker();
      if (p < Procedures::kCount) batch_.executed[p] += memory_.counts[turn][p];
    } else if (Worker() == 0) {
      batch_.executed[procedure] += count;
    }
    base_ = base;
    filled_ = &memory_.buffers[turn];
    procedure_ = procedure;
    count_ = count;
    if (Worker() == 0) round_begin_ = Scope::Cycles();
    return true;
  }

  /// Elements that the next round should have; 0: the block does not go on.
  __device__ std::uint32_t RoundSize(std::uint32_t ends) const {
    if (size_ == 0 || ends == kTimeIsOver) return 0;
    const BlockProcedure& known = block_.procedures[spawned_[size_ - 1].Procedure()];
    const std::uint32_t few = known.groups / 4 + 1;
    if (ends == kOthersWait && size_ > few) return 0;
    std::uint32_t count = Least(known.groups, size_);
    if (known.max_spawns > 1) {
      count = Least(count, (batch_.reserved - size_) / (known.max_spawns - 1));
    }
    return count < size_ && count < few ? 0 : count;
  }

  /// Sorts the items of a round by their procedures, so that few warps have several of them.
  __device__ std::uint32_t PlaceByProcedure(bool mine, std::uint32_t procedure,
                                            std::uint32_t turn) {
    std::uint32_t* const counts = memory_.counts[turn];
    exec::WarpScope warp;
    std::uint32_t place = 0;
    for (std::uint32_t left = warp.Ballot(mine); left != 0;) {
      const std::uint32_t leader = exec::LowestBit(left);
      const std::uint32_t common = warp.BroadcastFrom(procedure, leader);
      const std::uint32_t alike = warp.Ballot(mine && procedure == common);
      std::uint32_t first = 0;
      if (warp.Rank() == leader) {
        first = Scope::BlockWord(counts[common]).FetchAddRelaxed(exec::CountBits(alike));
      }
      first = warp.BroadcastFrom(first, leader);
      if (procedure == common) {
        place = first + exec::CountBits(alike & ((1u << warp.Rank()) - 1u));
      }
      left &= ~alike;
    }
    exec::NamedBarrier::SyncWorkers<kThreads>();
    WY_ROLLED
    for (std::uint32_t p = 0; p < procedure; ++p) place += counts[p];
    return place;
  }

  /// @scope one thread
  __device__ std::uint32_t SeeEnd() const {
    if (Scope::Cycles() - begin_ > batch_.cycles_to_go) return kTimeIsOver;
    const bool wait = Scope::BlockWord(block_.wanted_elsewhere).LoadRelaxed() != 0;
    return wait ? kOthersWait : kGoesOn;
  }

  Space& space_;
  BlockMemory<Space>& block_;
  Memory& memory_;
  BatchOf<Space>& batch_;
  procedure::SpawnBuffer& spawns_;
  procedure::Element* const spawned_;
  procedure::SpawnBuffer* filled_;  // where the round's spawns go
  std::uint32_t procedure_;
  std::uint32_t count_;
  std::uint32_t base_ = 0;  // elements below the round's spawns
  std::uint32_t size_ = 0;
  const std::uint64_t begin_;
  std::uint64_t round_begin_ = begin_;
  std::uint64_t executing_ = 0;  // cycles of rounds, without those between them
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_BATCH_RUN_CUH_
