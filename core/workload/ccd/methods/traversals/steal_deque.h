// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A deque of pairs of nodes in global memory. Its owner adds and takes pairs at the bottom; other
// workers, the thieves, steal batches at the top. [SilvaThesis Alg. 3.10-3.13]
//
// A thief records the range that it stole and reads the pairs later, when it needs them (lazy
// stealing). So the owner must not write to these places again until the deque is empty and the
// thieves have read all stolen pairs. The thesis never reuses places, and needs memory for all
// pairs that ever existed. Deviates from [SilvaThesis Alg. 3.13]: both ends are in one word, which
// every operation changes by compare-and-swap. As printed, popBottom moves the bottom without one.
// Then a thief may read both ends and sleep while the owner takes pairs down to the top. When the
// thief wakes up, it moves the top past pairs that the owner has taken, too. An end that returns to
// an old value does no harm, since pairs are read after the exchange and not before it.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_STEAL_DEQUE_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_STEAL_DEQUE_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/ccd/job/traversal_view.h"

namespace warpyard::ccd {

/// Taken pairs: `count` places from `first` on.
struct TakenRange {
  std::uint32_t first;
  std::uint32_t count;
};

/// @shape words zero at first, for `capacity` pairs
template <class Scope>
class StealDeque {
 public:
  WY_HD StealDeque(DequeWords& words, std::uint32_t capacity)
      : words_(words), capacity_(capacity) {}

  /// The first place where the owner may write `count` pairs before it publishes them; the capacity
  /// if there is no room. @scope one thread of the owner
  WY_HD std::uint32_t PlaceFor(std::uint32_t count) {
    TryReset();
    const std::uint32_t bottom = Bottom(Scope::Word(words_.range).LoadRelaxed());
    return bottom + count <= capacity_ ? bottom : capacity_;
  }

  /// Adds the pairs that the block wrote to PlaceFor before its last barrier. @scope one thread of
  /// the owner
  WY_HD void Publish(std::uint32_t count) { Scope::Word(words_.range).FetchAddAcqRel(count); }

  /// Takes up to `most` of the newest pairs. @scope one thread of the owner
  WY_HD TakenRange PopBottom(std::uint32_t most) {
    auto range = Scope::Word(words_.range);
    std::uint64_t seen = range.LoadRelaxed();
    while (true) {
      const std::uint32_t top = Top(seen), bottom = Bottom(seen), left = bottom - top;
      const std::uint32_t count = left < most ? left : most;
      if (count == 0) return {};
      if (range.CompareExchangeAcqRel(seen, seen - count)) return {bottom - count, count};
    }
  }

  /// Steals the oldest `batch` pairs unless that would empty the deque. Gets nothing if another
  /// thread was faster. @scope any one thread
  WY_HD TakenRange PopTop(std::uint32_t batch) {
    auto range = Scope::Word(words_.range);
    std::uint64_t seen = range.LoadRelaxed();
    if (Bottom(seen) - Top(seen) < 2 * batch + 1) return {};
    const std::uint32_t top = Top(seen);
    const std::uint64_t stolen = seen + (std::uint64_t{batch} << 32);
    return range.CompareExchangeAcqRel(seen, stolen) ? TakenRange{top, batch} : TakenRange{};
  }

  /// Counts stolen pairs that were read before the last barrier. @scope one thread of the thief
  WY_HD void CountCopied(std::uint32_t count) { Scope::Word(words_.copied).FetchAddAcqRel(count); }

 private:
  WY_HD static std::uint32_t Top(std::uint64_t range) {
    return static_cast<std::uint32_t>(range >> 32);
  }
  WY_HD static std::uint32_t Bottom(std::uint64_t range) {
    return static_cast<std::uint32_t>(range);
  }

  /// Starts again at place 0 if the deque is empty and thieves have read all stolen pairs.
  WY_HD void TryReset() {
    auto range = Scope::Word(words_.range);
    std::uint64_t seen = range.LoadRelaxed();
    if (Top(seen) == 0 || Top(seen) != Bottom(seen)) return;
    if (Scope::Word(words_.copied).LoadAcquire() != Top(seen)) return;
    // No thief touches an empty deque, so only the owner accesses both words now.
    Scope::Word(words_.copied).StoreRelaxed(0);
    range.StoreRelaxed(0);
  }

  DequeWords& words_;
  const std::uint32_t capacity_;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_STEAL_DEQUE_H_
