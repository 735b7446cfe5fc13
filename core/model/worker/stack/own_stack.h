// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A worker's own stack: the elements that it claimed or spawned and has not executed yet.
// [Steinberger §5.1.4]
//
// The newest elements are in the fast memory of the block. Where these become too many, the older
// half moves to the worker's reserve in the memory of the device, without an atomic, since nobody
// else touches either; and back when the newer ones are executed.
// The worker takes its newest elements, which keeps the memory of a recursion small. It gives its
// oldest ones to others, since old elements stand for more work. [SilvaThesis Alg. 3.7-3.13]
#ifndef WARPYARD_CORE_MODEL_WORKER_STACK_OWN_STACK_H_
#define WARPYARD_CORE_MODEL_WORKER_STACK_OWN_STACK_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/model/worker/stack/stack_order.h"
#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"

namespace warpyard::model {

/// Elements of the stack that are executed together: the newest `count`, of one event, and of one
/// procedure or of several procedures of single threads.
struct Round {
  std::uint32_t count;
  std::uint32_t procedure;  ///< of the newest one
  std::uint32_t lanes;      ///< that execute one; 0: a team
};

/// Elements that can be added to a worker's stack; all must fit the reserve when the worker parks.
template <class Space>
WY_HD std::uint32_t FreePlaces(const WorkerMemory<Space>& memory) {
  const std::uint32_t size = memory.stack.count;
  const std::uint32_t held = size + memory.reserve_to - memory.reserve_from;
  if (held >= Space::Shape::kReserveElements) return 0;
  return exec::Least(Space::Shape::kStackElements - size, Space::Shape::kReserveElements - held);
}

/// @scope all members: the group of the worker that owns it
template <exec::LaneScope Group, class Space>
class OwnStack {
 public:
  using Element = procedure::Element;
  using Order = StackOrder<Group, Space>;
  static constexpr std::uint32_t kCapacity = Space::Shape::kStackElements;

  /// @shape worker: its number, which names its reserve
  WY_HD OwnStack(Group& group, Space& space, WorkerMemory<Space>& memory, std::uint32_t worker)
      : group_(group), memory_(memory), reserve_(space.reserves[worker]) {}

  /// Elements in fast memory, and behind them.
  WY_HD std::uint32_t Size() const { return memory_.stack.count; }
  WY_HD std::uint32_t Reserved() const { return memory_.reserve_to - memory_.reserve_from; }
  /// Elements that can be added.
  WY_HD std::uint32_t Free() const { return FreePlaces(memory_); }
  WY_HD const Element& Newest() const { return memory_.elements[Size() - 1]; }

  /// @shape size: not 0
  WY_HD const Element& Oldest() const {
    return Reserved() != 0 ? reserve_[memory_.reserve_from % kReserve] : memory_.elements[0];
  }

  /// Whether more than half of all places are taken: then the worker goes depth first, whatever
  /// that costs.
  WY_HD bool IsShort() const { return 2 * (Reserved() + Size()) > kReserve; }

  /// Whether a worker with these elements should begin with a stage of another event on top of
  /// them: that event then finds room, whatever the one below needs. A stage without spawns needs
  /// room for a claim alone.
  WY_HD bool HasRoomToNest(const ProcedureTraits* traits, const StageHint& stage) const {
    if (Reserved() < kReserve / 2) return true;
    return stage.elements != 0 &&
           traits[stage.procedure % Space::Procedures::kCount].max_spawns == 0;
  }

  /// Adds `count` elements. @shape at: returns the element with a number less than that; the last
  /// one is the newest; count: at most Free()
  template <class At>
  WY_HD void Push(std::uint32_t count, At&& at) {
    const std::uint32_t size = Size();
    for (std::uint32_t i = group_.Rank(); i < count; i += group_.Size()) {
      memory_.elements[size + i] = at(i);
    }
    Resize(size + count);
  }

  /// Removes the newest elements.
  WY_HD void Pop(std::uint32_t count) { Resize(Size() - count); }

  /// The elements to execute next. @shape size: not 0
  WY_HD Round NewestRound(const ProcedureTraits* traits) const {
    const std::uint32_t procedure = Newest().Procedure();
    const std::uint32_t lanes = traits[procedure].lanes;
    if (lanes == 0 || group_.Size() == lanes) return {1, procedure, lanes};
    const std::uint32_t alike = RunOf(
        [&](const Element& other, const Element& newest) { return other.head == newest.head; });
    if (lanes != 1 || alike == group_.Size()) {
      return {exec::Least(alike, traits[procedure].groups), procedure, lanes};
    }
    // The lanes of a round of several procedures take turns.
    if (Size() >= kSortedFrom && alike < kGoodRun && !IsShort() &&
        Order::Sort(group_, memory_, traits, kGoodRun)) {
      return {RunOf([&](const Element& other, const Element& newest) {
                return other.head == newest.head;
              }),
              Newest().Procedure(), 1};
    }
    if (alike >= kGoodRun) return {alike, procedure, 1};
    return {RunOf([&](const Element& other, const Element& newest) {
              return other.Event() == newest.Event() && traits[other.Procedure()].lanes == 1;
            }),
            procedure, 1};
  }

  /// Makes room for the spawns of the newest `count` elements, which are about to be removed, by
  /// moving older ones to the reserve. Returns how many elements may be executed: where places are
  /// short, few at once, so that there is room for those that come below them in a recursion.
  /// @shape spawns: of one element at most
  WY_HD std::uint32_t MakeRoom(std::uint32_t count, std::uint32_t spawns) {
    if (spawns <= 1) return count;
    const bool is_short = IsShort();
    if (!is_short && Free() + count >= count * spawns) return count;
    if (Free() + count < count * spawns) {
      MakeRoomSlowly(group_, memory_, reserve_, count, count * spawns - (Free() + count));
    }
    const std::uint32_t fit = exec::Least(count, Free() / (spawns - 1));
    if (!is_short || fit <= 1) return fit;
    return exec::Least(fit, Free() / (spawns - 1) / kPartOfPlaces + 1);
  }

  /// Makes room for so many elements. Returns whether there is enough.
  WY_HD bool MakeRoomFor(std::uint32_t wanted) {
    if (Free() >= wanted) return true;
    MakeRoomSlowly(group_, memory_, reserve_, 0, wanted - Free());
    return Free() >= wanted;
  }

  /// Moves everything to the reserve, for the next launch.
  WY_HD void Park() {
    Unload(group_, memory_, reserve_, Size());
    group_.Barrier();
  }

  /// Gets elements back from the reserve. @shape the stack is empty, the reserve is not
  WY_HD void Reload() {
    const std::uint32_t count = exec::Least(Reserved(), kCapacity / 2);
    const std::uint32_t from = memory_.reserve_to - count;
    Push(count, [&](std::uint32_t i) { return reserve_[(from + i) % kReserve]; });
    if (group_.Rank() == 0) memory_.reserve_to = from;
    group_.Barrier();
  }

  /// How many of the oldest elements the worker should give away: half of them, if they are more
  /// than half a round. Fewer are executed sooner than handed over.
  WY_HD std::uint32_t GivenCount(const ProcedureTraits* traits) const {
    if (Reserved() != 0) return exec::Least(Reserved(), kGivenElements);
    if (Size() == 0 || Size() <= traits[Newest().Procedure()].groups / 2) return 0;
    return exec::Least(Size() / 2, kGivenElements);
  }
  /// Calls take(at) with a function that returns the oldest elements by their numbers, then removes
  /// `count` of them. @shape count: at most GivenCount()
  template <class Take>
  WY_HD void TakeOldest(std::uint32_t count, Take&& take) {
    if (Reserved() != 0) {
      const std::uint32_t from = memory_.reserve_from;
      take([&](std::uint32_t i) { return reserve_[(from + i) % kReserve]; });
      group_.Barrier();
      if (group_.Rank() == 0) memory_.reserve_from = from + count;
      group_.Barrier();
    } else {
      take([&](std::uint32_t i) { return memory_.elements[i]; });
      group_.Barrier();
      Shift(group_, memory_, count);
    }
  }

 private:
  static constexpr std::uint32_t kReserve = Space::Shape::kReserveElements;
  static constexpr std::uint32_t kPartOfPlaces = 8;  // that a round may take, where they are short
  static constexpr std::uint32_t kSortedFrom = 24;   // elements: enough of one procedure are likely
  static constexpr std::uint32_t kGoodRun = 8;       // elements of one procedure

  /// How many of the newest elements are like the newest one, one a lane at most.
  template <class IsLike>
  WY_HD std::uint32_t RunOf(IsLike&& is_like) const {
    const std::uint32_t size = Size(), i = group_.Rank();
    const bool alike =
        i < size && is_like(memory_.elements[size - 1 - i], memory_.elements[size - 1]);
    const std::uint32_t others = ~group_.Ballot(alike);
    return others == 0 ? 32 : exec::LowestBit(others);
  }

  WY_HD void Resize(std::uint32_t size) {
    group_.Barrier();
    if (group_.Rank() == 0) memory_.stack.count = size;
    group_.Barrier();
  }

  /// Moves at least `missing` older elements to the reserve, but none of the newest `kept` ones.
  WY_DEVICE_CALL WY_HD static void MakeRoomSlowly(Group& group, WorkerMemory<Space>& far_memory,
                                                  Element* reserve, std::uint32_t kept,
                                                  std::uint32_t missing) {
    WorkerMemory<Space>& memory = Space::Scope::Near(far_memory);
    const std::uint32_t wanted = missing > kCapacity / 2 ? missing : kCapacity / 2;
    const std::uint32_t moved = exec::Least(memory.stack.count - kept, wanted);
    if (moved != 0) Unload(group, memory, reserve, moved);
  }

  /// Moves the oldest `count` elements to the reserve.
  WY_HD static void Unload(Group& group, WorkerMemory<Space>& memory, Element* reserve,
                           std::uint32_t count) {
    const std::uint32_t to = memory.reserve_to;
    for (std::uint32_t i = group.Rank(); i < count; i += group.Size()) {
      reserve[(to + i) % kReserve] = memory.elements[i];
    }
    group.Barrier();
    if (group.Rank() == 0) memory.reserve_to = to + count;
    Shift(group, memory, count);
  }

  /// Removes the oldest `count` elements of the fast memory.
  WY_HD static void Shift(Group& group, WorkerMemory<Space>& memory, std::uint32_t count) {
    const std::uint32_t left = memory.stack.count - count;
    for (std::uint32_t first = 0; first < left; first += group.Size()) {
      const std::uint32_t i = first + group.Rank();
      Element element{};
      if (i < left) element = memory.elements[i + count];
      group.Barrier();  // all have read the places that are written now
      if (i < left) memory.elements[i] = element;
      group.Barrier();
    }
    group.Barrier();
    if (group.Rank() == 0) memory.stack.count = left;
    group.Barrier();
  }

  Group& group_;
  WorkerMemory<Space>& memory_;
  Element* const reserve_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_STACK_OWN_STACK_H_
