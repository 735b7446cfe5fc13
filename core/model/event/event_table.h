// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The events that run on a device: their stages, their outstanding elements, their end.
// [Steinberger §3.1.3, §3.4.2]
//
// A stage over indices is not queued element by element: it is a cursor that workers advance, so
// that opening a stage of a million indices is one store. The stage number is in the cursor's upper
// bits and in the description of the stage, so that a worker that comes late to an old stage
// notices.
// Workers count out the elements that they finish; the worker that counts out the last one opens
// the next stage. All workers release the count, and that worker acquires it; then it releases the
// cursor of the next stage. So every stage sees the stores of the stage before. A claim by a cursor
// must be executed. So a worker that sees a new cursor before the description of its stage looks
// again, behind an acquire. The board (worker/board.h) shows which events have an open stage. The
// worker that opens a stage turns the event's bit over, and so does the worker whose claim takes
// the last element: one of each for a stage, and both before the stage can end. So no stage is
// shown twice or overlooked.
#ifndef WARPYARD_CORE_MODEL_EVENT_EVENT_TABLE_H_
#define WARPYARD_CORE_MODEL_EVENT_EVENT_TABLE_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/packed_slot.h"
#include "core/policy/policy.h"
#include "core/procedure/element.h"
#include "core/procedure/event_runner.h"
#include "core/procedure/procedure_concept.h"

namespace warpyard::model {

/// States of an event's slot. The thread that starts an event moves kFree -> kRunning. The thread
/// that learns of its end moves it on: to kDone where the host looks at the slot itself, and to
/// kFree.
enum class EventState : std::uint32_t { kFree, kRunning, kDone };

/// A running job on the device.
/// The words that all workers change are far from each other and from what they read.
template <class Scope, class Program>
struct Event {
  typename Program::Job job;

  /// Elements that wait or run, in the lower half; in the upper half the time that workers have
  /// taken for all events of the slot, in microseconds, modulo 2^32. One atomic tells both.
  alignas(Scope::kContendedBytes) std::uint64_t account;
  /// stage << kStageShift | next element of its range
  alignas(Scope::kContendedBytes) std::uint64_t cursor;
  alignas(Scope::kContendedBytes) exec::PackedSlot stages[2];  ///< even and odd; see Publish
  std::uint32_t opened;  ///< stages that were opened, and ends, of all events of the slot

  alignas(128) std::uint32_t state;  ///< EventState
  std::uint32_t cancel;              ///< elements are dropped when drawn, stages passed over
  std::uint32_t error;               ///< procedure::EventError
  std::uint32_t stage;               ///< the one that runs
  std::uint32_t turn;                ///< which event of the slot it is; the host counts them
  std::uint64_t begin_ns[Program::kMaxStages + 1];  ///< of each stage; the last entry is the end

  alignas(128) policy::EventView view;  ///< the controller writes it
};

/// Elements of a stage that a worker may execute: of the range [first, first + count).
struct RangeClaim {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t elements = 0;  ///< of the whole stage
  std::uint32_t stage = 0;
  procedure::StagePlan plan;

  /// Whether the stage's last element is one of them. Exactly one claim of a stage has it.
  WY_HD bool TakesLast() const { return count != 0 && first + count == elements; }
  /// Elements of the stage that nobody had claimed before.
  WY_HD std::uint32_t Left() const { return elements - first - count; }
};

/// The stage before an open one.
struct StageBefore {
  std::uint32_t procedure = 0;
  std::uint32_t us_ago = ~0u;  ///< when the open one opened, about; ~0: there was none before
};

/// What became of an event. @shape elements 0: no stage was opened
struct Opened {
  bool done = false;  ///< all of its stages are over
  std::uint32_t elements = 0;
  std::uint32_t procedure = 0;
};

/// A program may declare two functions:
///   template <class Scope> static void Finish(const Job&)
///     One thread calls it when all stages of an event are over, or dropped, before the end of the
///     event is reported.
///   static bool CanPlanDropped(const Job&)
///     Whether a stage can be planned although the stages before it were dropped. Default: it can
/// @shape zero-initialised memory that all workers reach
template <class Scope, class Program>
class EventTable {
 public:
  using Event = model::Event<Scope, Program>;
  static constexpr std::uint32_t kEvents = procedure::kEventBuckets;
  static constexpr std::uint32_t kNoStage = ~0u;  ///< no stage has this number

  WY_HD Event& operator[](std::uint32_t event) { return events_[event]; }

  /// Starts an event whose job and view are in its slot: opens its first stage. @scope one thread
  template <class Board>
  WY_HD Opened Start(std::uint32_t index, Board& board) {
    Event& event = events_[index];
    event.stage = 0;
    Scope::Word(event.error).StoreRelaxed(0);
    // The time of the slot goes on: RankKeeper may not have read all of the event before yet.
    const std::uint64_t account = Scope::Word(event.account).LoadRelaxed();
    Scope::Word(begun_us_[index]).StoreRelease(static_cast<std::uint32_t>(account >> 32));
    // Whoever sees that it runs sees its view.
    Scope::Word(event.state).StoreRelease(static_cast<std::uint32_t>(EventState::kRunning));
    return OpenFrom(event, 0, account, board);
  }

  /// Counts `count` elements as finished, which took `us` microseconds of workers. Opens the next
  /// stage if they were the last ones. @scope one thread
  template <class Board>
  WY_HD Opened CountOut(std::uint32_t index, std::uint32_t count, std::uint32_t us, Board& board) {
    Event& event = events_[index];
    const std::uint64_t change = (std::uint64_t{us} << 32) - count;
    const std::uint64_t before = Scope::Word(event.account).FetchAddAcqRel(change);
    if (static_cast<std::uint32_t>(before) != count) return {};
    return OpenFrom(event, event.stage + 1, before + change, board);
  }

  /// Counts elements in before any other thread can see them, and time. @scope any thread that
  ///     holds an element of the event
  WY_HD void CountIn(std::uint32_t index, std::uint32_t count, std::uint32_t us) {
    Scope::Word(events_[index].account).FetchAddRelaxed((std::uint64_t{us} << 32) + count);
  }

  /// The time that workers have taken so far for all events of a slot. @units microseconds, modulo
  ///     2^32 @scope any thread
  WY_HD std::uint32_t ExecutedUs(std::uint32_t index) {
    return static_cast<std::uint32_t>(Scope::Word(events_[index].account).LoadRelaxed() >> 32);
  }
  /// The same when the slot's latest event started. A later ExecutedUs is not before it.
  WY_HD std::uint32_t BegunUs(std::uint32_t index) {
    return Scope::Word(begun_us_[index]).LoadAcquire();
  }

  /// Claims up to `wanted` elements of the event's open stage. The caller sees what the stages
  /// before have stored. @scope one thread
  /// @shape known: the stage that the caller claimed of last; another one needs an acquire, which
  ///     empties the cache of a multiprocessor
  WY_HD RangeClaim Claim(std::uint32_t index, std::uint32_t wanted, std::uint32_t known) {
    Event& event = events_[index];
    const auto word = Scope::Word(event.cursor);
    // Both descriptions are under way together with the cursor. They come first: what follows an
    // acquire waits for it.
    const exec::PackedSlot even = Scope::LoadSlot(event.stages[0]);
    const exec::PackedSlot odd = Scope::LoadSlot(event.stages[1]);
    const std::uint64_t cursor =
        known == kNoStage ? word.FetchAddAcquire(wanted) : word.FetchAddRelaxed(wanted);
    RangeClaim claim;
    claim.stage = static_cast<std::uint32_t>(cursor >> kStageShift);
    exec::PackedSlot found = claim.stage % 2 == 0 ? even : odd;
    if (found.turn != claim.stage) {
      static_cast<void>(word.LoadAcquire());
      found = Scope::LoadSlot(event.stages[claim.stage % 2]);
    }
    const std::uint64_t first = cursor & kIndexMask;
    if (found.turn != claim.stage || first >= found.payload[0]) return claim;
    if constexpr (requires { requires Scope::kSlotsMayTear; }) {
      // A claim beyond an old stage could be taken for one of the newer stage that is described in
      // its place by now. A stage with an open claim is still the cursor's stage.
      const std::uint64_t now = word.LoadAcquire();
      if (static_cast<std::uint32_t>(now >> kStageShift) != claim.stage) return claim;
    }
    if (known != kNoStage && known != claim.stage) static_cast<void>(word.LoadAcquire());
    claim.elements = found.payload[0];
    claim.first = static_cast<std::uint32_t>(first);
    claim.count = claim.elements - claim.first < wanted ? claim.elements - claim.first : wanted;
    claim.plan = {ProcedureId(found.payload[1] & 0xffu), found.payload[2], found.payload[1] >> 8};
    return claim;
  }

  /// Whether the open stage seems to have elements that nobody has claimed. @scope any thread
  WY_HD bool HasUnclaimed(std::uint32_t index) {
    Event& event = events_[index];
    const std::uint64_t cursor = Scope::Word(event.cursor).LoadRelaxed();
    const auto stage = static_cast<std::uint32_t>(cursor >> kStageShift);
    const exec::PackedSlot found = Scope::LoadSlot(event.stages[stage % 2]);
    return found.turn == stage && (cursor & kIndexMask) < found.payload[0];
  }

  /// Whether an event of the slot is not over yet. @scope any thread
  WY_HD bool IsRunning(std::uint32_t index) {
    return Scope::Word(events_[index].state).LoadRelaxed() ==
           static_cast<std::uint32_t>(EventState::kRunning);
  }

  /// The stage before the open one of an event, which may have gone on meanwhile. @scope any thread
  WY_HD StageBefore Before(std::uint32_t index) {
    const std::uint32_t word = Scope::Word(before_[index]).LoadRelaxed();
    if (word == 0) return {};
    return {word & 0xffu, (ClockOf(Scope::NowNs()) - word) >> 8};
  }

  /// Whether elements of the event are to be dropped. True is certain only while the caller holds
  /// an element of the event: only then the slot cannot go on to another event.
  /// @scope any thread
  WY_HD bool IsDropped(std::uint32_t index) {
    Event& event = events_[index];
    return (Scope::Word(event.cancel).LoadRelaxed() | Scope::Word(event.error).LoadRelaxed()) != 0;
  }

  /// The indices of `count` elements of a claim, from number `i` of it on.
  WY_HD static procedure::Range IndicesOf(const RangeClaim& claim, std::uint32_t i,
                                          std::uint32_t count = 1) {
    const std::uint32_t begin = (claim.first + i) * claim.plan.grain;
    const std::uint32_t left = claim.plan.count - begin;
    const std::uint32_t wanted = count * claim.plan.grain;
    return {begin, begin + (left < wanted ? left : wanted)};
  }

 private:
  static constexpr std::uint32_t kStageShift = 40;
  static constexpr std::uint32_t kStageMask = (1u << (64 - kStageShift)) - 1;
  static constexpr std::uint64_t kIndexMask = (std::uint64_t{1} << kStageShift) - 1;

  /// @units about microseconds, modulo 2^24, in the upper bits; never 0
  WY_HD static std::uint32_t ClockOf(std::uint64_t ns) {
    return (static_cast<std::uint32_t>(ns >> 10) | 1u) << 8;
  }

  /// Opens the first stage from `stage` on that has indices. If there is none the event is done.
  /// @shape account: of the event, which no other thread touches now
  template <class Board>
  WY_HD Opened OpenFrom(Event& event, std::uint32_t stage, std::uint64_t account, Board& board) {
    const auto index = static_cast<std::uint32_t>(&event - events_);
    const std::uint32_t stages = Program::StageCount(event.job);
    const std::uint64_t now_ns = Scope::NowNs();  // one time for all empty stages
    const bool is_first = stage == 0;
    for (; stage < stages; ++stage) {
      const bool dropped = IsDropped(index);  // under way together with the plan
      event.begin_ns[stage] = now_ns;
      if constexpr (requires { Program::CanPlanDropped(event.job); }) {
        if (!Program::CanPlanDropped(event.job) && dropped) continue;
      }
      const procedure::StagePlan plan = Program::template Plan<Scope>(event.job, stage);
      if (plan.count == 0 || dropped) continue;
      event.stage = stage;
      // event.stages still has what Publish stored for the stage before.
      const std::uint32_t before =
          Scope::LoadSlot(event.stages[event.opened % 2]).payload[1] & 0xffu;
      Scope::Word(before_[index]).StoreRelaxed(is_first ? 0 : ClockOf(now_ns) | before);
      const std::uint32_t elements = ElementsOf(plan);
      Scope::Word(event.account).StoreRelaxed((account >> 32 << 32) + elements);
      board.Describe(index, elements, plan.procedure,
                     event.view.deadline_ns != policy::kNoDeadline);
      Publish(event, elements, plan);
      board.Toggle(index);
      return {false, elements, plan.procedure};
    }
    if constexpr (requires { Program::template Finish<Scope>(event.job); }) {
      Program::template Finish<Scope>(event.job);
    }
    event.begin_ns[stages] = now_ns;
    return {true, 0, 0};
  }

  /// Publishes a stage in one slot: its number, elements, grain and procedure, and indices. A
  /// worker that sees the slot before the cursor claims of the old stage, gets nothing, and looks
  /// again. For a worker that sees the cursor first, see Claim.
  WY_HD static void Publish(Event& event, std::uint32_t elements,
                            const procedure::StagePlan& plan) {
    const std::uint32_t number = ++event.opened & kStageMask;
    Scope::StoreSlot(event.stages[number % 2],
                     {number, {elements, plan.grain << 8 | plan.procedure, plan.count}});
    Scope::Word(event.cursor).StoreRelease(std::uint64_t{number} << kStageShift);
  }

  WY_HD static std::uint32_t ElementsOf(const procedure::StagePlan& plan) {
    return plan.count == 0 ? 0 : (plan.count - 1) / plan.grain + 1;
  }

  Event events_[kEvents];
  std::uint32_t begun_us_[kEvents];  ///< ExecutedUs when the slot's latest event started
  /// When the open stage of a slot's event opened, and the procedure of the one before; 0: it is
  /// the first one.
  std::uint32_t before_[kEvents];
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_EVENT_EVENT_TABLE_H_
