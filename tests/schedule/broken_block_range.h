// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Ranges of a block that are nearly right: each has one fault that BlockRange was written to avoid.
#ifndef WARPYARD_TESTS_SCHEDULE_BROKEN_BLOCK_RANGE_H_
#define WARPYARD_TESTS_SCHEDULE_BROKEN_BLOCK_RANGE_H_

#include <cstdint>

#include "core/exec/bits.h"
#include "core/model/worker/block_range.h"
#include "tests/support/scheduled_scope.h"

namespace warpyard::test_support {

enum class RangeFault {
  kNone,                  ///< right: shows that the suite blames the fault, not the frame
  kWrittenBeforeRead,     ///< describes new elements though a worker still reads the part
  kFilledTwice,           ///< a worker may draw though another one has just filled the range
  kShownBeforeDescribed,  ///< others can take before they can read of what
  kTakenByTwoSteps,       ///< takes a portion by a load and a store
};

/// What BlockRange does, but for a step.
template <RangeFault kFault>
class BrokenBlockRange : public model::BlockRange<ScheduledScope> {
 public:
  using Right = model::BlockRange<ScheduledScope>;
  using Scope = ScheduledScope;
  using Taken = model::TakenElements;

  static void Take(Memory& range, Taken& taken) {
    taken.claim.count = 0;
    if (!Right::HasMore(range)) return;
    const std::uint32_t word = Next(range);
    const std::uint32_t next = word & kMask;
    if (next >= (word >> 12 & kMask)) return;
    Memory::Part& part = range.parts[(word >> 24) % 2];
    taken = part.drawn;
    Scope::BlockWord(part.unread).FetchSubAcqRel(1);
    const std::uint32_t begin = next * taken.portion;
    taken.claim.first += begin;
    taken.claim.count = exec::Least(taken.portion, taken.claim.count - begin);
  }

  static bool Lock(Memory& range) {
    if (kFault != RangeFault::kFilledTwice) return Right::Lock(range);
    if (Right::HasMore(range) || Scope::BlockWord(range.drawing).LoadRelaxed() != 0) return false;
    return Scope::BlockWord(range.drawing).ExchangeAcqRel(1) == 0;
  }

  static bool Fill(Memory& range, const Taken& drawn, std::uint32_t begin) {
    const std::uint32_t generation = (Scope::BlockWord(range.word).LoadRelaxed() >> 24) + 1;
    Memory::Part& part = range.parts[generation % 2];
    const auto is_read = [&] { return Scope::BlockWord(part.unread).LoadAcquire() == 0; };
    const bool waits = kFault != RangeFault::kWrittenBeforeRead;
    if (waits && !Scope::Wait("a worker still reads the elements of its block", is_read)) {
      return false;
    }
    const std::uint32_t count = drawn.claim.count - begin;
    const std::uint32_t portions = (count - 1) / drawn.portion + 1;
    const std::uint32_t word = (generation & 0xffu) << 24 | portions << 12;
    if (kFault == RangeFault::kShownBeforeDescribed) {
      Scope::BlockWord(range.word).StoreRelease(word);
    }
    part.drawn = drawn;
    part.drawn.claim.first += begin;
    part.drawn.claim.count = count;
    part.unread = portions;
    if (kFault != RangeFault::kShownBeforeDescribed) {
      Scope::BlockWord(range.word).StoreRelease(word);
    }
    return true;
  }

 private:
  static constexpr std::uint32_t kMask = 0xfffu;

  static std::uint32_t Next(Memory& range) {
    const auto word = Scope::BlockWord(range.word);
    if (kFault != RangeFault::kTakenByTwoSteps) return word.FetchAddAcqRel(1);
    const std::uint32_t before = word.LoadAcquire();
    word.StoreRelease(before + 1);
    return before;
  }
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SCHEDULE_BROKEN_BLOCK_RANGE_H_
