// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Decides what a block executes next. CPU workers and the blocks of the megakernel run this one
// scheduler. [Steinberger §3.4.2, §6.4]
//
// Elements wait in three places: in the block's own stack (its spawns), in the queues of the
// buckets (elements that blocks gave to others), and in the ranges of open stages. The bucket with
// the least rank decides. At equal rank the own stack comes first and ranges come last, so that
// nearly finished work finishes before new work starts.
// A batch has elements of one procedure, or of several procedures of single threads, as many as the
// block's threads can run; several rounds if they are short, so that a claim costs less than the
// work.
// The stack is for one event at a time, and is given away when another event comes first. A block
// also gives elements to idle blocks, and when its stack is nearly full (lazy work stealing,
// [SilvaThesis Alg. 3.7-3.13]). Otherwise it goes on with its newest elements, depth-first, in
// batches whose spawns fit. An event without room for the spawns of one element fails.
#ifndef WARPYARD_CORE_MODEL_BLOCK_SCHEDULER_H_
#define WARPYARD_CORE_MODEL_BLOCK_SCHEDULER_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/model/batch_room.h"
#include "core/model/block_statistics.h"
#include "core/model/block_store.h"
#include "core/model/draw.h"
#include "core/model/event_account.h"
#include "core/model/lane_values.h"
#include "core/model/share_clocks.h"
#include "core/model/workspace.h"
#include "core/queue/queue_concept.h"

namespace warpyard::model {

/// @scope all members: the group that schedules for a block, all threads together
template <exec::LaneScope Group, class Space>
class BlockScheduler {
 public:
  using Scope = typename Space::Scope;
  using Shape = typename Space::Shape;
  using Procedures = typename Space::Procedures;
  using Element = procedure::Element;
  using OwnBatch = BatchOf<Space>;
  using Clocks = ShareClocks<Group, Space>;
  using Statistics = BlockStatistics<Group, Space>;

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
        room_(statistics_, memory),
        store_(group, space, memory),
        random_(group.Broadcast(static_cast<std::uint32_t>(Scope::Cycles()))) {
    memory_.stack.Reset(group_);
    Clocks::Reset(group_, memory_);
    statistics_.Reset(group_);
    if (group_.Rank() == 0) {
      for (std::uint32_t i = 0; i < 2; ++i) memory_.spawns[i] = {0, memory_.spawned[i], true};
      memory_.wanted_elsewhere = memory_.others_run = memory_.left.claim.count = 0;
    }
    group_.Barrier();
  }

  /// Looks for work and fills `batch`. @shape ahead: another batch is executing meanwhile; done:
  /// called by thread 0 with each event that is done
  template <class Done>
  WY_HD Found Next(OwnBatch& batch, bool ahead, Done& done) {
    if (store_.Stuck()) return Found::kStuck;
    content_ = {.ahead = ahead};
    if (pending_.count == 0 && memory_.left.claim.count != 0) TakeLeft();
    if (pending_.count != 0 && IsDropped(range_event_)) DropRange(done);
    Found found = pending_.count != 0 ? TakePending(batch) : Select(batch, ahead, done);
    if (found == Found::kLocal && ahead) return Found::kLater;
    if (found == Found::kLocal) {
      content_.dropped = IsDropped(memory_.stack.Newest().Event());
      found = TakeLocal(batch, ahead);
    }
    if (found != Found::kBatch) return found;
    LeaveOutDropped(batch, done);
    return content_.count == 0 ? Found::kAgain : Give(batch, done);
  }

  /// Accounts for an executed batch, and takes its spawns.
  template <class Done>
  WY_HD Found Complete(const OwnBatch& batch, procedure::SpawnBuffer& spawns, Done& done) {
    const std::uint32_t spawned = spawns.count;
    room_.Release(batch.reserved);
    Found kept = Found::kAgain;
    if (spawned != 0) {
      ForEachEvent(group_, batch, spawns.elements, spawned,
                   [&](std::uint32_t event, std::uint32_t count) {
                     account_.CountSpawned(group_, event, count);
                   });
      if (!store_.Keep(batch, spawns.elements, spawned)) kept = Found::kStuck;
      if (group_.Rank() == 0) spawns.count = 0;
    }
    const std::uint32_t event = batch.event;
    if (batch.claims != 0) {  // groups counted out each stage at its end
      if (pending_.count == 0) range_event_ = kNoEvent;
      if (group_.Rank() == 0) memory_.left = {batch.left, event};
      statistics_.AddStages(batch.cycles);
      group_.Barrier();
    } else {
      ForEachEvent(group_, batch, batch.elements, batch.count,
                   [&](std::uint32_t of, std::uint32_t count) {
                     account_.CountFinished(group_, of, count, done);
                   });
      account_.Settle(group_, event, statistics_.ToNs(batch.cycles), batch.charged_ns);
      statistics_.Add(group_, batch, spawned);
    }
    // The end of a stage may depend on this block: do not look for other work first.
    if (range_left_ == 0 && pending_.count == 0 && memory_.stack.Size() == 0) {
      account_.Flush(group_, done);
    }
    statistics_.AddSpills(store_.TakeSpills());
    if (several_events_) {
      Clocks::Charge(group_, space_, memory_, event,
                     static_cast<std::int64_t>(batch.cycles - batch.charged_cycles));
    }
    statistics_.FlushSometimes(group_);
    return kept;
  }

  /// A batch goes on executing: flushes the account of other events now.
  template <class Done>
  WY_HD void StayWith(const OwnBatch& batch, Done& done) {
    account_.TurnTo(group_, batch.event, done);
  }

  /// Cycles of the running batch until it pays to look for the next one: as late as still hides the
  /// look, since drawn elements cannot make way for more urgent ones. @shape cycles: executed ones
  WY_HD std::uint64_t CyclesUntilDue(const OwnBatch& batch, std::uint64_t cycles) const {
    const std::uint64_t all = statistics_.CyclesOf(batch.procedure, batch.event, batch.count);
    if (all == 0) return kUnknownCycles;  // the first of its kind
    return all > cycles + kLookCycles ? all - cycles - kLookCycles : 0;
  }

  /// Marks the block idle or busy.
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
  static constexpr std::uint32_t kLookCycles = 80'000;  // generous: batches take unlike times
  static constexpr std::uint64_t kUnknownCycles = 1'000'000;
  static constexpr std::uint32_t kMostWindow = 64;
  static constexpr std::uint32_t kManyBatches = 16;
  static constexpr std::uint32_t kAllElements = 1u << 30;

  /// What comes first: an element of the own stack, a queue, a range of a stage.
  template <class Done>
  WY_HD Found Select(OwnBatch& batch, bool ahead, Done& done) {
    const std::uint32_t leaving = Scope::Word(space_.park_launch).LoadRelaxed();
    const std::uint32_t idle = Scope::Word(space_.idle_blocks).LoadRelaxed();
    const std::uint32_t running = Scope::Word(space_.running_events).LoadRelaxed();
    const bool local = memory_.stack.Size() != 0;
    const Element newest = local ? memory_.stack.Newest() : Element{};
    const bool dropped = local && space_.events.IsDropped(newest.Event());
    strategy::BestBucket best =
        space_.buckets.Look(group_, local ? newest.Bucket() : 0, least_rank_);
    if (group_.Broadcast(leaving) == launch_) return Park(ahead, done);
    idle_blocks_ = group_.Broadcast(idle) - (idle_ ? 1 : 0);
    if (group_.Rank() == 0) Scope::BlockWord(memory_.wanted_elsewhere).StoreRelaxed(idle_blocks_);
    several_events_ = group_.Broadcast(running) > 1;
    by_clock_ = false;
    if (several_events_) {
      const Own own{local ? newest.Bucket() : Own::kNone, least_rank_};
      const std::uint32_t first = best.bucket;
      best = Clocks::Choose(group_, space_, memory_, best, own);
      by_clock_ = best.bucket != first;
    }
    if (local && (several_events_ || idle_blocks_ != 0)) {
      store_.FeedOthers(statistics_.Groups(newest.Procedure()));
    }
    const bool none = best.rank == strategy::kNoRank;
    if (memory_.stack.Size() != 0 && (none || best.own_rank <= best.rank)) {
      content_.dropped = group_.Any(dropped);
      return TakeLocal(batch, ahead);
    }
    if (none) return FindNothing(ahead, done);
    // Another event comes first now: the stack would break the order.
    if (memory_.stack.Size() != 0 && ahead) return Found::kLater;
    if (memory_.stack.Size() != 0) store_.Spill(memory_.stack.Size());
    const std::uint32_t queues = best.hints & ~Space::Buckets::kRangeHint;
    if (queues != 0) return TakeQueued(batch, best, exec::HighestBit(queues));
    return TakeRange(batch, best.bucket, done);
  }

  WY_HD Found TakeLocal(OwnBatch& batch, bool ahead) {
    const Element newest = memory_.stack.Newest();
    std::uint32_t procedure = newest.Procedure();
    const bool item = statistics_.IsItem(procedure);
    if (!item && memory_.stack.CountOf(procedure) < statistics_.Groups(procedure)) {
      const std::uint32_t fullest = memory_.stack.FullestProcedure();
      if (memory_.stack.CountOf(fullest) > 2 * memory_.stack.CountOf(procedure)) {
        procedure = fullest;
      }
    }
    std::uint32_t wanted = room_.Wanted({procedure, newest.Event(), 1, !several_events_});
    // Keep half for a second batch; with one in flight the groups idle during its accounting.
    const std::uint32_t groups = statistics_.Groups(procedure);
    const std::uint32_t have = item ? memory_.stack.Size() : memory_.stack.CountOf(procedure);
    const std::uint32_t half = have / 2 + 1;
    if (wanted > half && wanted > groups) wanted = half > groups ? half - half % groups : groups;
    const bool tight = wanted == 0 || room_.Unreserved() < groups;
    if (!ahead && tight && wanted < exec::Least(groups, have)) {
      // Nearly full: room for whole batches is worth more than keeping old elements.
      if (store_.Spill(memory_.stack.Size() / 4 + 1)) return Found::kAgain;
    }
    if (wanted == 0 && ahead) return Found::kLater;
    if (wanted == 0) {
      // No room for the spawns of even one element: the event fails and is dropped.
      if (group_.Rank() == 0) {
        Scope::Word(space_.events[newest.Event()].error)
            .StoreRelaxed(static_cast<std::uint32_t>(procedure::EventError::kNoRoom));
      }
      group_.Barrier();
      content_.dropped = true;
      procedure = newest.Procedure();
      wanted = 1;
    }
    std::uint32_t taken = 0;
    content_.varied = item;
    if (item) {
      taken = memory_.stack.TakeNewestIf(
          group_, wanted, batch.elements,
          [&](const Element& element) { return statistics_.IsItem(element.Procedure()); });
    }
    if (taken == 0) {
      content_.varied = false;
      taken = memory_.stack.TakeNewest(group_, procedure, wanted, batch.elements);
    }
    return Take(procedure, taken, store_.Mixed());
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

  WY_HD Found TakeQueued(OwnBatch& batch, const strategy::BestBucket& best, std::uint32_t queue) {
    const std::uint32_t procedure = Procedures::OfSpawned(queue);
    const bool of_level = best.bucket >= procedure::kEventBuckets;
    const std::uint32_t wanted =
        room_.Wanted({procedure, of_level ? Statistics::kAnyEvent : best.bucket, 0, false});
    const std::uint32_t groups = statistics_.Groups(procedure);
    if (wanted == 0) return Found::kLocal;
    const bool dropped = !of_level && space_.events.IsDropped(best.bucket);
    // A level has few elements that many blocks want: draw of several levels.
    bool levels = of_level && wanted <= group_.Size() && group_.Size() > 1;
    std::uint32_t drawn = Space::Buckets::kFew;
    if (levels) {
      random_ = random_ * 1664525u + 1013904223u;
      const strategy::EachOf each{procedure::kEventBuckets, queue, (random_ >> 16) % window_};
      drawn = space_.buckets.DrawEach(group_, each, wanted, batch.elements);
      levels = drawn != Space::Buckets::kFew;
    }
    if (!levels) {
      const strategy::Wish wish{wanted, groups, 2 * blocks_, 2 * idle_blocks_};
      drawn = space_.buckets.Draw(group_, {best.bucket, queue}, wish, batch.elements);
    }
    if (drawn == Space::Buckets::kStuck) return Found::kStuck;
    if (drawn == 0) {
      // Other blocks were faster: look behind, or among more levels, from now on.
      least_rank_ = levels || by_clock_ ? 0 : best.rank + 1;
      if (levels) window_ = window_ < kMostWindow ? 2 * window_ : kMostWindow;
      return Found::kAgain;
    }
    least_rank_ = 0;
    if (levels) window_ -= window_ / 4;
    Scope::OrderAfterGet();
    // Look again, now that the drawn elements hold the event in its slot.
    content_.dropped = group_.Any(dropped) && IsDropped(best.bucket);
    return Take(procedure, drawn, of_level);
  }

  template <class Done>
  WY_HD Found TakeRange(OwnBatch& batch, std::uint32_t event, Done& done) {
    // The size of a claim: much, but without starving other blocks.
    std::uint32_t wanted = 1;
    if (event == range_event_) {
      const std::uint32_t groups = statistics_.Groups(range_procedure_);
      const std::uint32_t fair = range_left_ / (2 * blocks_) + 1;
      // Longer batches while many are to come, so that the last ones end together.
      const bool many = fair > kManyBatches * groups * room_.Rounds(range_procedure_, event, false);
      const bool alone = many && !several_events_;
      wanted =
          exec::Least(groups * room_.Rounds(range_procedure_, event, alone), Shape::kBatchElements);
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
    if (group_.Any(dropped) && IsDropped(event)) {
      DropRange(done);
      return Found::kAgain;
    }
    return TakePending(batch);
  }

  /// Whether an event has ended early. @shape event: one that has elements here
  WY_HD bool IsDropped(std::uint32_t event) { return group_.Any(space_.events.IsDropped(event)); }

  /// Takes over a claim that the executing threads left.
  WY_HD void TakeLeft() {
    pending_ = memory_.left.claim;
    fenced_event_ = range_event_ = memory_.left.event;
    fenced_stage_ = pending_.stage;
    range_procedure_ = pending_.plan.procedure;
    range_left_ = pending_.elements - pending_.first - pending_.count;
    group_.Barrier();
    if (group_.Rank() == 0) memory_.left.claim.count = 0;
  }

  /// Takes elements of the range that the block has claimed.
  WY_HD Found TakePending(OwnBatch& batch) {
    const std::uint32_t procedure = pending_.plan.procedure;
    const std::uint32_t wanted =
        exec::Least(room_.Wanted({procedure, range_event_, 0, !several_events_}), pending_.count);
    // Depth-first: the elements of the stack make room when they end.
    if (wanted == 0) return Found::kLocal;
    const std::uint32_t head = procedure::MakeHead(range_event_, procedure, range_event_);
    for (std::uint32_t i = group_.Rank(); i < wanted; i += group_.Size()) {
      const procedure::Range indices =
          EventTable<Scope, typename Space::Program>::IndicesOf(pending_, i);
      batch.elements[i] = {head, {indices.begin, indices.end}};
    }
    pending_.first += wanted;
    pending_.count -= wanted;
    content_.of_range = true;
    return Take(procedure, wanted, false);
  }

  /// Counts out the rest of a stage whose event was cancelled or has failed.
  template <class Done>
  WY_HD void DropRange(Done& done) {
    RangeClaim rest;
    if (group_.Rank() == 0) rest = space_.events.Claim(range_event_, kAllElements);
    rest = group_.Broadcast(rest);
    const std::uint32_t dropped = rest.count + pending_.count;
    pending_.count = 0;
    if (dropped != 0) account_.CountFinished(group_, range_event_, dropped, done);
    range_event_ = kNoEvent;
  }

  /// Notes the content of the next batch.
  WY_HD Found Take(std::uint32_t procedure, std::uint32_t count, bool mixed) {
    content_.procedure = procedure;
    content_.count = count;
    content_.mixed = mixed;
    group_.Barrier();
    return count == 0 ? Found::kAgain : Found::kBatch;
  }

  /// Leaves out the elements whose events have ended early.
  template <class Done>
  WY_HD void LeaveOutDropped(OwnBatch& batch, Done& done) {
    if (!content_.mixed && !content_.dropped) return;
    const std::uint32_t count = content_.count;
    content_.count = 0;
    if (!content_.mixed) {
      account_.CountFinished(group_, batch.elements[0].Event(), count, done);
      return;
    }
    content_.count = KeepIf(
        group_, batch.elements, count,
        [&](const Element& element) { return !space_.events.IsDropped(element.Event()); },
        [&](std::uint32_t event, std::uint32_t dropped) {
          account_.CountFinished(group_, event, dropped, done);
        });
  }

  template <class Done>
  WY_HD Found Give(OwnBatch& batch, Done& done) {
    const std::uint32_t event = batch.elements[0].Event();
    account_.TurnTo(group_, event, done);
    const std::uint32_t reserved = room_.Reserve(content_.procedure, content_.count);
    std::uint64_t cycles = 0, ahead_ns = 0;
    // Not while more of a claim is to come, which would wait for these groups.
    const bool alone = content_.of_range && !content_.ahead && !several_events_;
    const bool claims = Shape::kThreads > 1 && alone && pending_.count == 0 &&
                        memory_.left.claim.count == 0 && statistics_.IsUneven(content_.procedure);
    const std::uint32_t to_go = pending_.count != 0 ? 0
                                : claims            ? kClaimCycles
                                : several_events_   ? kBatchCycles
                                                    : kBatchCyclesAlone;
    if (several_events_) {
      cycles = statistics_.LikelyCycles(content_.procedure, event, content_.count);
      if (reserved != 0 && !content_.mixed && cycles < to_go) cycles = to_go;  // it may go on
      Clocks::Charge(group_, space_, memory_, event, static_cast<std::int64_t>(cycles));
      ahead_ns = statistics_.ToNs(cycles);
      account_.ChargeAhead(group_, ahead_ns);
    }
    CountByProcedure(group_, batch, content_.count, content_.varied);
    if (claims) account_.Flush(group_, done);  // the groups wait for the end of the stage
    if (group_.Rank() == 0) {
      batch.number = statistics_.Draws() + 1;
      batch.count = content_.count;
      batch.event = event;
      batch.procedure = content_.procedure;
      batch.reserved = reserved;
      batch.cycles_to_go = to_go;
      batch.claims = claims ? 1 : 0;
      batch.stage = fenced_stage_;
      batch.ns_per_cycle = statistics_.NsPerCycle();
      batch.claimed = 0;
      batch.left.count = 0;
      if (claims) Scope::BlockWord(memory_.others_run).StoreRelaxed(0);
      batch.mixed = content_.mixed ? 1 : 0;
      batch.charged_ns = ahead_ns;
      batch.charged_cycles = cycles;
    }
    group_.Barrier();
    return Found::kBatch;
  }

  /// Gives everything away and leaves; elements that find no room are executed first.
  template <class Done>
  WY_HD Found Park(bool ahead, Done& done) {
    if (ahead) return Found::kLater;
    store_.Spill(memory_.stack.Size());
    if (store_.Stuck()) return Found::kStuck;
    if (memory_.stack.Size() != 0) return Found::kLocal;
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
  Statistics statistics_;
  BatchRoom<Group, Space> room_;
  BlockStore<Group, Space> store_;
  RangeClaim pending_;  // claimed, not yet drawn; of range_event_
  std::uint32_t range_event_ = kNoEvent;
  std::uint32_t range_procedure_ = 0;
  std::uint32_t range_left_ = 0;
  std::uint32_t fenced_event_ = kNoEvent;
  std::uint32_t fenced_stage_ = 0;
  std::uint32_t least_rank_ = 0;  // lower ranks were empty at the last look
  std::uint32_t window_ = 1;      // of the first levels, some are left to others
  std::uint32_t random_;
  DrawContent content_;
  std::uint32_t idle_blocks_ = 0;
  bool several_events_ = false;
  bool by_clock_ = false;  // the bucket is not the one that ranks first
  bool idle_ = false;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_BLOCK_SCHEDULER_H_
