// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a worker executes next: elements of its own, elements of its block, or what the board shows.
#ifndef WARPYARD_CORE_MODEL_WORKER_BOARD_CHOICE_H_
#define WARPYARD_CORE_MODEL_WORKER_BOARD_CHOICE_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/base/word_flag.h"
#include "core/exec/scope.h"
#include "core/model/worker/board/board.h"
#include "core/model/worker/share_clocks.h"
#include "core/model/worker/worker_handle.h"
#include "core/model/worker/workspace.h"
#include "core/policy/share.h"

namespace warpyard::model {

/// The event that comes first, or Choice::kLevels, or kNoEvent. @shape shares: gets whether the
/// event
///     shares the device with others by weight @scope the group of the worker
template <exec::LaneScope Group, class Space>
WY_HD std::uint32_t FirstOf(Group& group, Space& space, BlockClocks& clocks, const Sight& seen,
                            WordFlag& shares) {
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
  // What the block has drawn of an event that shares is executed first, before it turns to another
  // one. Where the worker has elements of that event itself, these might never end.
  if (shares && ranged != kNoEvent && first.event != own && ranged != own &&
      exec::ByteOf<3>(space.board.ShareIn(group, seen.order, ranged)) ==
          exec::ByteOf<3>(space.board.ShareIn(group, seen.order, first.event))) {
    return ranged;
  }
  return first.event;
}

/// The last blocks of a device are kept for events with a deadline while such come: they pass over
/// events whose elements take long. Else the first element of an urgent event may wait for as long
/// as such an element takes, since all workers may have begun one at the same time.
template <class Space>
class KeptBlocks {
 public:
  KeptBlocks() = delete;

  /// Whether a worker is of such a block: of one in sixteen. @scope any thread
  WY_HD static bool Has(const WorkerPlace& place) {
    constexpr std::uint32_t kBlockWorkers = Space::Shape::kBlockWorkers;
    const std::uint32_t blocks = place.workers / kBlockWorkers;
    return place.index / kBlockWorkers >= blocks - blocks / kOneIn;
  }

  /// What is left of the news for a worker of a kept block. @scope the group of the worker
  template <exec::LaneScope Group>
  WY_HD static BoardNews NewsFor(Group& group, Space& space, BlockMemory<Space>& block,
                                 const BoardNews& news, const EventOrder& order) {
    return space.board.Without(group, order, news, [&](std::uint32_t procedure, bool urgent) {
      return !urgent && TakesLong(block, procedure % Space::Procedures::kCount);
    });
  }

 private:
  using Scope = typename Space::Scope;
  static constexpr std::uint32_t kOneIn = 16;
  static constexpr std::uint32_t kLongCycles = 40'000;  // some 20 us

  /// Where other events run, a worker executes several uneven elements as one (claim_counts.h).
  WY_HD static bool TakesLong(BlockMemory<Space>& block, std::uint32_t procedure) {
    return block.traits[procedure].IsUneven() ||
           Scope::BlockWord(block.element_cycles[procedure]).LoadRelaxed() > kLongCycles;
  }
};

/// What comes first, as far as that is simple: it is not where accounts share the device, nor where
/// queues have elements.
struct SimpleChoice {
  std::uint32_t event = kNoEvent;  ///< kNoEvent: nothing can be claimed
  bool is_sure = true;             ///< not: the worker is to look around
  StageHint hint{0, 0};            ///< its open stage
};

/// The event of which a worker without elements is to draw, where several have an open stage. If
/// all that are idle drew of the first event, few would get its few elements, and all would go to
/// the next one together, so that small events were served one after another. Instead they divide:
/// each takes a random place among those that are idle. The first event has as many places as
/// elements and some more, the second one the next places, and so on; places that are left over are
/// dealt out again. Where no worker is idle, the one that asks serves the first event. Elements of
/// unequal length are claimed many at a time, and their events are better served one by one.
/// @scope the group of the worker
template <exec::LaneScope Group, class Space>
WY_HD Choice Divide(Group& group, Space& space, const BlockMemory<Space>& block,
                    const Sight& seen) {
  constexpr std::uint32_t kSparePlaces = 8, kMostPassed = 16;
  const Choice first = space.board.First(group, seen.news, seen.order);
  if (seen.idle == 0 || first.rank == kNoRank) return first;
  const std::uint32_t random = static_cast<std::uint32_t>(Space::Scope::Cycles()) * 2654435761u;
  std::uint32_t place = group.Broadcast((random >> 16) * exec::Least(seen.idle, 0xffffu) >> 16);
  BoardNews news = seen.news;
  Choice choice = first;
  std::uint32_t dealt = 0;
  WY_ROLLED
  for (std::uint32_t passed = 0;; ++passed) {
    if (choice.rank == kNoRank || passed == kMostPassed) {  // then the place is one of those dealt
      place %= dealt;
      news = seen.news;
      choice = first;
    }
    if (choice.event == Choice::kLevels) return choice;
    const StageHint hint = space.board.HintIn(group, seen.order, choice.event);
    const std::uint32_t places = hint.elements + kSparePlaces;
    const bool is_uneven = block.traits[hint.procedure % Space::Procedures::kCount].IsUneven();
    if (place < places || is_uneven) return choice;
    place -= places;
    dealt += places;
    news.open[choice.event / 32] &= ~(1u << choice.event % 32);
    choice = space.board.First(group, news, seen.order);
  }
}

/// The event that comes first, for a worker without elements. It needs a twentieth of the
/// instructions of a look around: where procedures are long, each of those comes from far away.
/// @scope the group of the worker
template <exec::LaneScope Group, class Space>
WY_HD SimpleChoice SimpleFirst(Group& group, Space& space, const BlockMemory<Space>& block,
                               const Sight& seen) {
  const BoardNews& news = seen.news;
  const EventOrder& order = seen.order;
  SimpleChoice choice;
  if (news.Levels() != 0 || news.Queued() != 0) return {kNoEvent, false, {0, 0}};
  choice.event = news.OnlyOpen();
  const bool several = choice.event == kNoEvent;
  if (several) {
    const Choice first = Divide(group, space, block, seen);
    if (first.rank == kNoRank) return choice;
    choice.event = first.event;
  }
  // Events without an open stage may share the device, too: all that they have lies on stacks.
  if (several || seen.running > 1) {
    choice.is_sure = !space.board.MayShare(group, order, choice.event);
  }
  choice.hint = news.HintOf(choice.event);
  if (choice.hint.elements == 0) choice.hint = space.board.HintIn(group, order, choice.event);
  return choice;
}

/// The same in a kept block. @scope the group of the worker
template <exec::LaneScope Group, class Space>
WY_HD SimpleChoice SimpleFirstOfKept(Group& group, Space& space, BlockMemory<Space>& block,
                                     Sight seen) {
  const BoardNews news = seen.news;
  seen.news = KeptBlocks<Space>::NewsFor(group, space, block, news, seen.order);
  const SimpleChoice choice = SimpleFirst(group, space, block, seen);
  if (choice.event != kNoEvent || (news.open[0] | news.open[1]) == 0) return choice;
  // The news and the order were under way together. So the order may be older, and tell of the
  // stage before an urgent one. An order that is read after the news is not older.
  seen.order = space.board.ReadOrder(group);
  seen.news = KeptBlocks<Space>::NewsFor(group, space, block, news, seen.order);
  return SimpleFirst(group, space, block, seen);
}

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_BOARD_CHOICE_H_
