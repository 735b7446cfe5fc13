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
#ifndef WARPYARD_CORE_MODEL_WORKER_BOARD_H_
#define WARPYARD_CORE_MODEL_WORKER_BOARD_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/procedure/element.h"

namespace warpyard::model {

inline constexpr std::uint32_t kNoRank = 0xffffffffu;
inline constexpr std::uint32_t kNoEvent = 0xffffffffu;

/// What waits, as one access reads it.
struct BoardNews {
  std::uint32_t open[2];  ///< a bit for each event with an open stage
  std::uint32_t levels;   ///< a bit for each word of level bits that is not 0
  std::uint32_t leave;    ///< the number, from 1, of the launch that is to end

  /// Whether there is something to draw.
  WY_HD bool HasWork() const { return (open[0] | open[1] | levels) != 0; }
  WY_HD bool IsOpen(std::uint32_t event) const { return (open[event / 32] >> event % 32 & 1u) != 0; }

  /// The event, if there is nothing to draw but its open stage; else kNoEvent.
  WY_HD std::uint32_t OnlyOpen() const {
    const std::uint32_t word = open[0] | open[1];
    const bool one = levels == 0 && (open[0] == 0 || open[1] == 0) && (word & (word - 1)) == 0;
    if (!one || word == 0) return kNoEvent;
    return exec::LowestBit(word) + (open[1] != 0 ? 32 : 0);
  }
};

/// The ranks and shares of all events, those of a lane in its registers: event number `lane` and
/// `lane + 32`. They are read before a worker knows which ones it needs, together with the news.
struct EventOrder {
  std::uint32_t ranks[2];
  std::uint32_t shares[2];
  std::uint32_t sizes[2];  ///< elements of the open stages
  std::uint32_t levels;    ///< the rank of all levels
};

/// The first of the events that have something to draw, or the levels.
struct Choice {
  static constexpr std::uint32_t kLevels = procedure::kEventBuckets;  ///< instead of an event
  std::uint32_t rank;   ///< kNoRank: there is nothing to draw
  std::uint32_t event;  ///< meaningless then
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

  /// Shows that an event has an open stage. A worker may see that before it sees the stage; then it
  /// claims nothing and looks again. @scope the thread that opens it, before it is open
  /// @shape elements: of the stage
  WY_HD void Open(std::uint32_t event, std::uint32_t elements) {
    Scope::Word(sizes_[event]).StoreRelaxed(elements);
    Scope::Word(news_[event / 32]).FetchOrRelaxed(1u << event % 32);
  }
  /// All elements of the open stage are claimed. @scope the thread whose claim took the last one,
  ///     before it counts any of these elements out
  WY_HD void Close(std::uint32_t event) {
    Scope::Word(news_[event / 32]).FetchAndRelaxed(~(1u << event % 32));
  }

  /// Shows which words of level bits have some. @scope any thread
  WY_HD void SetLevels(std::uint32_t word) {
    Scope::Word(news_[2]).FetchOrRelease(1u << word);
  }
  WY_HD void ClearLevels(std::uint32_t word) {
    Scope::Word(news_[2]).FetchAndAcqRel(~(1u << word));
  }

  /// Tells the workers of a launch to leave. @scope any thread
  WY_HD void Leave(std::uint32_t launch) { Scope::Word(news_[3]).StoreRelaxed(launch); }
  WY_HD std::uint32_t Leaving() { return Scope::Word(news_[3]).LoadRelaxed(); }

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
  /// @scope one thread at a time for an event
  WY_HD void SetShare(std::uint32_t event, std::uint32_t share) {
    const auto word = Scope::Word(shares_[event]);
    if (word.LoadRelaxed() != share) word.StoreRelaxed(share);
  }

  /// Elements of an event's open stage, or of the one before. @scope any thread
  WY_HD std::uint32_t SizeOf(std::uint32_t event) {
    return Scope::Word(sizes_[event]).LoadRelaxed();
  }

  /// @scope the group
  template <exec::LaneScope Group>
  WY_HD EventOrder ReadOrder(const Group& group) {
    EventOrder order{};
    if (group.Size() != kLanes) return order;  // a single thread reads what it needs
    for (std::uint32_t k = 0; k < 2; ++k) {
      order.ranks[k] = RankOf(kLanes * k + group.Rank());
      order.shares[k] = ShareOf(kLanes * k + group.Rank());
      order.sizes[k] = SizeOf(kLanes * k + group.Rank());
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

  template <exec::LaneScope Group>
  WY_HD std::uint32_t SizeIn(Group& group, const EventOrder& order, std::uint32_t event) {
    if (group.Size() != kLanes) return SizeOf(event);
    return group.BroadcastFrom(event < kLanes ? order.sizes[0] : order.sizes[1], event % kLanes);
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
    if (news.levels != 0) {
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
  static constexpr std::uint32_t kLanes = 32;

  alignas(Scope::kContendedBytes) std::uint32_t news_[4] = {};
  alignas(128) std::uint32_t ranks_[kEvents + 1] = {};
  alignas(128) std::uint32_t shares_[kEvents] = {};
  alignas(128) std::uint32_t sizes_[kEvents] = {};
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_BOARD_H_
