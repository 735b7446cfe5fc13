// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Elements of a stage that one worker drew for all workers of its block.
//
// All workers of a device wake up when a stage opens. If each of them claimed for itself, thousands of
// atomics would meet at one word: 0.75 ns each, so 1.6 us for a stage of short elements. Here one
// worker of a block claims for all of them, and they share the elements in the memory of the block.
// They take them in portions: as many as a worker executes as one round.
//
// The range is one word: a generation, the number of portions, and the next of them. A worker takes
// a portion with one atomic, which tells it the generation as well. The description of a generation
// lies in one of two parts. It is written again two generations later, when all of its elements have
// been read.
#ifndef WARPYARD_CORE_MODEL_WORKER_BLOCK_RANGE_H_
#define WARPYARD_CORE_MODEL_WORKER_BLOCK_RANGE_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/model/event/event_table.h"
#include "core/model/worker/board.h"

namespace warpyard::model {

/// Elements that a worker took of its block's range. @shape claim.count 0: none
struct TakenElements {
  RangeClaim claim;
  std::uint32_t event;
  std::uint32_t dropped;  ///< not 0: the event seems to be cancelled or to have failed
  std::uint32_t stuck;    ///< not 0: a bounded wait ran out
  std::uint32_t portion;  ///< of them: as many as a worker executes as one round
};

/// @shape zero-initialised, in the memory of a block
struct BlockRangeMemory {
  struct Part {
    TakenElements drawn;
    std::uint32_t unread;  ///< portions that were not taken, or are being read
  };
  std::uint32_t word;     ///< generation << 24 | portions << 12 | next
  std::uint32_t drawing;  ///< not 0: a worker of the block draws
  std::uint32_t event;    ///< of the latest draw
  std::uint32_t left;     ///< elements of its stage that nobody had claimed after that draw
  std::uint32_t procedure;  ///< of that stage
  std::uint32_t stage;      ///< its number
  // Elements of it that take about as long as a claim costs little against, and as a worker should
  // execute without a look; see StageClaims::Learn.
  std::uint32_t most;  ///< 0: not known
  std::uint32_t portion;
  Part parts[2];
};

/// @scope all members: the group of a worker of the block, unless said otherwise
template <exec::LaneScope Group, class Scope>
class BlockRange {
 public:
  static constexpr std::uint32_t kMostElements = 1024;

  WY_HD BlockRange(Group& group, BlockRangeMemory& memory) : group_(group), memory_(memory) {}

  /// Whether there are elements to take. @scope any lane
  WY_HD bool HasMore() const {
    const std::uint32_t word = Scope::BlockWord(memory_.word).LoadRelaxed();
    return NextOf(word) < EndOf(word);
  }

  /// Takes a portion.
  WY_HD TakenElements Take() {
    std::uint32_t word = 0;
    if (group_.Rank() == 0 && HasMore()) {
      word = Scope::BlockWord(memory_.word).FetchAddAcqRel(1);
    }
    word = group_.Broadcast(word);
    TakenElements taken{};
    const std::uint32_t next = NextOf(word), end = EndOf(word);
    if (next >= end) return taken;
    BlockRangeMemory::Part& part = memory_.parts[GenerationOf(word) % 2];
    taken = part.drawn;
    group_.Barrier();  // all lanes have read it
    if (group_.Rank() == 0) Scope::BlockWord(part.unread).FetchSubAcqRel(1);
    const std::uint32_t begin = next * taken.portion;
    taken.claim.first += begin;
    taken.claim.count = exec::Least(taken.portion, taken.claim.count - begin);
    return taken;
  }

  /// The event of the latest draw. @scope any lane
  WY_HD std::uint32_t Event() const { return Scope::BlockWord(memory_.event).LoadRelaxed(); }
  /// The same, if that left elements of its stage that nobody had claimed; else kNoEvent.
  WY_HD std::uint32_t EventWithMore() const {
    return Scope::BlockWord(memory_.left).LoadRelaxed() != 0 ? Event() : kNoEvent;
  }

  /// Whether this worker may draw for the block: the range is empty, and nobody else draws. The
  /// worker calls Unlock then. @scope one thread
  WY_HD bool Lock() {
    if (HasMore() || Scope::BlockWord(memory_.drawing).LoadRelaxed() != 0) return false;
    if (Scope::BlockWord(memory_.drawing).ExchangeAcqRel(1) != 0) return false;
    if (!HasMore()) return true;
    Unlock();  // another worker has just filled it
    return false;
  }
  /// @scope one thread of the worker that draws
  WY_HD void Unlock() { Scope::BlockWord(memory_.drawing).StoreRelease(0); }

  /// Gives the block what this worker drew. False: a bounded wait ran out.
  /// @scope one thread of the worker that draws @shape drawn: 1 to kMostElements
  WY_DEVICE_CALL WY_HD static bool Fill(BlockRangeMemory& memory, const TakenElements& drawn) {
    const std::uint32_t generation = GenerationOf(Scope::BlockWord(memory.word).LoadRelaxed()) + 1;
    BlockRangeMemory::Part& part = memory.parts[generation % 2];
    const bool free = Scope::Wait("a worker still reads the elements of its block", [&] {
      return Scope::BlockWord(part.unread).LoadAcquire() == 0;
    });
    if (!free) return false;
    const std::uint32_t portions =
        drawn.portion == 1 ? drawn.claim.count : (drawn.claim.count - 1) / drawn.portion + 1;
    part.drawn = drawn;
    part.unread = portions;
    Scope::BlockWord(memory.word).StoreRelease((generation & 0xffu) << 24 | portions << 12);
    return true;
  }

 private:
  static constexpr std::uint32_t kMask = 0xfffu;
  WY_HD static std::uint32_t GenerationOf(std::uint32_t word) { return word >> 24; }
  WY_HD static std::uint32_t EndOf(std::uint32_t word) { return word >> 12 & kMask; }
  WY_HD static std::uint32_t NextOf(std::uint32_t word) { return word & kMask; }

  Group& group_;
  BlockRangeMemory& memory_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_BLOCK_RANGE_H_
