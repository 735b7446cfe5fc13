// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Elements of a stage that one worker drew for all workers of its block.
//
// All workers of a device wake up when a stage opens. If each of them claimed for itself, thousands
// of atomics would meet at one word: 0.75 ns each, so 1.6 us for a stage of short elements. Here
// one worker of a block claims for all of them, and they share the elements in the memory of the
// block. They take them in portions: as many as a worker executes as one round.
//
// The range is one word: a generation, the number of portions, and the next of them. A worker takes
// a portion with one atomic, which tells it the generation as well. The description of a generation
// lies in one of two parts. It is written again two generations later, when all of its elements
// have been read.
//
// Where accounts share the device, a worker that finds the range empty looks around, which takes
// much longer than a claim. One worker of the block looks around, and the others wait for its
// claim.
#ifndef WARPYARD_CORE_MODEL_WORKER_BLOCK_RANGE_H_
#define WARPYARD_CORE_MODEL_WORKER_BLOCK_RANGE_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/base/word_flag.h"
#include "core/exec/bits.h"
#include "core/exec/scope.h"
#include "core/model/event/event_table.h"

namespace warpyard::model {

/// Elements of a stage that a worker claimed, or took of its block's range. @shape claim.count 0:
/// none
struct TakenElements {
  RangeClaim claim;
  std::uint32_t event;
  std::uint32_t portion;  ///< of them: as many as a worker executes as one round
  WordFlag dropped;       ///< the event seems to be cancelled or to have failed
  WordFlag alone;         ///< no other event had something to draw then
  WordFlag quiet;         ///< none had that had not when a worker of the block last looked around
  WordFlag stuck;         ///< a bounded wait ran out
  WordFlag holds;         ///< the worker that claimed still holds the lock of its block's range
  WordFlag comes_first;   ///< see WantedClaim
};

/// @shape zero-initialised, in the memory of a block
struct BlockRangeMemory {
  struct Part {
    TakenElements drawn;
    std::uint32_t unread;  ///< portions that were not taken, or are being read
  };
  std::uint32_t word;       ///< generation << 24 | portions << 12 | next
  std::uint32_t drawing;    ///< not 0: a worker of the block draws
  std::uint32_t gathering;  ///< not 0: a team of the block gathers, so nobody is to draw
  std::uint32_t event;      ///< of the latest claim
  std::uint32_t chooses;    ///< when a worker began to choose what to draw; low bits of the cycles
  std::uint32_t chooser;    ///< number of that worker in the block
  std::uint32_t chosen;     ///< when a worker last claimed after a choice; low bits of the cycles
  Part parts[2];
};

/// @scope all members: one thread of a worker of the block, unless said otherwise
template <class Scope>
class BlockRange {
 public:
  BlockRange() = delete;
  using Memory = BlockRangeMemory;
  static constexpr std::uint32_t kMostElements = 1024;

  /// Whether there are elements to take. @scope any thread
  WY_HD static bool HasMore(Memory& range) {
    const std::uint32_t word = Scope::BlockWord(range.word).LoadRelaxed();
    return NextOf(word) < EndOf(word);
  }

  /// Takes a portion. @shape taken: gets it; its claim.count is 0 when there is none
  WY_HD static void Take(Memory& range, TakenElements& taken) {
    taken.claim.count = 0;
    if (!HasMore(range)) return;
    const std::uint32_t word = Scope::BlockWord(range.word).FetchAddAcqRel(1);
    const std::uint32_t next = NextOf(word);
    if (next >= EndOf(word)) return;
    Memory::Part& part = range.parts[GenerationOf(word) % 2];
    taken = part.drawn;
    Scope::BlockWord(part.unread).FetchSubAcqRel(1);
    const std::uint32_t begin = next * taken.portion;
    taken.claim.first += begin;
    taken.claim.count = exec::Least(taken.portion, taken.claim.count - begin);
  }

  /// Takes a portion. If the range is empty and another worker of the block chooses an event, the
  /// worker waits for that choice, for kChoiceCycles at most, and takes a portion of the other
  /// worker's claim. If the other worker claims nothing for the block, every waiting worker
  /// chooses.
  /// @shape taken: see Take; if its claim.count is 0, the caller is to choose
  /// @shape worker: the caller's number in the block
  WY_HD static void TakeOrChoose(Memory& range, TakenElements& taken, std::uint32_t worker) {
    const auto chooses = Scope::BlockWord(range.chooses);
    const std::uint32_t begin = Clock();
    for (bool has_waited = false;; has_waited = true) {
      Take(range, taken);
      if (taken.claim.count != 0) return;
      const std::uint32_t now = Clock();
      if (IsLongAgo(chooses.LoadRelaxed(), now)) {
        if (has_waited) return;
        // Another worker may have begun meanwhile.
        if (IsLongAgo(chooses.ExchangeRelaxed(now), now)) {
          return Scope::BlockWord(range.chooser).StoreRelaxed(worker);
        }
      }
      const bool gathers = Scope::BlockWord(range.gathering).LoadRelaxed() != 0;
      if (gathers || now - begin >= kChoiceCycles) return;
      Scope::Pause(kPauseRound);
    }
  }
  /// Ends the choice of a worker, if it chooses: the workers in TakeOrChoose stop waiting for it.
  /// @shape worker: its number in the block
  WY_HD static void EndChoice(Memory& range, std::uint32_t worker) {
    if (Scope::BlockWord(range.chooser).LoadRelaxed() != worker) return;
    Scope::BlockWord(range.chooser).StoreRelaxed(kNobody);
    // A worker may read the clock now and this word later: for it, too, the choice began long ago.
    Scope::BlockWord(range.chooses).StoreRelaxed(Clock() - 2 * kChoiceCycles);
  }

  /// Remembers that a worker claims for the range after a choice.
  WY_HD static void SetChosen(Memory& range) {
    Scope::BlockWord(range.chosen).StoreRelaxed(Clock());
  }
  /// Whether a worker claimed after a choice a short time ago: 1 ms.
  WY_HD static bool IsChosen(Memory& range) {
    return Clock() - Scope::BlockWord(range.chosen).LoadRelaxed() < kChosenCycles;
  }

  /// Waits while another worker draws and the range is empty, for kDrawCycles at most.
  WY_HD static void AwaitDraw(Memory& range) {
    const std::uint32_t begin = Clock();
    while (!HasMore(range) && Scope::BlockWord(range.drawing).LoadRelaxed() != 0 &&
           Clock() - begin < kDrawCycles) {
      Scope::Pause(kPauseRound);
    }
  }

  /// The event of the latest claim. @scope any thread
  WY_HD static std::uint32_t Event(Memory& range) {
    return Scope::BlockWord(range.event).LoadRelaxed();
  }

  /// Whether this worker may draw for the block: the range is empty, nobody else draws, and no team
  /// gathers. The worker calls Unlock then. @shape beside: also if the range has
  ///     elements, for packages, which need no room in it
  WY_HD static bool Lock(Memory& range, bool beside = false) {
    if (!MayDraw(range, beside) || Scope::BlockWord(range.drawing).LoadRelaxed() != 0) return false;
    if (Scope::BlockWord(range.drawing).ExchangeAcqRel(1) != 0) return false;
    if (MayDraw(range, beside)) return true;
    Unlock(range);  // another worker has just filled it, or gathers a team
    return false;
  }
  WY_HD static void Unlock(Memory& range) { Scope::BlockWord(range.drawing).StoreRelease(0); }

  /// Gives the block what this worker drew, from element `begin` of it on. False: a bounded wait
  /// ran out. @shape drawn: at most kMostElements
  WY_HD static bool Fill(Memory& range, const TakenElements& drawn, std::uint32_t begin) {
    const std::uint32_t generation = GenerationOf(Scope::BlockWord(range.word).LoadRelaxed()) + 1;
    Memory::Part& part = range.parts[generation % 2];
    const bool free = Scope::Wait("a worker still reads the elements of its block",
                                  [&] { return Scope::BlockWord(part.unread).LoadAcquire() == 0; });
    if (!free) return false;
    const std::uint32_t count = drawn.claim.count - begin;
    const std::uint32_t portions = drawn.portion == 1 ? count : (count - 1) / drawn.portion + 1;
    part.drawn = drawn;
    part.drawn.claim.first += begin;
    part.drawn.claim.count = count;
    part.unread = portions;
    Scope::BlockWord(range.word).StoreRelease((generation & 0xffu) << 24 | portions << 12);
    return true;
  }

  /// Says whether a team of the block gathers: those who would draw are wanted in it.
  WY_HD static void SetGathering(Memory& range, bool gathers) {
    Scope::BlockWord(range.gathering).StoreRelease(gathers ? 1u : 0u);
  }

  /// Before the workers begin.
  WY_HD static void Reset(Memory& range) {
    range = {};
    range.chooser = kNobody;
    range.chooses = Clock() - 2 * kChoiceCycles;
  }

 private:
  static constexpr std::uint32_t kNobody = ~0u;
  static constexpr std::uint32_t kPauseRound = 2;          // 128 ns on a GPU
  static constexpr std::uint32_t kDrawCycles = 20'000;     // a claim takes less
  static constexpr std::uint32_t kChoiceCycles = 150'000;  // a look around with a claim takes less
  static constexpr std::uint32_t kChosenCycles = 2'000'000;

  WY_HD static std::uint32_t Clock() { return static_cast<std::uint32_t>(Scope::Cycles()); }
  /// Whether a choice began more than kChoiceCycles before `now`, so nobody waits for it. Workers
  /// read the clock at different times, so `since` may be a little later than `now`.
  WY_HD static bool IsLongAgo(std::uint32_t since, std::uint32_t now) {
    return now + kChoiceCycles - since >= 2 * kChoiceCycles;
  }
  WY_HD static bool MayDraw(Memory& range, bool beside) {
    return (beside || !HasMore(range)) && Scope::BlockWord(range.gathering).LoadAcquire() == 0;
  }

  static constexpr std::uint32_t kMask = 0xfffu;
  WY_HD static std::uint32_t GenerationOf(std::uint32_t word) { return word >> 24; }
  WY_HD static std::uint32_t EndOf(std::uint32_t word) { return word >> 12 & kMask; }
  WY_HD static std::uint32_t NextOf(std::uint32_t word) { return word & kMask; }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_BLOCK_RANGE_H_
