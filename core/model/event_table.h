// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The events that run on a device: their stages, their outstanding elements, their end.
// [Steinberger §3.1.3, §3.4.2]
//
// A stage over indices is not queued element by element: it is a cursor that workers advance, so
// that opening a stage of a million indices is one store. The stage number is in the cursor's upper
// bits and in the description of the stage, so that a worker that comes late to an old stage
// notices.
// Workers count out the elements that they finish; the group that counts out the last one opens the
// next stage. All groups release the count, and that group acquires it; then it releases the cursor
// of the next stage, and then its hint. So every stage sees the stores of the stage before. A claim
// by a cursor must be executed. So a worker that sees a new cursor before the description of its
// stage looks again, behind an acquire.
#ifndef WARPYARD_CORE_MODEL_EVENT_TABLE_H_
#define WARPYARD_CORE_MODEL_EVENT_TABLE_H_

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
template <class Program>
struct alignas(128) Event {
  typename Program::Job job;

  alignas(128) std::uint32_t outstanding;  ///< elements that wait or run, and stages to come
  alignas(128) std::uint64_t cursor;       ///< stage << kStageShift | next element of its range
  exec::PackedSlot stages[2];              ///< of even and odd stages; see EventTable::Publish
  std::uint32_t opened;  ///< stages that were opened, and ends, of all events of the slot

  alignas(128) std::uint32_t state;  ///< EventState
  std::uint32_t cancel;              ///< elements are dropped when drawn, stages passed over
  std::uint32_t error;               ///< procedure::EventError
  std::uint32_t stage;               ///< the one that runs
  std::uint32_t turn;                ///< which event of the slot it is; the host counts them
  std::uint64_t begin_ns[Program::kMaxStages + 1];  ///< of each stage; the last entry is the end

  alignas(128) policy::EventView view;  ///< the controller writes it
  std::uint64_t executed_ns;            ///< block time, summed by workers
  std::uint64_t served_ns;              ///< when a worker last drew of it
};

/// Elements of a stage that a worker may execute: of the range [first, first + count).
struct RangeClaim {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t elements = 0;  ///< of the whole stage
  std::uint32_t stage = 0;
  procedure::StagePlan plan;
};

/// The state behind a stage of an event.
struct StageAfter {
  enum class State : std::uint32_t {
    kToCome,  ///< the stage runs
    kOpen,    ///< the next one is open, or was
    kNone,    ///< that was the last one, or the slot has gone on to another event
  };
  State state;
  exec::PackedSlot described;  ///< kOpen: for Claim
  std::uint32_t elements;      ///< then
  std::uint32_t procedure;     ///< then
};

/// A program may declare `template <class Scope> static void Finish(const Job&)`: one thread calls
/// it when all stages of an event are over, or dropped, before the end of the event is reported.
/// @shape zero-initialised memory that all workers reach
template <class Scope, class Program>
class EventTable {
 public:
  using Event = model::Event<Program>;
  static constexpr std::uint32_t kEvents = procedure::kEventBuckets;

  WY_HD Event& operator[](std::uint32_t event) { return events_[event]; }

  /// Starts an event whose job and view are in its slot: opens its first stage. True when it has
  /// nothing to do and is done. @scope one thread
  WY_HD bool Start(std::uint32_t index) {
    Event& event = events_[index];
    Scope::Word(event.executed_ns).StoreRelaxed(0);
    Scope::Word(event.served_ns).StoreRelaxed(event.view.arrival_ns);
    event.stage = 0;
    Scope::Word(event.error).StoreRelaxed(0);
    Scope::Word(event.state).StoreRelaxed(static_cast<std::uint32_t>(EventState::kRunning));
    return OpenFrom(event, 0);
  }

  /// Counts `count` elements as finished. True when they were the last of the event.
  /// `opened` is set when another stage was opened: its hint is to be set then. @scope one thread
  WY_HD bool CountOut(std::uint32_t index, std::uint32_t count, bool& opened) {
    Event& event = events_[index];
    opened = false;
    if (Scope::Word(event.outstanding).FetchSubAcqRel(count) != count) return false;
    if (OpenFrom(event, event.stage + 1)) return true;
    opened = true;
    return false;
  }

  /// Counts elements in before any other thread can see them. @scope any thread
  WY_HD void CountIn(std::uint32_t index, std::uint32_t count) {
    Scope::Word(events_[index].outstanding).FetchAddRelaxed(count);
  }

  /// Claims up to `wanted` elements of the event's open stage. @scope one thread
  /// @shape described: a stage that the caller knows, which need not be loaded if it is that one
  WY_HD RangeClaim Claim(std::uint32_t index, std::uint32_t wanted,
                         const exec::PackedSlot& described = {~0u, {}}) {
    Event& event = events_[index];
    const std::uint64_t cursor = Scope::Word(event.cursor).FetchAddRelaxed(wanted);
    RangeClaim claim;
    claim.stage = static_cast<std::uint32_t>(cursor >> kStageShift);
    exec::PackedSlot found = described;
    if (found.turn != claim.stage) found = Scope::LoadSlot(event.stages[claim.stage % 2]);
    if (found.turn != claim.stage) {
      static_cast<void>(Scope::Word(event.cursor).LoadAcquire());
      found = Scope::LoadSlot(event.stages[claim.stage % 2]);
    }
    const std::uint64_t first = cursor & kIndexMask;
    if (found.turn != claim.stage || first >= found.payload[0]) return claim;
    if constexpr (requires { requires Scope::kSlotsMayTear; }) {
      // A claim beyond an old stage could be taken for one of the newer stage that is described in
      // its place by now. A stage with an open claim is still the cursor's stage.
      const std::uint64_t now = Scope::Word(event.cursor).LoadAcquire();
      if (static_cast<std::uint32_t>(now >> kStageShift) != claim.stage) return claim;
    }
    claim.elements = found.payload[0];
    claim.first = static_cast<std::uint32_t>(first);
    claim.count = claim.elements - claim.first < wanted ? claim.elements - claim.first : wanted;
    claim.plan = {ProcedureId(found.payload[1] & 0xffu), found.payload[2], found.payload[1] >> 8};
    return claim;
  }

  /// The state behind a stage, for a block that stays with the event. The next stage may be over by
  /// the time of the claim, which may then be of any later stage of the slot. @scope any thread
  /// @shape stage: the number of one that was claimed of
  WY_HD StageAfter LookAfter(std::uint32_t index, std::uint32_t stage) {
    using State = StageAfter::State;
    const std::uint32_t next = (stage + 1) & kStageMask;
    const exec::PackedSlot found = Scope::LoadSlot(events_[index].stages[next % 2]);
    if (found.turn == ((stage - 1) & kStageMask)) return {State::kToCome, {}, 0, 0};
    if (found.turn != next || found.payload[0] == 0) return {State::kNone, {}, 0, 0};
    return {State::kOpen, found, found.payload[0], found.payload[1] & 0xffu};
  }

  /// Whether the open stage has unclaimed elements. @scope any thread
  WY_HD bool HasRange(std::uint32_t index) {
    Event& event = events_[index];
    const std::uint64_t cursor = Scope::Word(event.cursor).LoadRelaxed();
    const auto stage = static_cast<std::uint32_t>(cursor >> kStageShift);
    const exec::PackedSlot found = Scope::LoadSlot(event.stages[stage % 2]);
    return found.turn == stage && (cursor & kIndexMask) < found.payload[0];
  }

  WY_HD bool IsDropped(std::uint32_t index) {
    Event& event = events_[index];
    return (Scope::Word(event.cancel).LoadRelaxed() | Scope::Word(event.error).LoadRelaxed()) != 0;
  }

  /// How the stage of a claim is described; nothing, if there was no claim.
  WY_HD static exec::PackedSlot DescriptionOf(const RangeClaim& claim) {
    if (claim.elements == 0) return {~0u, {}};
    return {claim.stage,
            {claim.elements, claim.plan.grain << 8 | claim.plan.procedure, claim.plan.count}};
  }

  WY_HD static procedure::Range IndicesOf(const RangeClaim& claim, std::uint32_t i) {
    const std::uint32_t begin = (claim.first + i) * claim.plan.grain;
    const std::uint32_t left = claim.plan.count - begin;
    return {begin, begin + (left < claim.plan.grain ? left : claim.plan.grain)};
  }

 private:
  static constexpr std::uint32_t kStageShift = 40;
  static constexpr std::uint32_t kStageMask = (1u << (64 - kStageShift)) - 1;
  static constexpr std::uint64_t kIndexMask = (std::uint64_t{1} << kStageShift) - 1;

  /// Opens the first stage from `stage` on that has indices. True when there is none: the event is
  /// done.
  WY_HD bool OpenFrom(Event& event, std::uint32_t stage) {
    const auto index = static_cast<std::uint32_t>(&event - events_);
    const std::uint32_t stages = Program::StageCount(event.job);
    const std::uint64_t now_ns = Scope::NowNs();  // one time for all empty stages
    for (; stage < stages; ++stage) {
      const procedure::StagePlan plan = Program::template Plan<Scope>(event.job, stage);
      event.begin_ns[stage] = now_ns;
      if (plan.count == 0 || IsDropped(index)) continue;
      event.stage = stage;
      Scope::Word(event.outstanding).StoreRelaxed(ElementsOf(plan));
      Publish(event, plan);
      return false;
    }
    if constexpr (requires { Program::template Finish<Scope>(event.job); }) {
      Program::template Finish<Scope>(event.job);
    }
    event.begin_ns[stages] = now_ns;
    Publish(event, {});  // shows waiting blocks that no stage follows
    return true;
  }

  /// Publishes a stage in one slot: its number, elements, grain and procedure, and indices. A
  /// worker that sees the slot before the cursor claims of the old stage, gets nothing, and looks
  /// again. For a worker that sees the cursor first, see Claim.
  WY_HD static void Publish(Event& event, const procedure::StagePlan& plan) {
    const std::uint32_t number = ++event.opened & kStageMask;
    Scope::StoreSlot(event.stages[number % 2],
                     {number, {ElementsOf(plan), plan.grain << 8 | plan.procedure, plan.count}});
    Scope::Word(event.cursor).StoreRelease(std::uint64_t{number} << kStageShift);
  }

  WY_HD static std::uint32_t ElementsOf(const procedure::StagePlan& plan) {
    return plan.count == 0 ? 0 : (plan.count - 1) / plan.grain + 1;
  }

  Event events_[kEvents];
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_EVENT_TABLE_H_
