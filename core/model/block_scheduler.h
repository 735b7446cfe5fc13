// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a block executes next: the one scheduler that CPU workers and the blocks of the megakernel
// run. [Steinberger §3.4.2, §6.4]
//
// Elements wait in three places: in the block's own stack (what it spawned), in the queues of the
// buckets (what blocks gave to others), and in the ranges of open stages. The bucket with the least
// rank decides; at equal rank the own stack is first and ranges are last, so that what is nearly
// done finishes before new work starts.
// A batch is elements of one procedure, as many as the block's threads can run: several rounds of
// them where a round is short, so that claims do not cost more than the work.
// The stack is for one event at a time, and is given away when another one comes first. A block
// also gives elements of it to others when they have nothing to do and when it is nearly full (lazy
// work stealing, [SilvaThesis Alg. 3.7-3.13]). Where others cannot take them, it goes on with its
// newest ones, depth-first, in batches for whose spawns it has room; and where not even one element
// has room for what it may spawn, its event fails.
#ifndef WARPYARD_CORE_MODEL_BLOCK_SCHEDULER_H_
#define WARPYARD_CORE_MODEL_BLOCK_SCHEDULER_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/model/block_statistics.h"
#include "core/model/event_account.h"
#include "core/model/workspace.h"
#include "core/queue/queue_concept.h"

namespace warpyard::model {

/// Outcome of a look for work.
enum class Found : std::uint32_t {
  kBatch,    ///< there is a batch to execute
  kNothing,  ///< nothing waits anywhere
  kAgain,    ///< look again at once
  kLater,    ///< not while a batch is executing
  kPark,     ///< the block is to leave; it holds nothing any more
  kStuck,    ///< a bounded wait ran out; all must stop
};

/// @scope all members: the group that schedules for a block, all threads together
template <exec::LaneScope Group, class Space>
class BlockScheduler {
 public:
  using Scope = typename Space::Scope;
  using Shape = typename Space::Shape;
  using Procedures = typename Space::Procedures;
  using Element = procedure::Element;
  using OwnBatch = Batch<Shape>;

  /// @shape blocks: that draw from the workspace; launch: which start of the workers this is
  WY_HD BlockScheduler(Group& group, Space& space, BlockMemory<Space>& memory, std::uint32_t blocks,
                       std::uint32_t launch)
      : group_(group),
        space_(space),
        memory_(memory),
        blocks_(blocks),
        launch_(launch),
        account_(space),
        statistics_(space, memory),
        random_(group.Broadcast(static_cast<std::uint32_t>(Scope::Cycles()))) {
    memory_.stack.Reset(group_);
    statistics_.Reset(group_);
    if (group_.Rank() == 0) {
      for (std::uint32_t i = 0; i < 2; ++i) memory_.spawns[i] = {0, memory_.spawned[i]};
    }
    group_.Barrier();
  }

  /// Looks for work and fills `batch`. @shape ahead: whether another batch is executing meanwhile;
  ///     done: called by thread 0 with each event that is done
  template <class Done>
  WY_HD Found Next(OwnBatch& batch, bool ahead, Done& done) {
    if (stuck_) return Found::kStuck;
    if (pending_.count != 0) return TakePending(batch, ahead, done);
    const std::uint32_t leaving = Scope::Word(space_.park_launch).LoadRelaxed();
    const std::uint32_t idle = Scope::Word(space_.idle_blocks).LoadRelaxed();
    const std::uint32_t running = Scope::Word(space_.running_events).LoadRelaxed();
    const bool local = memory_.stack.Size() != 0;
    const std::uint32_t own = local ? memory_.stack.Newest().Bucket() : 0;
    const strategy::BestBucket best = space_.buckets.Look(group_, own, least_rank_);
    if (group_.Broadcast(leaving) == launch_) return Park(batch, ahead, done);
    if (local && group_.Broadcast(idle != 0 || running > 1)) FeedOthers();
    if (memory_.stack.Size() != 0 &&
        (best.rank == strategy::kNoRank || best.own_rank <= best.rank)) {
      return TakeLocal(batch, ahead, done);
    }
    if (best.rank == strategy::kNoRank) return FindNothing(ahead, done);
    if (memory_.stack.Size() != 0) {
      // Another event comes first now. What is kept here would be out of the order: give it away.
      if (ahead) return Found::kLater;
      Spill(memory_.stack.Size());
    }
    const std::uint32_t queues = best.hints & ~Space::Buckets::kRangeHint;
    if (queues != 0) return TakeQueued(batch, best, queues, ahead, done);
    return TakeRange(batch, best.bucket, ahead, done);
  }

  /// Accounts for a batch that was executed, and takes what it spawned.
  template <class Done>
  WY_HD Found Complete(const OwnBatch& batch, procedure::SpawnBuffer& spawns, Done& done) {
    const std::uint32_t spawned = spawns.count;
    ForEachEvent(spawns.elements, spawned, [&](std::uint32_t event, std::uint32_t count) {
      account_.CountSpawned(group_, event, count);
    });
    reserved_ -= batch.count * Procedures::MaxSpawns(batch.procedure);
    const Found kept = Keep(spawns.elements, spawned);
    if (group_.Rank() == 0) spawns.count = 0;
    ForEachEvent(batch.elements, batch.count, [&](std::uint32_t event, std::uint32_t count) {
      account_.CountFinished(group_, event, count, done);
    });
    // The end of a stage may depend on this block: do not look for other work first.
    if (range_left_ == 0 && pending_.count == 0 && memory_.stack.Size() == 0) {
      account_.Flush(group_, done);
    }
    account_.Charge(group_, batch.elements[0].Event(), statistics_.ToNs(batch.cycles));
    statistics_.Add(group_, batch.procedure, batch.count, spawned, batch.cycles);
    statistics_.FlushSometimes(group_);
    return kept;
  }

  /// A batch goes on executing: what is held back for other events is told now, since it may take
  /// long.
  template <class Done>
  WY_HD void StayWith(const OwnBatch& batch, Done& done) {
    account_.TurnTo(group_, batch.elements[0].Event(), done);
  }

  /// Whether it pays to look for the next batch while this one is executing: not behind a long one,
  /// since what is drawn early cannot make way for what is more urgent.
  WY_HD bool IsShort(const OwnBatch& batch) const {
    const std::uint32_t lately = statistics_.CyclesOf(batch.procedure);
    return lately != 0 && lately < kShortCycles;
  }

  /// Says that the block has nothing to do, or something again.
  WY_HD void SetIdle(bool idle) {
    if (idle == idle_) return;
    idle_ = idle;
    if (idle) statistics_.Flush(group_);
    if (group_.Rank() == 0) {
      Scope::Word(space_.idle_blocks).FetchAddRelaxed(idle ? 1u : ~0u);
    }
  }
  WY_HD void CountBackOff() { statistics_.AddBackOff(); }
  WY_HD std::uint32_t Draws() const { return statistics_.Draws(); }

 private:
  static constexpr std::uint32_t kShortCycles = 80'000;  // about 40 us
  static constexpr std::uint32_t kBatchCycles = 32'000;  // work that groups get at once
  static constexpr std::uint32_t kRangeCycles = 40'000;  // work of a range claimed at once
  static constexpr std::uint32_t kMostRounds = 16;
  static constexpr std::uint32_t kMostWindow = 64;
  static constexpr std::uint32_t kAllElements = 1u << 30;
  static_assert(Procedures::kMaxSpawns <= Shape::kSpawnElements);

  /// Calls visit(event, count) for the elements of each event.
  template <class Visit>
  WY_HD void ForEachEvent(const Element* elements, std::uint32_t count, Visit&& visit) {
    for (std::uint32_t first = 0; first < count; first += group_.Size()) {
      const bool mine = first + group_.Rank() < count;
      const std::uint32_t own = mine ? elements[first + group_.Rank()].Event() : 0;
      for (std::uint32_t left = group_.Ballot(mine); left != 0;) {
        const std::uint32_t event = group_.BroadcastFrom(own, exec::LowestBit(left));
        const std::uint32_t alike = group_.Ballot(mine && own == event);
        visit(event, exec::CountBits(alike));
        left &= ~alike;
      }
    }
  }

  /// Rounds of a procedure that take about so many cycles, lately.
  WY_HD std::uint32_t Rounds(std::uint32_t procedure, std::uint32_t cycles) const {
    const std::uint32_t lately = statistics_.CyclesOf(procedure);
    const std::uint32_t rounds = lately == 0 ? 1 : cycles / (lately + 1) + 1;
    return rounds < kMostRounds ? rounds : kMostRounds;
  }

  /// Elements of a procedure that a batch should have, as far as there is room for their spawns.
  /// @shape freed: places that one element leaves when it is taken
  WY_HD std::uint32_t Wanted(std::uint32_t procedure, std::uint32_t freed) const {
    const std::uint32_t groups = Procedures::Groups(procedure, Shape::kThreads);
    std::uint32_t wanted = groups * Rounds(procedure, kBatchCycles);
    if (wanted > Shape::kBatchElements) wanted = Shape::kBatchElements;
    const std::uint32_t spawns = Procedures::MaxSpawns(procedure);
    if (spawns == 0) return wanted;
    if (wanted * spawns > Shape::kSpawnElements) wanted = Shape::kSpawnElements / spawns;
    if (spawns <= freed) return wanted;
    const std::uint32_t free = memory_.stack.Free();
    const std::uint32_t room = free > reserved_ ? (free - reserved_) / (spawns - freed) : 0;
    return wanted < room ? wanted : room;
  }

  /// There is no room for what even one element may spawn. The elements of its event are dropped
  /// from now on, which makes room for those of others.
  WY_HD void FailForRoom(std::uint32_t event) {
    if (group_.Rank() == 0) {
      Scope::Word(space_.events[event].error)
          .StoreRelaxed(static_cast<std::uint32_t>(procedure::EventError::kNoRoom));
    }
    group_.Barrier();
  }

  template <class Done>
  WY_HD Found TakeLocal(OwnBatch& batch, bool ahead, Done& done) {
    const Element newest = memory_.stack.Newest();
    std::uint32_t procedure = newest.Procedure();
    const std::uint32_t fullest = memory_.stack.FullestProcedure();
    if (memory_.stack.CountOf(procedure) < Procedures::Groups(procedure, Shape::kThreads) &&
        memory_.stack.CountOf(fullest) > 2 * memory_.stack.CountOf(procedure)) {
      procedure = fullest;
    }
    std::uint32_t wanted = Wanted(procedure, 1);
    if (!ahead && wanted < Least(Procedures::Groups(procedure, Shape::kThreads),
                                 memory_.stack.CountOf(procedure))) {
      // Nearly full: room for whole batches is worth more than keeping what is old.
      if (Spill(memory_.stack.Size() / 4 + 1)) return Found::kAgain;
    }
    if (wanted == 0 && ahead) return Found::kLater;
    if (wanted == 0) {
      procedure = memory_.stack.Newest().Procedure();
      FailForRoom(memory_.stack.Newest().Event());
      wanted = 1;
    }
    const std::uint32_t taken = memory_.stack.TakeNewest(group_, procedure, wanted, batch.elements);
    if (taken == 0) return Found::kAgain;
    return Offer(batch, procedure, taken, done);
  }

  template <class Done>
  WY_HD Found FindNothing(bool ahead, Done& done) {
    const bool passed_over = least_rank_ != 0;
    least_rank_ = 0;
    if (ahead) return Found::kLater;
    if (passed_over) return Found::kAgain;
    account_.Flush(group_, done);
    account_.FlushCharge(group_);
    return Found::kNothing;
  }

  template <class Done>
  WY_HD Found TakeQueued(OwnBatch& batch, const strategy::BestBucket& best, std::uint32_t queues,
                         bool ahead, Done& done) {
    const std::uint32_t queue = exec::HighestBit(queues);
    const std::uint32_t procedure = Procedures::OfSpawned(queue);
    std::uint32_t wanted = Wanted(procedure, 0);
    if (wanted == 0 && memory_.stack.Size() != 0 && !ahead) return TakeLocal(batch, ahead, done);
    if (wanted == 0) return Found::kLater;
    // A level has few elements and many blocks want them: several levels at once then.
    bool levels =
        best.bucket >= procedure::kEventBuckets && wanted <= group_.Size() && group_.Size() > 1;
    std::uint32_t drawn = Space::Buckets::kFew;
    if (levels) {
      const strategy::EachOf each{procedure::kEventBuckets, queue, Random() % window_};
      drawn = space_.buckets.DrawEach(group_, each, wanted, batch.elements);
      levels = drawn != Space::Buckets::kFew;
    }
    if (!levels) drawn = space_.buckets.Draw(group_, best.bucket, queue, wanted, batch.elements);
    if (drawn == Space::Buckets::kStuck) return Found::kStuck;
    if (drawn == 0) {
      // Others were faster: look behind, or among the levels over a wider window from now on.
      least_rank_ = levels ? 0 : best.rank + 1;
      if (levels) window_ = window_ < kMostWindow ? 2 * window_ : kMostWindow;
      return Found::kAgain;
    }
    least_rank_ = 0;
    if (levels) window_ -= window_ / 4;
    Scope::OrderAfterGet();
    return Offer(batch, procedure, drawn, done);
  }

  template <class Done>
  WY_HD Found TakeRange(OwnBatch& batch, std::uint32_t event, bool ahead, Done& done) {
    // What is known of the stage: how much a claim may take without starving other blocks.
    std::uint32_t wanted = 1;
    if (event == range_event_) {
      const std::uint32_t groups = Procedures::Groups(range_procedure_, Shape::kThreads);
      const std::uint32_t fair = range_left_ / (2 * blocks_) + 1;
      wanted = groups * Rounds(range_procedure_, kRangeCycles);
      if (wanted > fair) wanted = fair > groups ? fair : groups;
    }
    least_rank_ = 0;
    const bool dropped = space_.events.IsDropped(event);  // read while the claim is under way
    RangeClaim claim;
    if (group_.Rank() == 0) claim = space_.events.Claim(event, wanted);
    claim = group_.Broadcast(claim);
    if (claim.count == 0) {
      range_event_ = kNoEvent;
      if (group_.Rank() == 0) {
        space_.buckets.ClearHint(event, Space::Buckets::kRangeHint);
        if (space_.events.HasRange(event)) {
          space_.buckets.SetHint(event, Space::Buckets::kRangeHint);
        }
      }
      return Found::kAgain;
    }
    if (event != fenced_event_ || claim.stage != fenced_stage_) Scope::OrderAfterGet();
    fenced_event_ = range_event_ = event;
    fenced_stage_ = claim.stage;
    range_procedure_ = claim.plan.procedure;
    range_left_ = claim.elements - claim.first - claim.count;
    pending_ = claim;
    if (group_.Any(dropped)) {
      DropRange(done);
      return Found::kAgain;
    }
    return TakePending(batch, ahead, done);
  }

  WY_HD static std::uint32_t Least(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }

  WY_HD std::uint32_t Random() {
    random_ = random_ * 1664525u + 1013904223u;
    return random_ >> 16;
  }

  /// Takes elements of the range that the block has claimed.
  template <class Done>
  WY_HD Found TakePending(OwnBatch& batch, bool ahead, Done& done) {
    const std::uint32_t procedure = pending_.plan.procedure;
    std::uint32_t wanted = Wanted(procedure, 0);
    // Depth-first: what is there already makes room, as its elements come to their ends.
    if (wanted == 0) return ahead ? Found::kLater : TakeLocal(batch, ahead, done);
    wanted = Least(wanted, pending_.count);
    const std::uint32_t head = procedure::MakeHead(range_event_, procedure, range_event_);
    for (std::uint32_t i = group_.Rank(); i < wanted; i += group_.Size()) {
      const procedure::Range indices =
          EventTable<Scope, typename Space::Program>::IndicesOf(pending_, i);
      batch.elements[i] = {head, {indices.begin, indices.end}};
    }
    pending_.first += wanted;
    pending_.count -= wanted;
    group_.Barrier();
    return Give(batch, procedure, wanted, done);
  }

  /// Counts out what is left of a stage whose event has been cancelled or failed.
  template <class Done>
  WY_HD void DropRange(Done& done) {
    RangeClaim rest;
    if (group_.Rank() == 0) rest = space_.events.Claim(range_event_, kAllElements);
    rest = group_.Broadcast(rest);
    const std::uint32_t dropped = rest.count + pending_.count;
    pending_.count = 0;
    if (dropped != 0) account_.CountFinished(group_, range_event_, dropped, done);
  }

  /// Leaves out the elements whose events have ended early; kAgain when none is left.
  template <class Done>
  WY_HD Found Offer(OwnBatch& batch, std::uint32_t procedure, std::uint32_t count, Done& done) {
    std::uint32_t kept = 0;
    for (std::uint32_t first = 0; first < count; first += group_.Size()) {
      const std::uint32_t i = first + group_.Rank();
      Element element{};
      if (i < count) element = batch.elements[i];
      const bool keep = i < count && !space_.events.IsDropped(element.Event());
      const std::uint32_t lanes = group_.Ballot(keep);
      const bool drop = i < count && !keep;
      for (std::uint32_t left = group_.Ballot(drop); left != 0;) {
        const std::uint32_t event = group_.BroadcastFrom(element.Event(), exec::LowestBit(left));
        const std::uint32_t alike = group_.Ballot(drop && element.Event() == event);
        account_.CountFinished(group_, event, exec::CountBits(alike), done);
        left &= ~alike;
      }
      const std::uint32_t below = lanes & ((1u << group_.Rank()) - 1u);
      if (keep) batch.elements[kept + exec::CountBits(below)] = element;
      kept += exec::CountBits(lanes);
      group_.Barrier();
    }
    return kept == 0 ? Found::kAgain : Give(batch, procedure, kept, done);
  }

  template <class Done>
  WY_HD Found Give(OwnBatch& batch, std::uint32_t procedure, std::uint32_t kept, Done& done) {
    account_.TurnTo(group_, batch.elements[0].Event(), done);
    reserved_ += kept * Procedures::MaxSpawns(procedure);
    if (group_.Rank() == 0) {
      batch.count = kept;
      batch.procedure = procedure;
    }
    group_.Barrier();
    return Found::kBatch;
  }

  /// Puts what a batch spawned into the own stack; what waits in the bucket of a level goes to all,
  /// since others may have to draw it first.
  WY_HD Found Keep(const Element* elements, std::uint32_t count) {
    bool ordered = false;
    if (count != 0 && memory_.stack.Size() != 0 &&
        memory_.stack.Newest().Event() != elements[0].Event()) {
      Spill(
          memory_.stack.Size());  // the stack is for one event at a time, as one rank speaks for it
    }
    for (std::uint32_t first = 0; first < count; first += group_.Size()) {
      const bool mine = first + group_.Rank() < count;
      Element element{};
      if (mine) element = elements[first + group_.Rank()];
      bool give = mine && element.Bucket() >= procedure::kEventBuckets;
      if (group_.Any(give) && !group_.Any(!space_.buckets.HasRoom())) {
        if (!ordered) Scope::OrderBeforePut();
        ordered = true;
        const queue::PushResult result = Push(give, element);
        if (group_.Any(result == queue::PushResult::kStuck)) return Found::kStuck;
        give = give && result == queue::PushResult::kOk;
      } else {
        give = false;
      }
      memory_.stack.Push(group_, mine && !give, element);
    }
    return Found::kAgain;
  }

  WY_HD queue::PushResult Push(bool offering, const Element& element) {
    return space_.buckets.Push(group_, offering, element,
                               Procedures::SpawnedIndex(element.Procedure()));
  }

  /// Gives half of the stack to blocks that have nothing to do, or something of an event that may
  /// come later in the order; unless it is less than they could execute together.
  WY_HD void FeedOthers() {
    const std::uint32_t groups =
        Procedures::Groups(memory_.stack.Newest().Procedure(), Shape::kThreads);
    if (memory_.stack.Size() > groups / 4 + 1) Spill(memory_.stack.Size() / 2);
  }

  /// Gives up to `count` of the oldest elements to all blocks. True when it gave one at least.
  WY_HD bool Spill(std::uint32_t count) {
    bool any = false;
    if (group_.Any(!space_.buckets.HasRoom())) return false;
    while (count > 0) {
      Element element{};
      const std::uint32_t taken = memory_.stack.TakeOldest(group_, count, element);
      if (taken == 0) break;
      const bool mine = group_.Rank() < taken;
      Scope::OrderBeforePut();
      const queue::PushResult result = Push(mine, element);
      const bool back = mine && result != queue::PushResult::kOk;
      memory_.stack.Push(group_, back, element);
      stuck_ |= group_.Any(mine && result == queue::PushResult::kStuck);
      const auto refused = exec::CountBits(group_.Ballot(back));
      statistics_.AddSpills(taken - refused);
      any |= refused < taken;
      if (refused != 0) break;
      count -= taken;
    }
    return any;
  }

  /// Gives everything away and leaves; what nobody has room for is executed first.
  template <class Done>
  WY_HD Found Park(OwnBatch& batch, bool ahead, Done& done) {
    if (ahead) return Found::kLater;
    Spill(memory_.stack.Size());
    if (stuck_) return Found::kStuck;
    if (memory_.stack.Size() != 0) return TakeLocal(batch, false, done);
    account_.Flush(group_, done);
    account_.FlushCharge(group_);
    SetIdle(false);
    statistics_.Flush(group_);
    return Found::kPark;
  }

  static constexpr std::uint32_t kNoEvent = 0xffffffffu;

  Group& group_;
  Space& space_;
  BlockMemory<Space>& memory_;
  const std::uint32_t blocks_;
  const std::uint32_t launch_;
  EventAccount<Group, Space> account_;
  BlockStatistics<Group, Space> statistics_;
  RangeClaim pending_;  // claimed, not yet drawn; of range_event_
  std::uint32_t range_event_ = kNoEvent;
  std::uint32_t range_procedure_ = 0;
  std::uint32_t range_left_ = 0;
  std::uint32_t fenced_event_ = kNoEvent;
  std::uint32_t fenced_stage_ = 0;
  std::uint32_t least_rank_ = 0;  // buckets of lower ranks were found empty just now
  std::uint32_t window_ = 1;      // levels of which it leaves some to others
  std::uint32_t random_;
  std::uint32_t reserved_ = 0;  // what the batches that execute may still spawn
  bool idle_ = false;
  bool stuck_ = false;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_BLOCK_SCHEDULER_H_
