// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Where a team gets the packages that it executes after its first one.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_PACKAGE_SOURCE_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_PACKAGE_SOURCE_CUH_

#include <cstdint>

#include "core/exec/bits.h"
#include "core/model/megakernel/team.cuh"
#include "core/model/worker/stack/own_stack.h"
#include "core/model/worker/stage_claims.h"
#include "core/model/worker/worker_handle.h"
#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"

namespace warpyard::model {

/// What a team executes next.
struct NextPackages {
  std::uint32_t count;       ///< elements
  std::uint32_t claimed;     ///< elements that were put on the leader's stack
  std::uint32_t payload[2];  ///< of the one; where elements spawn nothing: the place of the first
};

/// @scope all members: one thread of the team
template <class Space>
class PackageSource {
 public:
  PackageSource() = delete;

  /// How many packages to take at once, when so many took so long.
  __device__ static std::uint32_t MostOf(std::uint32_t count, std::uint32_t cycles) {
    const float rate =
        static_cast<float>(count) * exec::RoughReciprocal(static_cast<float>(cycles) + 1);
    const auto most = static_cast<std::uint32_t>(kListCycles * rate);
    return most < 1 ? 1 : exec::Least(most, kMostTaken);
  }

  /// Takes the leader's newest elements that are of the same kind; claims more if the stack is
  /// empty. @shape spawns: of an element at most; most: elements to take
  WY_INLINED __device__ static NextPackages Take(const WorkerHandle<Space>& own,
                                                 const TeamOrder& order, std::uint32_t spawns,
                                                 std::uint32_t most) {
    WorkerMemory<Space>& leader = own.block.workers[order.leader];
    procedure::SpawnBuffer& stack = leader.stack;
    if (stack.levels != 0) return {};
    // The stack may be empty while the reserve is almost full: no claim may be beyond the places.
    const bool claims =
        stack.count == 0 && order.running != 0 && FreePlaces(leader) >= kMostClaimed;
    const std::uint32_t claimed = claims ? ClaimMore(own, order) : 0;
    if (stack.count == 0 || FreePlaces(leader) + 1 < spawns) {
      return {0, claimed, {}};
    }
    std::uint32_t count = 0;
    while (count < most && count < stack.count &&
           leader.elements[stack.count - 1 - count].head == order.element.head) {
      ++count;
    }
    stack.count -= count;
    if (spawns == 0) return {count, claimed, {stack.count, 0}};
    const procedure::Element& newest = leader.elements[stack.count];
    return {count, claimed, {newest.payload[0], newest.payload[1]}};
  }

 private:
  static constexpr float kListCycles = 16'000;  // of packages that are taken at once
  static constexpr std::uint32_t kMostTaken = 16;
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
    StageClaims<Space>::Claim(
        own.space, own.block,
        {element.Event(), {0, 0}, order.running, order.place.workers, true, false, false}, taken);
    StageClaims<Space>::Release(own.block, taken);
    const std::uint32_t count = taken.claim.count;
    for (std::uint32_t i = count; i-- > 0;) {
      leader.elements[leader.stack.count++] = StageClaims<Space>::ElementOf(taken, i, 1);
    }
    return count;
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_PACKAGE_SOURCE_CUH_
