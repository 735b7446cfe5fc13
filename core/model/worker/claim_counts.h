// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How many elements of an event's open stage a worker claims at once.
//
// A claim should cost little beside the elements that it takes. But it takes no more than a fair
// part of the elements that are left, so that all workers end together. The more events run, the
// more elements a worker claims of one, up to a round of its block: the other events keep the
// device busy while this event's last elements run.
#ifndef WARPYARD_CORE_MODEL_WORKER_CLAIM_COUNTS_H_
#define WARPYARD_CORE_MODEL_WORKER_CLAIM_COUNTS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/model/worker/block_range.h"
#include "core/model/worker/board/board_news.h"
#include "core/model/worker/workspace.h"

namespace warpyard::model {

/// What a worker wants to claim.
struct WantedClaim {
  std::uint32_t event;
  StageHint hint;         ///< its open stage, as far as the worker knows
  std::uint32_t running;  ///< events that run
  std::uint32_t workers;  ///< of the device
  bool only_for_block;    ///< not for this worker alone, where another one draws for the block
  bool is_brief;          ///< see WorkerParts::IsBrief
  bool has_urgent;        ///< events with a deadline run beside others
  bool is_urgent;         ///< the event has a deadline, and others run
  bool comes_first;       ///< the event has a deadline, and there is work without one
};

/// How much a claim of a stage takes.
/// @units cycles: of the device, some 2,000 a microsecond
struct ClaimRules {
  static constexpr std::uint32_t kMostDropped =
      1u << 26;  // one such claim of each worker fits a cursor
  static constexpr std::uint32_t kMostCycles = 1u << 30;
  static constexpr float kMostUnknown = 8;  // uneven elements that may take long
  // A worker claims more of a stage for so long before it chooses an event again: where only one
  // event has elements to draw, and where several have.
  static constexpr std::uint32_t kMostAloneCycles = 4'000'000;
  static constexpr std::uint32_t kMostSharedCycles = 16'000;
  // A claim that took less is doubled.
  static constexpr std::uint32_t kAloneCycles = 24'000;
  static constexpr std::uint32_t kSharedCycles = 200'000;
  static constexpr std::uint32_t kMostUneven = 8;  // of one claim
  // A claim for a block keeps each of its workers busy for so long: some 32 us, or 8 us.
  static constexpr float kClaimCycles = 64'000, kBriefClaimCycles = 16'000;
  static constexpr std::uint32_t kLongCycles =
      4'000;                                // a claim costs little beside such an element
  static constexpr float kLeastUneven = 2;  // each claim costs as much as a part of one
  static constexpr float kUnevenAloneCycles = 16'000;  // some 8 us, where none do
  static constexpr float kUnevenCycles = 200'000;  // some 100 us, where other events run meanwhile
  static constexpr float kPackageCycles = 64'000;  // of a team
  static constexpr float kPackages = 4;            // of one claim, at least, where one event runs
  static constexpr float kAlmostOne = 0.999f;
  static constexpr float kPartOfFair = 0.5f;
  static constexpr float kNewest = 0.125f;  // what the newest time counts
};

/// How a worker claims more of a stage of uneven elements.
struct ClaimPace {
  float part_of_left;   ///< see ClaimCounts::PartOfLeft
  bool shares;          ///< other events run
  std::uint32_t since;  ///< when the worker last chose; low bits of the cycles
};

/// @scope all members: one thread of the worker
template <class Space>
class ClaimCounts : private ClaimRules {
 public:
  ClaimCounts() = delete;
  using Scope = typename Space::Scope;
  static constexpr std::uint32_t kMostForOne = 32;  ///< fits a stack that has made room

  /// Elements to claim. In floats: integer division is slow on a GPU. @shape hint: the stage, as
  /// far as it is known
  WY_HD static std::uint32_t CountOf(BlockMemory<Space>& block, const WantedClaim& wanted,
                                     const StageHint& hint, bool for_block) {
    if (hint.elements == 0) return 1;
    const std::uint32_t procedure = hint.procedure % Space::Procedures::kCount;
    const ProcedureTraits& traits = block.traits[procedure];
    const auto each =
        static_cast<float>(Scope::BlockWord(block.element_cycles[procedure]).LoadRelaxed());
    if (traits.lanes == 0) return PackagesOf(wanted, traits, hint.elements, each);
    // Workers that share what is claimed.
    const float sharing = for_block ? static_cast<float>(traits.sharing) : 1;
    // It comes first: the others' work keeps no worker busy that this event could have.
    const std::uint32_t running = wanted.comes_first ? 1 : wanted.running;
    const float fair = FairPart(hint.elements, running, sharing, wanted.workers);
    if (traits.merges != 0) {
      if (for_block) return exec::Least(Rounded(fair + kAlmostOne), kBlockWorkers);
      return UnevenOf(fair, running > 1, each);
    }
    // A round of all that share, and no less than a fair part: a stage with no more elements than
    // there are workers takes one round then.
    const float cycles = (wanted.is_brief ? kBriefClaimCycles : kClaimCycles) * sharing;
    const float known = each != 0 ? cycles * exec::RoughReciprocal(each) : 0;
    const float round = static_cast<float>(traits.groups) * sharing;
    const float most = known > round ? known : round;
    const std::uint32_t count = Rounded(fair < most ? fair + kAlmostOne : most);
    return exec::Least(count, for_block ? Range::kMostElements : kMostForOne);
  }

  /// What part of a stage's elements that are left a worker should claim at most.
  WY_HD static float PartOfLeft(std::uint32_t running, std::uint32_t workers) {
    return kPartOfFair * static_cast<float>(running) *
           exec::RoughReciprocal(static_cast<float>(workers));
  }

  /// Learns how long elements of a procedure take. @shape elements, cycles: what was executed
  WY_HD static void Learn(BlockMemory<Space>& block, std::uint32_t procedure,
                          std::uint32_t elements, std::uint64_t cycles) {
    const float took =
        static_cast<float>(cycles < kMostCycles ? static_cast<std::uint32_t>(cycles) : kMostCycles);
    const float each = took * exec::RoughReciprocal(static_cast<float>(elements)) + 1;
    const auto word = Scope::BlockWord(block.element_cycles[procedure]);
    const auto before = static_cast<float>(word.LoadRelaxed());
    const float now = before == 0 ? each : before + (each - before) * kNewest;
    word.StoreRelaxed(static_cast<std::uint32_t>(now + 0.5f));
  }

 private:
  using Range = BlockRange<Scope>;
  static constexpr std::uint32_t kBlockWorkers = Space::Shape::kBlockWorkers;

  WY_HD static std::uint32_t Rounded(float count) {
    if (count < 1) return 1;
    constexpr auto kMost = static_cast<float>(Range::kMostElements);
    return static_cast<std::uint32_t>(count < kMost ? count : kMost);
  }
  WY_HD static float FairPart(std::uint32_t elements, std::uint32_t running, float sharing,
                              std::uint32_t workers) {
    return static_cast<float>(elements) * static_cast<float>(running) * sharing *
           exec::RoughReciprocal(static_cast<float>(workers));
  }

  /// Elements of uneven length, for one worker. @shape shares: other events run; each: cycles of
  /// one; 0: not known
  WY_HD static std::uint32_t UnevenOf(float fair, bool shares, float each) {
    const float known =
        (shares ? kUnevenCycles : kUnevenAloneCycles) * exec::RoughReciprocal(each + 1);
    const float least = shares ? 1 : kLeastUneven;
    const float most = each == 0 ? kMostUnknown : known > least ? known : least;
    const float part = fair * kPartOfFair + 1;
    return exec::Least(Rounded(part < most ? part : most), kMostForOne);
  }

  /// The number of packages that a team claims. It claims urgent packages one by one. A block
  /// executes its packages one after another, also the packages of other events, so an urgent
  /// package that is claimed early may wait long. @shape each: see UnevenOf
  WY_HD static std::uint32_t PackagesOf(const WantedClaim& wanted, const ProcedureTraits& traits,
                                        std::uint32_t elements, float each) {
    const float fair =
        FairPart(elements, wanted.running, static_cast<float>(traits.sharing), wanted.workers);
    const bool knows = each != 0 && !wanted.is_urgent;
    const float known = knows ? kPackageCycles * exec::RoughReciprocal(each) : 0;
    const float least = wanted.running <= 1 ? kPackages : 1;
    const float most = known > least ? known : least;
    return exec::Least(Rounded(fair < most ? fair + kAlmostOne : most), kMostForOne);
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_CLAIM_COUNTS_H_
