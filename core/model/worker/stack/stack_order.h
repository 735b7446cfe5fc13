// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Changes the order of the newest elements of a worker's stack: brings those to the top that are to
// be executed next.
#ifndef WARPYARD_CORE_MODEL_WORKER_STACK_STACK_ORDER_H_
#define WARPYARD_CORE_MODEL_WORKER_STACK_STACK_ORDER_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"

namespace warpyard::model {

/// @scope all members: the group of the worker that owns the stack
template <exec::LaneScope Group, class Space>
class StackOrder {
 public:
  using Element = procedure::Element;
  StackOrder() = delete;

  /// Sorts the newest elements: brings those single threads' elements to the top that are the most
  /// of one procedure and event. Returns whether these are a good run.
  WY_DEVICE_CALL WY_HD static bool Sort(Group& group, WorkerMemory<Space>& far_memory,
                                        const ProcedureTraits* traits, std::uint32_t good_run) {
    WorkerMemory<Space>& memory = Space::Scope::Near(far_memory);
    const std::uint32_t size = memory.stack.count;
    Element mine[kByLane];
    Load(group, memory, mine);
    // The kinds are those of the very newest elements.
    std::uint32_t best = 0, head = 0;
    std::uint32_t left = group.Ballot(mine[0].head != kNoHead);
    for (std::uint32_t kind = 0; kind < kMostKinds && left != 0; ++kind) {
      const std::uint32_t tried = group.BroadcastFrom(mine[0].head, exec::LowestBit(left));
      std::uint32_t count = 0;
      for (const Element& element : mine) {
        count += exec::CountBits(group.Ballot(element.head == tried));
      }
      left &= ~group.Ballot(mine[0].head == tried);
      // What a more urgent event has on top stays there.
      const bool fits = procedure::EventOf(tried) == memory.elements[size - 1].Event() &&
                        traits[procedure::ProcedureOf(tried)].lanes == 1;
      if (!fits || count <= best) continue;
      best = count;
      head = tried;
    }
    if (best < good_run) return false;
    PutOnTop(group, memory, mine, best,
             [&](const Element& element) { return element.head == head; });
    return true;
  }

  /// A bit for each event that has some of the newest elements.
  WY_DEVICE_CALL WY_HD static EventBits NewestEvents(Group& group,
                                                     WorkerMemory<Space>& far_memory) {
    const WorkerMemory<Space>& memory = Space::Scope::Near(far_memory);
    EventBits events{};
    Element mine[kByLane];
    Load(group, memory, mine);
    for (const Element& element : mine) {
      std::uint32_t left = group.Ballot(IsOfEvent(element));
      while (left != 0) {
        const std::uint32_t event = group.BroadcastFrom(element.Event(), exec::LowestBit(left));
        events.words[event / 32 % 2] |= 1u << event % 32;
        left &= ~group.Ballot(element.Event() == event);
      }
    }
    return events;
  }

  /// Brings those of the newest elements to the top that are of an event.
  WY_DEVICE_CALL WY_HD static void BringUp(Group& group, WorkerMemory<Space>& far_memory,
                                           std::uint32_t event) {
    WorkerMemory<Space>& memory = Space::Scope::Near(far_memory);
    Element mine[kByLane];
    Load(group, memory, mine);
    std::uint32_t count = 0;
    for (const Element& element : mine) {
      const bool wanted = IsOfEvent(element) && element.Event() == event;
      count += exec::CountBits(group.Ballot(wanted));
    }
    PutOnTop(group, memory, mine, count, [&](const Element& element) {
      return IsOfEvent(element) && element.Event() == event;
    });
  }

 private:
  // More than others give at once: what was on top before stays in sight.
  static constexpr std::uint32_t kByLane = Space::Shape::kLanes == 1 ? 64 : 3;
  static constexpr std::uint32_t kMostKinds = 4;  // that Sort looks at

  /// Whether there is an element, and it is not of a level.
  WY_HD static bool IsOfEvent(const Element& element) {
    return element.head != kNoHead && element.Bucket() == element.Event();
  }

  /// Puts those of the newest elements on top that are wanted; the others keep their order.
  /// @shape mine: the newest elements, as Load gives them; count: of the wanted ones
  template <class IsWanted>
  WY_HD static void PutOnTop(Group& group, WorkerMemory<Space>& memory,
                             const Element (&mine)[kByLane], std::uint32_t count,
                             IsWanted&& is_wanted) {
    const std::uint32_t size = memory.stack.count;
    group.Barrier();           // all have read their elements
    std::uint32_t before = 0;  // wanted elements that are newer
    for (std::uint32_t k = 0; k < kByLane; ++k) {
      const std::uint32_t i = k * group.Size() + group.Rank();
      const bool wanted = i < size && is_wanted(mine[k]);
      const std::uint32_t lanes = group.Ballot(wanted);
      const std::uint32_t newer = before + exec::PlaceAmong(lanes, group.Rank());
      const std::uint32_t place = wanted ? newer : count + i - newer;
      if (i < size) memory.elements[size - 1 - place] = mine[k];
      before += exec::CountBits(lanes);
    }
    group.Barrier();
  }

  /// Each lane's newest elements.
  WY_HD static void Load(const Group& group, const WorkerMemory<Space>& memory,
                         Element (&mine)[kByLane]) {
    const std::uint32_t size = memory.stack.count;
    for (std::uint32_t k = 0; k < kByLane; ++k) {
      const std::uint32_t i = k * group.Size() + group.Rank();
      mine[k] = i < size ? memory.elements[size - 1 - i] : Element{kNoHead, {0, 0}};
    }
  }
  static constexpr std::uint32_t kNoHead = ~0u;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_STACK_STACK_ORDER_H_
