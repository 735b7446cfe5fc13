// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Where a team gets the packages that it executes after its first one.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_PACKAGE_SOURCE_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_PACKAGE_SOURCE_CUH_

#include <cstdint>

#include "core/exec/bits.h"
#include "core/model/megakernel/team.cuh"
#include "core/model/megakernel/team_turns.cuh"
#include "core/model/worker/stack/own_stack.h"
#include "core/model/worker/stage_claims.h"
#include "core/model/worker/worker_handle.h"
#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"

namespace warpyard::model {

/// @scope all members: one thread of the team
template <class Space>
class PackageSource {
 public:
  PackageSource() = delete;

  /// How many packages to take at once, after `count` packages took `cycles`. Beside events with a
  /// deadline they are fewer, so that the leader soon reads the news.
  __device__ static std::uint32_t MostOf(std::uint32_t count, std::uint64_t cycles,
                                         bool has_urgent) {
    const float rate =
        static_cast<float>(count) * exec::RoughReciprocal(static_cast<float>(cycles) + 1);
    const auto most =
        static_cast<std::uint32_t>((has_urgent ? kUrgentListCycles : kListCycles) * rate);
    return most < 1 ? 1 : exec::Least(most, kMostTaken);
  }

  /// Takes the leader's newest elements that are of the same kind; claims more if the stack has
  /// none of the event. @shape spawns: of an element at most; most: elements to take; next: gets
  /// them
  WY_INLINED __device__ static void Take(const WorkerHandle<Space>& own, const TeamOrder& order,
                                         std::uint32_t spawns, std::uint32_t most,
                                         NextPackages& next) {
    WorkerMemory<Space>& leader = own.block.workers[order.leader];
    procedure::SpawnBuffer& stack = leader.stack;
    if (stack.levels != 0) return;
    // The stack may be empty while the reserve is almost full: no claim may be beyond the places.
    // A team may claim packages above elements of another event, as its leader claimed the first
    // one. If packages spawn, less than half of the reserve must be in use.
    const bool has_room =
        spawns == 0 || leader.reserve_to - leader.reserve_from < Space::Shape::kReserveElements / 2;
    const bool is_above = stack.count != 0 && has_room &&
                          leader.elements[stack.count - 1].Event() != order.element.Event();
    const bool claims = (stack.count == 0 || is_above) && FreePlaces(leader) >= kMostClaimed;
    if (claims) next.claimed += ClaimMore(own, order);
    std::uint32_t left = stack.count;
    if (left == 0 || FreePlaces(leader) + 1 < spawns) return;
    const std::uint32_t end = left - exec::Least(left, most);
    while (left != end && leader.elements[left - 1].head == order.element.head) {
      --left;
      std::uint32_t(&payload)[2] = next.payloads[stack.count - 1 - left];
      payload[0] = leader.elements[left].payload[0];
      payload[1] = leader.elements[left].payload[1];
    }
    next.count = stack.count - left;
    stack.count = left;
  }

  /// Moves elements of the order's kind from the stacks of members to the leader's stack, as far as
  /// there is room. Members wait for the leader, so nobody else uses their stacks. Members told the
  /// event of their spawns before they joined, as before a hand-over (exchange.h). Nothing moves
  /// where the leader's newest elements are others of the event, or for levels: these come first.
  /// Returns how many elements moved. @scope one thread
  WY_DEVICE_CALL __device__ static std::uint32_t TakeFromMembers(
      const WorkerHandle<Space> far, const TeamOrder order, const Team team,
      ExecutorMemory<Space>& far_memory) {
    const WorkerHandle<Space> own = far.Near();
    ExecutorMemory<Space>& memory = Space::Scope::Near(far_memory);
    WorkerMemory<Space>& leader = own.block.workers[order.leader];
    const std::uint32_t before = leader.stack.count;
    const std::uint32_t free = FreePlaces(leader);
    if (free <= kKeptFree || leader.stack.levels != 0) return 0;
    const procedure::Element* const newest = before == 0 ? nullptr : &leader.elements[before - 1];
    if (newest != nullptr && newest->head != order.element.head &&
        newest->Event() == order.element.Event()) {
      return 0;
    }
    const std::uint32_t most = before + free - kKeptFree;
    for (std::uint32_t w = team.first; w < team.first + team.warps; ++w) {
      WorkerMemory<Space>& member = own.block.workers[w];
      if (w == order.leader || !memory.warps[w].brings) continue;
      procedure::SpawnBuffer& stack = member.stack;
      const auto is_next = [&] {
        return stack.count != 0 && member.elements[stack.count - 1].head == order.element.head;
      };
      if (!is_next()) continue;
      while (is_next() && leader.stack.count < most) {
        leader.elements[leader.stack.count++] = member.elements[--stack.count];
      }
      if (is_next()) continue;
      const bool has_others = stack.count != 0 || member.reserve_from != member.reserve_to;
      // The member has nothing to post any more, or no urgent package.
      if (!has_others || memory.warps[w].presses) TeamTurns<Space>(memory, w).GiveUp();
      if (has_others) continue;
      memory.warps[w].brings = false;
      Space::Scope::BlockWord(memory.posted.busy).FetchSubRelaxed(1);
    }
    // Members that have nothing to post any more pass their turns, in the order of the tickets.
    for (std::uint32_t w = team.first; w < team.first + team.warps;) {
      const bool had_ticket = memory.warps[w].has_ticket;
      TeamTurns<Space>(memory, w).PassTurn();
      w = had_ticket && !memory.warps[w].has_ticket ? team.first : w + 1;
    }
    return leader.stack.count - before;
  }

 private:
  static constexpr float kListCycles = 40'000;  // of packages that are taken at once
  static constexpr float kUrgentListCycles = 8'000;
  static constexpr std::uint32_t kMostTaken = NextPackages::kMost;
  static constexpr std::uint32_t kKeptFree = Space::Procedures::kMaxSpawns + kGivenElements;
  static constexpr std::uint32_t kMostClaimed = StageClaims<Space>::kMostForOne;

  /// Claims of the stage of which the block claimed last, if that is the team's, and puts it on the
  /// leader's stack. Returns how many elements.
  WY_DEVICE_CALL __device__ static std::uint32_t ClaimMore(const WorkerHandle<Space> far,
                                                           const TeamOrder order) {
    const WorkerHandle<Space> own = far.Near();
    const procedure::Element& element = order.element;
    const bool is_known = EventWithMore<Space>(own.block) == element.Event() &&
                          own.block.stages[element.Event()].procedure == element.Procedure();
    if (!is_known || own.block.traits[element.Procedure()].merges != 0) return 0;
    WorkerMemory<Space>& leader = own.block.workers[order.leader];
    TakenElements& taken = leader.taken;
    StageClaims<Space>::ClaimPackages(own.space, own.block,
                                      {element.Event(),
                                       {0, 0},
                                       order.terms.running,
                                       order.place.workers,
                                       true,
                                       order.terms.has_urgent,
                                       order.terms.has_urgent,
                                       order.terms.is_urgent,
                                       order.terms.is_urgent},
                                      taken);
    const std::uint32_t count = taken.claim.count;
    for (std::uint32_t i = count; i-- > 0;) {
      leader.elements[leader.stack.count++] = StageClaims<Space>::ElementOf(taken, i, 1);
    }
    return count;
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_PACKAGE_SOURCE_CUH_
