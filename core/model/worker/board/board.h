// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a worker reads to choose its next event: which events have an open stage, which levels have
// elements, and the ranks that the policy gave to the events. [Steinberger §5.2]
//
// A policy sets the ranks while workers draw, so any order costs the workers the same. One access
// reads everything that tells a waiting worker that there is news; it is all that such a worker
// reads, besides a word of its own.
// Deviates from [Steinberger §5.2.2], which searches the priorities one after another: 100 of them
// nearly double its run time.
#ifndef WARPYARD_CORE_MODEL_WORKER_BOARD_BOARD_H_
#define WARPYARD_CORE_MODEL_WORKER_BOARD_BOARD_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/model/worker/board/board_news.h"
#include "core/policy/share.h"
#include "core/procedure/element.h"

namespace warpyard::model {

/// The ranks and shares of all events, those of a lane in its registers: event number `lane` and
/// `lane + 32`. They are read before a worker knows which ones it needs, together with the news.
struct EventOrder {
  std::uint32_t ranks[2];
  std::uint32_t shares[2];
  std::uint32_t stages[2];  ///< of the open ones: urgent << 31 | elements << 8 | procedure
  std::uint32_t levels;     ///< the rank of all levels
};

/// The first of the events that have something to draw, or the levels.
struct Choice {
  static constexpr std::uint32_t kLevels = procedure::kEventBuckets;  ///< instead of an event
  std::uint32_t rank;   ///< kNoRank: there is nothing to draw
  std::uint32_t event;  ///< meaningless then
};

/// What a worker saw when it looked around: the board, and the events of which it or its block has
/// elements. @shape events: kNoEvent: none; Choice::kLevels: an element of a level
struct Sight {
  BoardNews news;
  EventOrder order;
  std::uint32_t own = kNoEvent;     ///< event of the worker's newest element
  std::uint32_t ranged = kNoEvent;  ///< event of the elements of its block's range
  std::uint32_t served = kNoEvent;  ///< event that it serves now
  std::uint32_t running = 1;        ///< how many events run
  std::uint32_t idle = 0;           ///< about how many workers have nothing to do
};

/// @shape zero-initialised memory that all workers reach
template <exec::ExecScope Scope>
class Board {
 public:
  static constexpr std::uint32_t kEvents = procedure::kEventBuckets;
  static_assert(kEvents == 64, "two words of bits");

  /// @scope any thread
  WY_HD BoardNews Read() {
    std::uint32_t words[4];
    Scope::LoadWords(news_, words);
    return {{words[0], words[1]}, words[2], words[3]};
  }
  /// The same without what is held: BoardNews::Hide. @scope any thread
  WY_HD BoardNews ReadFree() {
    BoardNews news = Read();
    if (news.HasHeld()) news.Hide(Held());
    return news;
  }

  /// Tells what the next stage of an event is. @scope the thread that opens it, before it does so
  /// @shape elements, procedure: of the stage; urgent: the event has a deadline
  WY_HD void Describe(std::uint32_t event, std::uint32_t elements, std::uint32_t procedure,
                      bool urgent) {
    Scope::Word(stages_[event])
        .StoreRelaxed((urgent ? kUrgentStage : 0u) | exec::Least(elements, kMostShown) << 8 |
                      procedure);
    Scope::Word(news_[3]).StoreRelaxed(exec::Least(elements, StageHint::kSaturated) << 14 |
                                       procedure << 6 | event);
  }
  /// Shows that an event has an open stage, or that all of its elements are claimed. Both turn the
  /// same bit over, so it does not matter which of them comes first.
  /// @scope the thread that opens the stage; the thread whose claim took the last element, before
  /// it
  ///     counts any of these elements out
  WY_HD void Toggle(std::uint32_t event) {
    Scope::Word(news_[event / 32]).FetchXorRelaxed(1u << event % 32);
  }

  /// Shows which words of the shared queues' bits have some. @scope any thread
  WY_HD void SetWaiting(std::uint32_t word) { Scope::Word(news_[2]).FetchOrRelease(1u << word); }
  WY_HD void ClearWaiting(std::uint32_t word) {
    Scope::Word(news_[2]).FetchAndAcqRel(~(1u << word));
  }

  /// Tells whether events with a deadline come. @scope one thread at a time
  WY_HD void ShowUrgent(bool has) {
    const auto word = Scope::Word(news_[2]);
    if (has) word.FetchOrRelaxed(BoardNews::kUrgent);
    if (!has) word.FetchAndRelaxed(~BoardNews::kUrgent);
  }

  /// Tells which events are held. @scope one thread at a time
  WY_HD void ShowHeld(const EventBits& held) {
    for (std::uint32_t w = 0; w < 2; ++w) Scope::Word(held_[w]).StoreRelaxed(held.words[w]);
    const auto word = Scope::Word(news_[2]);
    if ((held.words[0] | held.words[1]) != 0) word.FetchOrRelease(BoardNews::kHeld);
    if ((held.words[0] | held.words[1]) == 0) word.FetchAndRelaxed(~BoardNews::kHeld);
  }
  /// @scope any thread
  WY_HD EventBits Held() {
    EventBits held;
    Scope::LoadWords(held_, held.words);
    return held;
  }

  /// Tells the workers of a launch to leave. @scope any thread @shape launch: from 1
  WY_HD void Leave(std::uint32_t launch) {
    const auto word = Scope::Word(news_[2]);
    std::uint32_t state = word.LoadRelaxed();
    constexpr std::uint32_t kRest = (1u << BoardNews::kLaunchShift) - 1;
    while (
        !word.CompareExchangeRelaxed(state, launch << BoardNews::kLaunchShift | (state & kRest))) {
    }
  }
  WY_HD bool IsLeaving(std::uint32_t launch) { return Read().IsLeaving(launch); }

  /// The rank of an event, or of all levels together (Choice::kLevels). @scope any thread
  WY_HD std::uint32_t RankOf(std::uint32_t event) {
    return Scope::Word(ranks_[event]).LoadRelaxed();
  }
  /// @scope one thread at a time for an event
  WY_HD void SetRank(std::uint32_t event, std::uint32_t rank) {
    const auto word = Scope::Word(ranks_[event]);
    if (word.LoadRelaxed() != rank) word.StoreRelaxed(rank);
  }

  /// policy::Share of an event. @scope any thread
  WY_HD std::uint32_t ShareOf(std::uint32_t event) {
    return Scope::Word(shares_[event]).LoadRelaxed();
  }
  /// @scope the thread that starts the event, and the one that judges all events, in any order
  WY_HD void SetShare(std::uint32_t event, std::uint32_t share) {
    const auto word = Scope::Word(shares_[event]);
    if (word.LoadRelaxed() != share) word.StoreRelaxed(share);
  }

  /// @scope the group
  template <exec::LaneScope Group>
  WY_HD EventOrder ReadOrder(const Group& group) {
    EventOrder order{};
    if (group.Size() != kLanes) return order;  // a single thread reads what it needs
    for (std::uint32_t k = 0; k < 2; ++k) {
      order.ranks[k] = RankOf(kLanes * k + group.Rank());
      order.shares[k] = ShareOf(kLanes * k + group.Rank());
      order.stages[k] = Scope::Word(stages_[kLanes * k + group.Rank()]).LoadRelaxed();
    }
    order.levels = RankOf(Choice::kLevels);
    return order;
  }
  /// The rank of any event, in all lanes.
  template <exec::LaneScope Group>
  WY_HD std::uint32_t RankIn(Group& group, const EventOrder& order, std::uint32_t event) {
    if (group.Size() != kLanes) return RankOf(event);
    if (event == Choice::kLevels) return order.levels;
    return group.BroadcastFrom(event < kLanes ? order.ranks[0] : order.ranks[1], event % kLanes);
  }
  template <exec::LaneScope Group>
  WY_HD std::uint32_t ShareIn(Group& group, const EventOrder& order, std::uint32_t event) {
    if (group.Size() != kLanes) return ShareOf(event);
    return group.BroadcastFrom(event < kLanes ? order.shares[0] : order.shares[1], event % kLanes);
  }

  /// Whether workers treat an event as one that shares the device with others. They do if events of
  /// its group run for other accounts. They also do if the policy has not judged the event yet,
  /// unless the event has a deadline: else its first workers would offer its elements to nobody.
  /// @scope the group
  template <exec::LaneScope Group>
  WY_HD bool MayShare(Group& group, const EventOrder& order, std::uint32_t event) {
    const std::uint32_t share = ShareIn(group, order, event);
    if (policy::IsUnjudged(share)) return !group.Any(IsUrgent(event));
    return policy::UnpackShare(share).group != 0 && HasOtherAccounts(group, order, share);
  }

  /// Whether an event of another account runs that shares the device with events of this share.
  /// @shape share: policy::Share
  template <exec::LaneScope Group>
  WY_HD bool HasOtherAccounts(Group& group, const EventOrder& order, std::uint32_t share) {
    bool others = false;
    for (std::uint32_t event = group.Rank(); event < kEvents; event += group.Size()) {
      const bool read = group.Size() == kLanes;
      const std::uint32_t other = read ? order.shares[event / kLanes] : ShareOf(event);
      others |= policy::AreOtherAccounts(other, share);
    }
    return group.Any(others);
  }

  /// The open stage of an event, or the one before.
  template <exec::LaneScope Group>
  WY_HD StageHint HintIn(Group& group, const EventOrder& order, std::uint32_t event) {
    const std::uint32_t word =
        group.Size() != kLanes
            ? Scope::Word(stages_[event]).LoadRelaxed()
            : group.BroadcastFrom(event < kLanes ? order.stages[0] : order.stages[1],
                                  event % kLanes);
    return {word >> 8 & kMostShown, word & 0xffu};
  }

  /// Whether an event has a deadline. @scope any thread @shape event: it has opened a stage
  WY_HD bool IsUrgent(std::uint32_t event) {
    return (Scope::Word(stages_[event]).LoadRelaxed() & kUrgentStage) != 0;
  }

  /// The news without the queues, and without the open stages for which passes(procedure, urgent).
  template <exec::LaneScope Group, class Passes>
  WY_HD BoardNews Without(Group& group, const EventOrder& order, const BoardNews& news,
                          Passes&& passes) {
    BoardNews left = news;
    left.state &= ~0xffu;
    for (std::uint32_t w = 0; w < 2; ++w) {
      std::uint32_t stays = 0;
      for (std::uint32_t i = group.Rank(); i < kLanes; i += group.Size()) {
        if ((news.open[w] >> i & 1u) == 0) continue;
        const std::uint32_t word = group.Size() == kLanes
                                       ? order.stages[w]
                                       : Scope::Word(stages_[kLanes * w + i]).LoadRelaxed();
        if (!passes(word & 0xffu, (word & kUrgentStage) != 0)) stays |= 1u << i;
      }
      left.open[w] = group.Size() == 1 ? stays : group.Ballot(stays != 0);
    }
    return left;
  }

  /// Calls visit(event, rank, share) for each event with an open stage, and for `also`, in the lane
  /// that has it. @shape also: kNoEvent: none
  template <exec::LaneScope Group, class Visit>
  WY_HD void ForEachOpen(Group& group, const EventOrder& order, const BoardNews& news,
                         std::uint32_t also, Visit&& visit) {
    for (std::uint32_t event = group.Rank(); event < kEvents; event += group.Size()) {
      if (!news.IsOpen(event) && event != also) continue;
      const bool read = group.Size() == kLanes;
      visit(event, read ? order.ranks[event / kLanes] : RankOf(event),
            read ? order.shares[event / kLanes] : ShareOf(event));
    }
  }

  /// Events may have the same rank while ranks change: the lower number comes first then.
  /// @scope the group
  template <exec::LaneScope Group>
  WY_HD Choice First(Group& group, const BoardNews& news, const EventOrder& order) {
    std::uint32_t first = kNoRank;
    if (news.Levels() != 0) {
      first = RankIn(group, order, Choice::kLevels) << kEventBits | Choice::kLevels;
    }
    ForEachOpen(group, order, news, kNoEvent,
                [&](std::uint32_t event, std::uint32_t rank, std::uint32_t) {
                  first = exec::Least(first, rank << kEventBits | event);
                });
    first = group.Min(first);
    if (first == kNoRank) return {kNoRank, 0};
    return {first >> kEventBits, first & ((1u << kEventBits) - 1)};
  }

 private:
  static constexpr std::uint32_t kEventBits = 7;
  static constexpr std::uint32_t kMostShown = (1u << 23) - 1;
  static constexpr std::uint32_t kUrgentStage = 1u << 31;
  static constexpr std::uint32_t kLanes = 32;

  alignas(Scope::kContendedBytes) std::uint32_t news_[4] = {};
  alignas(128) std::uint32_t held_[2] = {};
  alignas(128) std::uint32_t ranks_[kEvents + 1] = {};
  alignas(128) std::uint32_t shares_[kEvents] = {};
  alignas(128) std::uint32_t stages_[kEvents] = {};
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_BOARD_BOARD_H_
