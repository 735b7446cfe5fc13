// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Groups elements by their events, since each event has an account.
#ifndef WARPYARD_CORE_MODEL_LANE_VALUES_H_
#define WARPYARD_CORE_MODEL_LANE_VALUES_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/lane_sets.h"
#include "core/exec/scope.h"
#include "core/model/workspace.h"

namespace warpyard::model {

/// Calls visit(value, count) for each value of the lanes that are `mine`. @scope the group
template <exec::LaneScope Group, class Visit>
WY_HD void ForEachOfLanes(Group& group, bool mine, std::uint32_t own, Visit&& visit) {
  exec::ForEachPeerSet(group, mine, own, [&](std::uint32_t value, std::uint32_t peers) {
    visit(value, exec::CountBits(peers));
  });
}

/// Calls visit(event, count) for each event of the elements of a batch, or of its spawns. @scope
/// the group
template <exec::LaneScope Group, class OwnBatch, class Visit>
WY_HD void ForEachEvent(Group& group, const OwnBatch& batch, const procedure::Element* elements,
                        std::uint32_t count, Visit&& visit) {
  if (batch.mixed == 0) return visit(batch.event, count);
  for (std::uint32_t first = 0; first < count; first += group.Size()) {
    const bool mine = first + group.Rank() < count;
    ForEachOfLanes(group, mine, mine ? elements[first + group.Rank()].Event() : 0, visit);
  }
}

/// Counts the elements of a new batch by procedures. @shape varied: there may be several. @scope
/// the group
template <exec::LaneScope Group, class OwnBatch>
WY_HD void CountByProcedure(Group& group, OwnBatch& batch, std::uint32_t count, bool varied) {
  constexpr std::uint32_t kCount = sizeof batch.executed / sizeof batch.executed[0];
  const std::uint32_t procedure = batch.elements[0].Procedure();
  for (std::uint32_t p = group.Rank(); p < kCount; p += group.Size()) {
    batch.executed[p] = p == procedure && !varied ? count : 0;
  }
  if (!varied) return;
  group.Barrier();
  for (std::uint32_t first = 0; first < count; first += group.Size()) {
    const std::uint32_t i = first + group.Rank();
    const bool mine = i < count;
    ForEachOfLanes(group, mine, mine ? batch.elements[i].Procedure() : 0,
                   [&](std::uint32_t of, std::uint32_t alike) {
                     if (group.Rank() == 0) batch.executed[of] += alike;
                   });
  }
}

/// Removes the elements for which keep(element) is false, and calls drop(event, count) for them.
/// Returns how many are left. @scope the group
template <exec::LaneScope Group, class Keep, class Drop>
WY_HD std::uint32_t KeepIf(Group& group, procedure::Element* elements, std::uint32_t count,
                           Keep&& keep, Drop&& drop) {
  std::uint32_t kept = 0;
  for (std::uint32_t first = 0; first < count; first += group.Size()) {
    const std::uint32_t i = first + group.Rank();
    procedure::Element element{};
    if (i < count) element = elements[i];
    const bool stays = i < count && keep(element);
    ForEachOfLanes(group, i < count && !stays, element.Event(), drop);
    const std::uint32_t lanes = group.Ballot(stays);
    if (stays) elements[kept + exec::PlaceAmong(lanes, group.Rank())] = element;
    kept += exec::CountBits(lanes);
    group.Barrier();
  }
  return kept;
}

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_LANE_VALUES_H_
