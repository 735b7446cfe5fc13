// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Idioms of warp programming on sets of lanes: words with a bit for each thread of a group, as
// LaneScope::Ballot returns them.
#ifndef WARPYARD_CORE_EXEC_LANE_SETS_H_
#define WARPYARD_CORE_EXEC_LANE_SETS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"

namespace warpyard::exec {

/// How many lanes of a set have a rank lower than `rank`. For a lane of the set, that is its
/// position in the set, so that the lanes of a set can write densely without an atomic. @shape
/// rank: less than 32
WY_HD inline std::uint32_t PlaceAmong(std::uint32_t lanes, std::uint32_t rank) {
  return CountBits(lanes & ((1u << rank) - 1u));
}

/// Calls visit(value, peers) once for each different value of the threads that are `mine`. `peers`
/// is the set of the threads with that value. All threads of the group call visit together.
/// @scope the group
template <LaneScope Group, class Visit>
WY_HD void ForEachPeerSet(Group& group, bool mine, std::uint32_t value, Visit&& visit) {
  for (std::uint32_t left = group.Ballot(mine); left != 0;) {
    const std::uint32_t common = group.BroadcastFrom(value, LowestBit(left));
    const std::uint32_t peers = group.Ballot(mine && value == common);
    visit(common, peers);
    left &= ~peers;
  }
}

}  // namespace warpyard::exec

#endif  // WARPYARD_CORE_EXEC_LANE_SETS_H_
