// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The error for a number of triangles: the key that has so many greater ones, digit after digit.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_CUT_SELECT_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_CUT_SELECT_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/simplify/build/planes.h"
#include "core/workload/simplify/job/bins.h"
#include "core/workload/simplify/job/stages.h"

namespace warpyard::simplify {

inline constexpr std::uint32_t kDigitBits = 8;
inline constexpr std::uint32_t kDigits = 1u << kDigitBits;

inline constexpr const char* kDigitNames[] = {"SimplifyCountDigits0", "SimplifyCountDigits1",
                                              "SimplifyCountDigits2", "SimplifyCountDigits3"};

/// Counts the digits at a place of those keys whose higher digits are known. @shape kPlace: 0: the
///     highest one
template <std::uint32_t kPlace>
struct CountDigits {
  struct Scratch {
    std::uint32_t counts[kDigits];
  };
  static constexpr std::uint32_t kShift = 32 - kDigitBits * (kPlace + 1);

  using Item = Range;
  static constexpr std::size_t kSharedBytes = sizeof(Scratch);
  static constexpr const char* kName = kDigitNames[kPlace];
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 4096;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, SimplifyJob>& context, const Range& range) {
    const SimplifyJob& job = context.job;
    Scope& scope = context.scope;
    std::uint32_t(&own)[kDigits] = context.template Shared<Scratch>().counts;
    for (std::uint32_t d = scope.Rank(); d < kDigits; d += scope.Size()) own[d] = 0;
    scope.Barrier();
    const std::uint32_t known = job.counters->threshold;
    for (std::uint32_t t = range.begin + scope.Rank(); t < range.end; t += scope.Size()) {
      const std::uint32_t bits = OrderedBits(job.model.keys[t]);
      if constexpr (kPlace != 0) {
        if (bits >> (32 - kDigitBits * kPlace) != known) continue;
      }
      Scope::BlockWord(own[bits >> kShift & (kDigits - 1)]).FetchAddRelaxed(1);
    }
    scope.Barrier();
    for (std::uint32_t d = scope.Rank(); d < kDigits; d += scope.Size()) {
      if (own[d] != 0) Scope::Word(job.bins[d]).FetchAddRelaxed(own[d]);
    }
  }
};

/// Chooses the digit, and clears the counts for the next one. Greater keys are counted so far.
struct ChooseDigit {
  template <class Scope>
  WY_HD static void Do(Scope& scope, LaneSums& lanes, const SimplifyJob& job) {
    Counters& counters = *job.counters;
    const std::uint32_t left = job.cut.rank - counters.survivors;
    const BinSum found =
        FindInBins(scope, lanes, {job.bins, kDigits, true}, std::uint64_t{left} + 1);
    scope.Barrier();
    if (scope.Rank() != 0) return;
    counters.threshold = counters.threshold << kDigitBits | (kDigits - 1 - found.bin);
    counters.survivors += found.before;
  }
};

struct EachKeyToSelect {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.cut.selects ? job.model.triangles : 0;
  }
};

template <std::uint32_t kPlace>
using DigitRow = Row<AndLast<CountDigits<kPlace>, EachKeyToSelect, ChooseDigit>, EachKeyToSelect>;
using SelectStages = Stages<DigitRow<0>, DigitRow<1>, DigitRow<2>, DigitRow<3>>;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_CUT_SELECT_H_
