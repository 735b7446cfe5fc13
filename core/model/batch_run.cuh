// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The executing threads of a block: they run a batch, and then its spawns.
//
// They form as many groups of the batch's procedure as fit: single threads, item sets within warps,
// packages with a named barrier each. [Steinberger §6.4]
// The spawns of a batch lie in a buffer of the block. While there is time and room, the threads
// take the newest spawns as the next round, between two barriers and without the scheduling warp: a
// look and an account cost more than many elements take. Items, which are single threads, share a
// round whatever their procedures. A chain, in which each element spawns one of its own kind, is
// followed without those barriers by its group. The threads leave the rest to the scheduling warp
// when something else comes first, when other blocks are idle, and when an element belongs to a
// bucket that is ordered with those of other blocks. For stages see stage_crossing.h.
#ifndef WARPYARD_CORE_MODEL_BATCH_RUN_CUH_
#define WARPYARD_CORE_MODEL_BATCH_RUN_CUH_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/exec/bits.h"
#include "core/exec/device_group.cuh"
#include "core/exec/lane_sets.h"
#include "core/model/stage_crossing.h"
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

  /// The claims of a group on a stage.
  struct GroupClaim {
    RangeClaim claim;          ///< the latest
    std::uint32_t wanted = 1;  ///< then
    std::uint32_t taken = 0;   ///< in all
    std::uint64_t claimed_at = 0;
  };

  struct Memory {
    GroupClaim claims[kThreads / 32];
    procedure::SpawnBuffer buffers[2];         ///< of rounds by turns, after that of the batch
    std::uint32_t ends;                        ///< an End
    std::uint32_t crossed;                     ///< not 0: to another stage
    std::uint32_t regroup;                     ///< not 0: groups of the round have ended
    std::uint32_t differ[2];                   ///< not 0: a round has several procedures;
    std::uint32_t unlike[2];                   ///< not 0: of which some do not go together
    std::uint32_t counts[Procedures::kCount];  ///< of a round's items by their procedures
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

  /// @shape done: called by one thread with the event if it is done
  template <class Done>
  WY_INLINED __device__ void Run(Done&& done) {
    const std::uint32_t groups = block_.procedures[procedure_].groups;
    if (Worker() == 0) {
      batch_.first_rounds = 0;
      for (std::uint32_t i = 0; i < count_; i += groups) ++batch_.first_rounds;
    }
    const bool goes_on = batch_.GoesOn();
    if (goes_on && Worker() == 0) memory_.differ[0] = memory_.unlike[0] = 0;
    for (std::uint32_t turn = 0;; ++turn) {
      chains_ = turn != 0;
      Execute();
      if (Worker() == 0 && turn == 0) batch_.first_cycles = Scope::Cycles() - begin_;
      if (batch_.claims != 0 ? !CrossStage(done) : !goes_on || !Refill(turn % 2)) break;
    }
    if (goes_on && Worker() == 0 && filled_ != &spawns_) spawns_.count = size_;
    if (Worker() != 0) return;
    batch_.cycles = goes_on || batch_.claims != 0 ? executing_ : batch_.first_cycles;
  }

 private:
  using Scope = exec::DeviceScope;
  using Kept = procedure::Kept;

  /// Why a round may be the last.
  enum End : std::uint32_t { kGoesOn, kOthersWait, kTimeIsOver };

  /// The scheduling warp is the first one: a multiprocessor prefers the oldest of the ready warps.
  __device__ static std::uint32_t Worker() { return threadIdx.x - 32; }

  /// Executes the elements of the round.
  WY_INLINED __device__ void Execute() {
    if (block_.procedures[procedure_].item != 0) return RunItems();
    Visitor visitor{*this};
    Procedures::Visit(procedure_, visitor);
  }

  /// Executes them in groups of P's size.
  struct Visitor {
    BatchRun& run;

    template <class P>
    WY_INLINED __device__ void Visit() {
      constexpr std::uint32_t kDeclared = procedure::ThreadsOf<P>();
      constexpr std::uint32_t kSize =
          kDeclared == procedure::kWholeBlock || kDeclared > kThreads ? kThreads : kDeclared;
      if constexpr (kSize > 32) {
        run.template RunPackages<P, kSize>();
      } else if constexpr (kSize > 1) {
        run.template RunSets<P, kSize>();
      }
    }
  };

  /// Executes items, perhaps of several procedures; the lanes of a warp take turns together. After
  /// the first round a thread goes on with its kept element, so that a chain of items needs no
  /// barrier of the block. That ends when too many chains of the warp, or those of another group,
  /// have ended, or when MayGoOn is false.
  __device__ void RunItems() {
    exec::WarpScope warp;
    exec::DeviceGroup<1> group(memory_.shared, nullptr, 0, Worker());
    std::uint32_t index = Worker();
    bool has = index < count_;
    const std::uint32_t all = exec::CountBits(warp.Ballot(has));
    if (all == 0) return;
    procedure::Element element = has ? batch_.elements[index] : procedure::Element{};
    std::uint32_t steps = 0;
    while (true) {
      Kept kept{chains_};
      if (has) {
        auto context = MakeContext(group, space_, *filled_, element.head);
        context.kept = &kept;
        Procedures::ExecuteItem(element.Procedure(), context, element.payload);
      }
      warp.Barrier();
      if (!chains_) {
        index += kThreads;
        has = index < count_;
        if (!warp.Any(has)) return;
        if (has) element = batch_.elements[index];
        continue;
      }
      has = has && !kept.open;
      memcpy(element.payload, kept.payload, sizeof kept.payload);
      const std::uint32_t left = exec::CountBits(warp.Ballot(has));
      if (4 * left < 3 * all || !warp.Broadcast(MayGoOn(0))) break;
      steps += has ? 1 : 0;
    }
    if (warp.Rank() == 0) Scope::BlockWord(memory_.regroup).StoreRelaxed(1);
    const std::uint32_t lanes = warp.Ballot(has);
    std::uint32_t first = 0;
    if (warp.Rank() == 0) first = TakePlaces(exec::CountBits(lanes));
    first = warp.Broadcast(first);
    if (has) spawned_[first + exec::PlaceAmong(lanes, warp.Rank())] = element;
    CountSteps(element.Procedure(), steps);
  }

  template <class P, std::uint32_t kSize>
  __device__ void RunSets() {
    constexpr std::uint32_t kSets = 32 / kSize;  // in a warp
    const std::uint32_t lane = Worker() % 32;
    if (lane / kSize >= kSets) return;
    const std::uint32_t index = Worker() / 32 * kSets + lane / kSize;
    exec::DeviceGroup<kSize> group(SharedOf<P>(index), nullptr, lane % kSize, index);
    ClaimsOf<P, kSize> claims(*this, group, memory_.claims[Worker() / 32]);
    std::uint32_t i = index;
    while (true) {
      procedure::Element element;
      if (i < count_) {
        element = batch_.elements[i];
        i += kThreads / 32 * kSets;
      } else if (!claims.Take(element)) {
        return claims.Count();
      }
      auto context = MakeContext(group, space_, *filled_, element.head);
      Procedures::template ExecuteOne<P>(context, element.payload);
      group.Barrier();
    }
  }

  /// Executes packages. Each goes on by itself, as items do, with the element that its first thread
  /// kept.
  template <class P, std::uint32_t kSize>
  __device__ void RunPackages() {
    constexpr std::uint32_t kGroups = kThreads / kSize;
    static_assert(kGroups <= exec::NamedBarrier::kMostGroups);
    const std::uint32_t index = Worker() / kSize, rank = Worker() % kSize;
    if (index >= kGroups) return;
    exec::DeviceGroup<kSize> group(SharedOf<P>(index), memory_.mailboxes[index], rank, index);
    const bool chains = procedure::IsSpawned<P>() && chains_;
    ClaimsOf<P, kSize> claims(*this, group, memory_.claims[index]);
    std::uint32_t i = index;
    while (true) {
      procedure::Element element;
      if (i < count_) {
        element = batch_.elements[i];
        i += kGroups;
      } else if (!claims.Take(element)) {
        return claims.Count();
      }
      std::uint32_t steps = 0;
      while (true) {
        Kept kept{chains && rank == 0};
        auto context = MakeContext(group, space_, *filled_, element.head);
        if constexpr (procedure::IsSpawned<P>()) context.kept = &kept;
        Procedures::template ExecuteOne<P>(context, element.payload);
        if (!chains || !TakeKept(group, kept, element)) break;
        ++steps;
      }
      if (!chains) group.Barrier();
      if (!chains || rank != 0) continue;
      Scope::BlockWord(memory_.regroup).StoreRelaxed(1);
      CountSteps(element.Procedure(), steps);
    }
  }

  /// Elements of the event's open stage that a group claims itself, when it is done with the drawn
  /// ones: it waits neither for the scheduling warp nor for other groups of the block. It claims a
  /// few at a time where they are short. Its state is in shared memory: procedures need the
  /// registers. @scope all members but Claim: the group, a barrier of it between two calls
  template <class Group>
  class Claims {
   public:
    /// @shape state: of the group
    __device__ Claims(BatchRun& run, Group& group, GroupClaim& state)
        : run_(run), group_(group), state_(state) {
      if (group_.Rank() == 0) state_ = {};
    }

    /// Takes a claim as one element with all its indices. False: none is left, or other events
    /// wait.
    __device__ bool Take(procedure::Element& element) {
      if (run_.batch_.claims == 0) return false;
      if (group_.Rank() == 0) Claim();
      group_.Barrier();
      const RangeClaim claim = state_.claim;
      if (claim.count == 0) return false;
      const std::uint32_t event = run_.batch_.event;
      element = {procedure::MakeHead(event, run_.procedure_, event),
                 {Table::IndicesOf(claim, 0).begin, Table::IndicesOf(claim, claim.count - 1).end}};
      return true;
    }

    /// Reports how many there were. The first group also got some of the drawn elements.
    __device__ void Count() {
      if (group_.Rank() != 0 || state_.taken == 0) return;
      Scope::BlockWord(run_.batch_.claimed).FetchAddRelaxed(state_.taken);
      if (Worker() == 0) run_.batch_.first_rounds += state_.taken;
    }

   private:
    using Table = EventTable<Scope, typename Space::Program>;

    /// @scope one thread
    __device__ void Claim() {
      const std::uint64_t now = Scope::Cycles();
      RangeClaim claim = state_.claim;
      const std::uint32_t left = claim.elements - claim.first;
      const bool others = Scope::BlockWord(run_.block_.others_run).LoadRelaxed() != 0;
      claim.count = 0;
      if (!others && now - run_.begin_ <= run_.batch_.cycles_to_go) {
        const std::uint32_t wanted =
            now - state_.claimed_at < kShortCycles ? 2 * state_.wanted : state_.wanted / 2;
        const std::uint32_t fair = left / (2 * kThreads / Group::Size() * gridDim.x);
        state_.wanted = exec::Least(exec::Least(wanted, kMost), fair);
        if (state_.wanted == 0) state_.wanted = 1;
        state_.claimed_at = now;
        const std::uint32_t event = run_.batch_.event;
        const bool dropped = run_.space_.events.IsDropped(event);  // read while it claims
        claim = run_.space_.events.Claim(event, state_.wanted, Table::DescriptionOf(claim));
        state_.taken += claim.count;  // dropped ones count as executed
        if (dropped) claim.count = 0;
      }
      state_.claim = claim;
    }

    static constexpr std::uint32_t kMost = 8;  // executed even if others wait
    static constexpr std::uint64_t kShortCycles = 32'000;

    BatchRun& run_;
    Group& group_;
    GroupClaim& state_;
  };

  /// The scheduling warp draws all other elements, also those of sets within a warp, of which there
  /// are too many.
  struct NoClaims {
    template <class Group>
    __device__ NoClaims(BatchRun&, Group&, GroupClaim&) {}
    __device__ bool Take(procedure::Element&) const { return false; }
    __device__ void Count() const {}
  };
  template <class P, std::uint32_t kSize>
  using ClaimsOf = std::conditional_t<procedure::IsUneven<P>() && kSize >= 32,
                                      Claims<exec::DeviceGroup<kSize>>, NoClaims>;

  /// Whether a package goes on with the element that its first thread kept: then `element` is that
  /// one. @scope the group
  template <class Group>
  __device__ bool TakeKept(Group& group, const Kept& kept, procedure::Element& element) {
    Next next{0, {kept.payload[0], kept.payload[1]}};
    if (group.Rank() == 0 && !kept.open) {
      // Other warps of the package may still spawn all but the kept element.
      next.goes_on = MayGoOn(block_.procedures[procedure_].max_spawns - 1) ? 1 : 0;
      if (next.goes_on == 0) {
        spawned_[TakePlaces(1)] = {element.head, {next.payload[0], next.payload[1]}};
      }
    }
    next = group.Broadcast(next);
    memcpy(element.payload, next.payload, sizeof next.payload);
    return next.goes_on != 0;
  }

  struct Next {
    std::uint32_t goes_on;
    std::uint32_t payload[2];
  };

  template <class P>
  __device__ std::byte* SharedOf(std::uint32_t index) {
    return memory_.shared + index * ((P::kSharedBytes + 15) / 16 * 16);
  }

  /// Whether a group may execute another element without a barrier of the block. @scope any thread
  /// @shape unseen: elements that the group may still spawn for the one before
  __device__ bool MayGoOn(std::uint32_t unseen) const {
    if (Scope::BlockWord(memory_.regroup).LoadRelaxed() != 0) return false;
    const End end = SeeEnd();
    if (end == kTimeIsOver) return false;
    const BlockProcedure& known = block_.procedures[procedure_];
    const std::uint32_t spawned = Scope::BlockWord(filled_->count).LoadRelaxed();
    if (end == kOthersWait && base_ + spawned > known.groups / 4) return false;
    // Room for the spawns of every group after this look: for one element more, and `unseen`.
    return spawned + count_ * (known.max_spawns + unseen) <= batch_.reserved - base_;
  }

  /// Takes places for kept elements that their groups do not execute. @scope one thread
  __device__ std::uint32_t TakePlaces(std::uint32_t count) {
    return base_ + Scope::BlockWord(filled_->count).FetchAddRelaxed(count);
  }

  /// @scope one thread of a group @shape steps: elements that it executed beside those of the round
  __device__ void CountSteps(std::uint32_t procedure, std::uint32_t steps) {
    if (steps != 0) Scope::BlockWord(batch_.executed[procedure]).FetchAddRelaxed(steps);
  }

  /// Goes to the next stage of an event that is alone. False: the batch is over.
  template <class Done>
  __device__ bool CrossStage(Done& done) {
    exec::NamedBarrier::SyncWorkers<kThreads>();  // all groups have reported their claims
    if (Worker() == 0) memory_.crossed = CrossByOne(done) ? 1 : 0;
    exec::NamedBarrier::SyncWorkers<kThreads>();
    if (memory_.crossed == 0) return false;
    procedure_ = batch_.procedure;
    count_ = batch_.count;
    return true;
  }

  /// @scope one thread
  template <class Done>
  __device__ bool CrossByOne(Done& done) {
    const std::uint64_t cycles = Scope::Cycles() - round_begin_;
    executing_ += cycles;
    StageCrossing<exec::WarpScope, Space> crossing(space_, block_, batch_, blockIdx.x,
                                                   gridDim.x - 1);
    crossing.Leave(cycles, done);
    const bool entered = crossing.Enter([&] {
      return Scope::BlockWord(block_.others_run).LoadRelaxed() == 0 &&
             Scope::Cycles() - begin_ <= batch_.cycles_to_go;
    });
    round_begin_ = Scope::Cycles();
    return entered;
  }

  /// Takes the newest spawns as the next round. False: the block does not go on; size_ elements are
  /// left.
  __device__ bool Refill(std::uint32_t turn) {
    if (Worker() == 0) memory_.ends = SeeEnd();
    exec::NamedBarrier::SyncWorkers<kThreads>();  // the round is over
    if (Worker() == 0) executing_ += Scope::Cycles() - round_begin_;
    size_ = base_ + filled_->count;
    const std::uint32_t count = RoundSize(memory_.ends);
    if (count == 0) return false;
    const std::uint32_t procedure = spawned_[size_ - 1].Procedure();
    const std::uint32_t base = size_ - count;
    const bool mine = Worker() < count;
    const procedure::Element element = mine ? spawned_[base + Worker()] : procedure::Element{};
    if (mine) batch_.elements[Worker()] = element;
    if (mine && (element.Procedure() != procedure || element.Bucket() != element.Event())) {
      memory_.differ[turn] = 1;
      if (!GoesWithItems(element)) memory_.unlike[turn] = 1;
    }
    if (Worker() < Procedures::kCount) memory_.counts[Worker()] = 0;
    if (Worker() == 0) {
      memory_.regroup = 0;
      memory_.differ[1 - turn] = memory_.unlike[1 - turn] = 0;
      memory_.buffers[turn] = {0, spawned_ + base, true};
    }
    exec::NamedBarrier::SyncWorkers<kThreads>();
    if (memory_.differ[turn] == 0) {
      if (Worker() == 0) CountSteps(procedure, count);
    } else {
      if (memory_.unlike[turn] != 0 || block_.procedures[procedure].item == 0) return false;
      SortByProcedure(mine, element);
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
    std::uint32_t count = exec::Least(known.groups, size_);
    const std::uint32_t room = batch_.reserved > size_ ? batch_.reserved - size_ : 0;
    const std::uint32_t more = known.max_spawns > 1 ? known.max_spawns - 1 : 0;
    if (count * more > room) count = room / more;  // a division of integers is slow
    return count < size_ && count < few ? 0 : count;
  }

  /// Whether an element may be of a round of items of several procedures.
  __device__ bool GoesWithItems(const procedure::Element& element) const {
    return block_.procedures[element.Procedure()].item != 0 && element.Bucket() == element.Event();
  }

  /// Sorts the items of a round by their procedures, so that few warps have several of them.
  __device__ void SortByProcedure(bool mine, const procedure::Element& element) {
    const std::uint32_t procedure = element.Procedure();
    exec::WarpScope warp;
    std::uint32_t place = 0;
    exec::ForEachPeerSet(warp, mine, procedure, [&](std::uint32_t common, std::uint32_t peers) {
      const std::uint32_t leader = exec::LowestBit(peers);
      std::uint32_t first = 0;
      if (warp.Rank() == leader) {
        first = Scope::BlockWord(memory_.counts[common]).FetchAddRelaxed(exec::CountBits(peers));
      }
      first = warp.BroadcastFrom(first, leader);
      if (procedure == common) place = first + exec::PlaceAmong(peers, warp.Rank());
    });
    exec::NamedBarrier::SyncWorkers<kThreads>();
    WY_ROLLED
    for (std::uint32_t p = 0; p < procedure; ++p) place += memory_.counts[p];
    if (mine) batch_.elements[place] = element;
    const std::uint32_t p = Worker();
    if (p < Procedures::kCount) batch_.executed[p] += memory_.counts[p];
    exec::NamedBarrier::SyncWorkers<kThreads>();
  }

  /// @scope any thread
  __device__ End SeeEnd() const {
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
  bool chains_ = false;  // groups go on by themselves
  const std::uint64_t begin_;
  std::uint64_t round_begin_ = begin_;
  std::uint64_t executing_ = 0;  // cycles of rounds, without those between them
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_BATCH_RUN_CUH_
