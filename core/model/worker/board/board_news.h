// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What one access to the board tells; see board.h.
#ifndef WARPYARD_CORE_MODEL_WORKER_BOARD_BOARD_NEWS_H_
#define WARPYARD_CORE_MODEL_WORKER_BOARD_BOARD_NEWS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"

namespace warpyard::model {

inline constexpr std::uint32_t kNoRank = 0xffffffffu;
inline constexpr std::uint32_t kNoEvent = 0xffffffffu;

/// Elements and procedure of a stage, as far as they are known. @shape elements 0: not known;
///     numbers too large for the board are shown as the greatest that fit
struct StageHint {
  static constexpr std::uint32_t kSaturated = (1u << 18) - 1;  ///< or more elements
  std::uint32_t elements;
  std::uint32_t procedure;
};

/// Some of the events, a bit each.
struct EventBits {
  std::uint32_t words[2];

  WY_HD bool Has(std::uint32_t event) const {
    return (words[event / 32 % 2] >> event % 32 & 1u) != 0;
  }
  WY_HD EventBits Without(const EventBits& others) const {
    return {{words[0] & ~others.words[0], words[1] & ~others.words[1]}};
  }
};

/// What waits, as one access reads it.
struct BoardNews {
  std::uint32_t open[2];  ///< a bit for each event with an open stage
  std::uint32_t state;    ///< see Levels, Queued, HasUrgent, HasHeld and IsLeaving
  std::uint32_t latest;   ///< the stage that was opened last: elements, procedure, event

  /// A bit for each word of level bits that is not 0; see SharedQueues.
  WY_HD std::uint32_t Levels() const { return state & 0x3fu; }
  /// The same of the events' queues.
  WY_HD std::uint32_t Queued() const { return (state & kQueuedBits) >> 6; }
  /// Whether events with a deadline run, or ran a short time ago; see KeptBlocks.
  WY_HD bool HasUrgent() const { return (state & kUrgent) != 0; }
  /// Whether some events wait while others press: policy::Hold.
  WY_HD bool HasHeld() const { return (state & kHeld) != 0; }
  /// Hides the open stages of events that are held.
  WY_HD void HideStages(const EventBits& held) {
    for (std::uint32_t w = 0; w < 2; ++w) open[w] &= ~held.words[w];
  }
  /// Hides these stages and all queues. An event that presses has no queue: it shares with nobody.
  WY_HD void Hide(const EventBits& held) {
    HideStages(held);
    state &= ~kQueuedBits;
  }
  /// Whether the launch with this number is to end.
  WY_HD bool IsLeaving(std::uint32_t launch) const {
    return state >> kLaunchShift == (launch & (~0u >> kLaunchShift));
  }
  /// Whether there is something to draw.
  WY_HD bool HasWork() const { return (open[0] | open[1] | Levels() | Queued()) != 0; }
  WY_HD bool IsOpen(std::uint32_t event) const {
    return (open[event / 32] >> event % 32 & 1u) != 0;
  }

  /// The event, if there is nothing to draw but its open stage; else kNoEvent.
  WY_HD std::uint32_t OnlyOpen() const {
    const std::uint32_t word = open[0] | open[1];
    const bool one = (open[0] == 0 || open[1] == 0) && (word & (word - 1)) == 0;
    if (!one || word == 0 || Levels() != 0 || Queued() != 0) return kNoEvent;
    return exec::LowestBit(word) + (open[1] != 0 ? 32 : 0);
  }

  /// The open stage of an event, if it is the one that was opened last.
  WY_HD StageHint HintOf(std::uint32_t event) const {
    if ((latest & 63u) != event) return {0, 0};
    return {latest >> 14, latest >> 6 & 0xffu};
  }

  static constexpr std::uint32_t kQueuedBits = 3u << 6;
  static constexpr std::uint32_t kUrgent = 1u << 8;
  static constexpr std::uint32_t kHeld = 1u << 9;
  static constexpr std::uint32_t kLaunchShift = 10;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_BOARD_BOARD_NEWS_H_
