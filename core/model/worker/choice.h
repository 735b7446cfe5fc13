// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a worker executes next: elements of its own, elements of its block, or what the board shows.
#ifndef WARPYARD_CORE_MODEL_WORKER_CHOICE_H_
#define WARPYARD_CORE_MODEL_WORKER_CHOICE_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/model/worker/board.h"
#include "core/model/worker/share_clocks.h"
#include "core/model/worker/sight.h"
#include "core/model/worker/workspace.h"

namespace warpyard::model {

/// The event that comes first, or Choice::kLevels, or kNoEvent. @shape shares: gets whether the
/// event
///     shares the device with others by weight @scope the group of the worker
template <exec::LaneScope Group, class Space>
WY_HD std::uint32_t FirstOf(Group& group, Space& space, BlockClocks& clocks, const Sight& seen,
                            bool& shares) {
  const std::uint32_t own = seen.own, ranged = seen.ranged;
  shares = false;
  const std::uint32_t only = seen.news.OnlyOpen();
  if (seen.running == 1 && only != kNoEvent) {
    if ((own == kNoEvent || own == only) && (ranged == kNoEvent || ranged == only)) return only;
  }
  Choice first = space.board.First(group, seen.news, seen.order);
  if (first.rank == kNoRank) first.event = kNoEvent;
  const auto compare = [&](std::uint32_t event) {
    if (event == kNoEvent) return;
    const std::uint32_t rank = space.board.RankIn(group, seen.order, event);
    if (rank <= first.rank) first = {rank, event};
  };
  compare(ranged);
  compare(own);
  if (first.event == kNoEvent || seen.running <= 1) return first.event;
  shares = ShareClocks<Group, Space>::Choose(group, space, clocks, seen, first);
  // What the block has drawn of an event that shares is executed first.
  if (shares && ranged != kNoEvent && first.event != own &&
      exec::ByteOf<3>(space.board.ShareIn(group, seen.order, ranged)) ==
          exec::ByteOf<3>(space.board.ShareIn(group, seen.order, first.event))) {
    return ranged;
  }
  return first.event;
}

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_CHOICE_H_
