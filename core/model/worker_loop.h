// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The one loop that CPU workers and the blocks of the megakernel run: draw, execute, finish.
//
// Stages follow one another without the host: the worker whose element was the last one outstanding
// plans the next stage, counts its elements and queues them. [Steinberger §3.2]
#ifndef WARPYARD_CORE_MODEL_WORKER_LOOP_H_
#define WARPYARD_CORE_MODEL_WORKER_LOOP_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/model/workspace.h"
#include "core/procedure/procedure_concept.h"
#include "core/queue/queue_concept.h"
#include "core/strategy/per_procedure.h"

namespace warpyard::model {

/// Outcome of one round of the loop.
enum class Round : std::uint32_t { kIdle, kWorked, kEventDone, kStuck };

/// @scope all members: called by a whole block together
template <class Scope, class Program>
class WorkerLoop {
 public:
  using Space = Workspace<Scope, Program>;

  WY_HD WorkerLoop(Scope& scope, Space& space) : scope_(scope), space_(space) {}

  /// Draws one element, executes it and finishes it.
  WY_HD Round RunOnce() {
    strategy::Drawn<Element> drawn{kNothing, {}};
    if (scope_.Rank() == 0) drawn = Draw();
    drawn = scope_.Broadcast(drawn);
    if (drawn.procedure == kNothing) return Round::kIdle;
    if (drawn.procedure == kStuckDraw) return Round::kStuck;
    Execute(drawn.procedure, drawn.element);
    return Finish(drawn.element.event, 1);
  }

  /// Starts an event whose job is in its slot and whose state is kRunning.
  WY_HD Round StartEvent(std::uint32_t event) {
    if (scope_.Rank() == 0) {
      space_.events[event].stage = 0;
      space_.events[event].begin_ns[0] = Scope::NowNs();
    }
    scope_.Barrier();
    return RunStagesFrom(event, 0);
  }

 private:
  static constexpr std::uint32_t kNothing = 0xffffffffu;
  static constexpr std::uint32_t kStuckDraw = 0xfffffffeu;

  WY_HD strategy::Drawn<Element> Draw() {
    strategy::Drawn<Element> drawn{kNothing, {}};
    const queue::PopResult result = space_.queues.TryDraw(drawn);
    if (result == queue::PopResult::kEmpty) drawn.procedure = kNothing;
    if (result == queue::PopResult::kStuck) drawn.procedure = kStuckDraw;
    return drawn;
  }

  WY_HD bool Cancelled(std::uint32_t event) {
    return Scope::Word(space_.events[event].cancel).LoadRelaxed() != 0;
  }

  WY_HD void Execute(std::uint32_t procedure, const Element& element) {
    const std::uint32_t cancelled =
        scope_.Broadcast(std::uint32_t{scope_.Rank() == 0 && Cancelled(element.event)});
    if (cancelled != 0) return;
    const std::uint64_t begin_ns = Scope::NowNs();
    procedure::Context<Scope, typename Program::Job> context{
        scope_, space_.events[element.event].job, &space_.events[element.event].cancel};
    Program::Procedures::Execute(procedure, context, procedure::Range{element.begin, element.end});
    scope_.Barrier();
    if (scope_.Rank() != 0) return;
    ProcedureCounters& counters = space_.procedures[procedure];
    Scope::Word(counters.executed).FetchAddRelaxed(1);
    Scope::Word(counters.busy_ns).FetchAddRelaxed(Scope::NowNs() - begin_ns);
  }

  /// Counts `elements` of the current stage as finished; goes on with the event if they were the
  /// last. The barrier in front and the acquire-release count make what all threads of all blocks
  /// wrote in the stage visible to whoever runs the next.
  WY_HD Round Finish(std::uint32_t event, std::uint32_t elements) {
    scope_.Barrier();
    std::uint32_t last = 0;
    if (scope_.Rank() == 0) {
      last = Scope::Word(space_.events[event].outstanding).FetchSubAcqRel(elements) == elements;
    }
    last = scope_.Broadcast(last);
    if (last == 0) return Round::kWorked;
    return RunStagesFrom(event, space_.events[event].stage + 1);
  }

  /// Starts stages from `stage` on until one is left with outstanding elements or the event is
  /// done.
  WY_HD Round RunStagesFrom(std::uint32_t event_index, std::uint32_t stage) {
    Event<Program>& event = space_.events[event_index];
    const std::uint32_t stages = Program::StageCount(event.job);
    for (; stage < stages; ++stage) {
      procedure::StagePlan plan = Program::template Plan<Scope>(event.job, stage);
      if (scope_.Broadcast(std::uint32_t{scope_.Rank() == 0 && Cancelled(event_index)}) != 0) {
        plan.count = 0;
      }
      if (scope_.Rank() == 0) {
        event.stage = stage;
        event.begin_ns[stage] = Scope::NowNs();
      }
      if (plan.count == 0) continue;
      const std::uint32_t executed = QueueStage(event_index, plan);
      if (executed == kStuckDraw) return Round::kStuck;
      if (executed == 0) return Round::kWorked;
      // Elements that found no room ran here; count them out like any other.
      scope_.Barrier();
      std::uint32_t last = 0;
      if (scope_.Rank() == 0) {
        last = Scope::Word(event.outstanding).FetchSubAcqRel(executed) == executed;
      }
      if (scope_.Broadcast(last) == 0) return Round::kWorked;
    }
    if (scope_.Rank() == 0) {
      event.begin_ns[stages] = Scope::NowNs();
      Scope::Word(event.state).StoreRelease(static_cast<std::uint32_t>(EventState::kDone));
    }
    scope_.Barrier();
    return Round::kEventDone;
  }

  /// Queues all elements of a stage; executes depth-first those that find the queue full. Returns
  /// how many it executed, or kStuckDraw.
  WY_HD std::uint32_t QueueStage(std::uint32_t event, const procedure::StagePlan& plan) {
    const std::uint32_t grain = Grain(plan);
    const std::uint32_t elements = (plan.count - 1) / grain + 1;
    if (scope_.Rank() == 0) Scope::Word(space_.events[event].outstanding).StoreRelaxed(elements);
    scope_.Barrier();
    std::uint32_t executed = 0;
    for (std::uint32_t first = 0; first < elements; first += scope_.Size()) {
      const std::uint32_t own = first + scope_.Rank();
      queue::PushResult result = queue::PushResult::kOk;
      if (own < elements) {
        result = space_.queues.TryPush(plan.procedure, MakeElement(event, plan, grain, own));
      }
      if (!scope_.Any(result != queue::PushResult::kOk)) continue;
      if (scope_.Any(result == queue::PushResult::kStuck)) return kStuckDraw;
      for (std::uint32_t r = 0; r < scope_.Size(); ++r) {
        if (!scope_.Any(scope_.Rank() == r && result == queue::PushResult::kFull)) continue;
        Execute(plan.procedure, MakeElement(event, plan, grain, first + r));
        ++executed;
      }
    }
    return executed;
  }

  /// Indices an element: the procedure's own grain, or more where a stage would fill half a queue.
  WY_HD static std::uint32_t Grain(const procedure::StagePlan& plan) {
    const std::uint32_t least = (plan.count - 1) / (Space::kQueueCapacity / 2) + 1;
    return plan.grain > least ? plan.grain : least;
  }

  WY_HD static Element MakeElement(std::uint32_t event, const procedure::StagePlan& plan,
                                   std::uint32_t grain, std::uint32_t index) {
    const std::uint32_t begin = index * grain;
    const std::uint32_t end = plan.count - begin < grain ? plan.count : begin + grain;
    return {event, begin, end};
  }

  Scope& scope_;
  Space& space_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_LOOP_H_
