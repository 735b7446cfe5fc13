// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Deques with a fault, which the schedules must find.
#ifndef WARPYARD_TESTS_SCHEDULE_BROKEN_STEAL_DEQUE_H_
#define WARPYARD_TESTS_SCHEDULE_BROKEN_STEAL_DEQUE_H_

#include <cstdint>

#include "core/workload/ccd/methods/traversals/steal_deque.h"

namespace warpyard::test_support {

/// As printed in [SilvaThesis Alg. 3.13]: two words, and only thieves change the top by an
/// exchange. `range` is the bottom here, and `copied` is the top.
template <class Scope>
class PrintedStealDeque {
 public:
  PrintedStealDeque(ccd::DequeWords& words, std::uint32_t capacity)
      : words_(words), capacity_(capacity) {}

  std::uint32_t PlaceFor(std::uint32_t count) {
    const std::uint64_t bottom = Scope::Word(words_.range).LoadRelaxed();
    return bottom + count <= capacity_ ? static_cast<std::uint32_t>(bottom) : capacity_;
  }

  void Publish(std::uint32_t count) { Scope::Word(words_.range).FetchAddAcqRel(count); }

  ccd::TakenRange PopBottom(std::uint32_t most) {
    const std::uint64_t top = Scope::Word(words_.copied).LoadAcquire();
    const std::uint64_t bottom = Scope::Word(words_.range).LoadAcquire();
    if (bottom == top) return {};
    const std::uint64_t left = bottom - top, count = left < most ? left : most;
    Scope::Word(words_.range).StoreRelease(bottom - count);
    return {static_cast<std::uint32_t>(bottom - count), static_cast<std::uint32_t>(count)};
  }

  ccd::TakenRange PopTop(std::uint32_t batch) {
    std::uint64_t top = Scope::Word(words_.copied).LoadAcquire();
    const std::uint64_t bottom = Scope::Word(words_.range).LoadAcquire();
    if (bottom < top || bottom - top < 2 * batch + 1) return {};
    const auto first = static_cast<std::uint32_t>(top);
    if (!Scope::Word(words_.copied).CompareExchangeAcqRel(top, top + batch)) return {};
    return {first, batch};
  }

  void CountCopied(std::uint32_t) {}

 private:
  ccd::DequeWords& words_;
  const std::uint32_t capacity_;
};

/// Restarts at place 0 although thieves may still have to read stolen pairs.
template <class Scope>
class HastyStealDeque : public ccd::StealDeque<Scope> {
 public:
  HastyStealDeque(ccd::DequeWords& words, std::uint32_t capacity)
      : ccd::StealDeque<Scope>(words, capacity), words_(words) {}

  std::uint32_t PlaceFor(std::uint32_t count) {
    const std::uint64_t range = Scope::Word(words_.range).LoadRelaxed();
    Scope::Word(words_.copied).StoreRelaxed(range >> 32);
    return ccd::StealDeque<Scope>::PlaceFor(count);
  }

 private:
  ccd::DequeWords& words_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SCHEDULE_BROKEN_STEAL_DEQUE_H_
