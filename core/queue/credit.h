// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A count of credits that is never too high, not even for a moment.
//
// Queues admit by credits: a push takes a free slot, a pop takes an element. Taking is an atomic
// subtraction; the part that went below zero is given back. Until then the count is too low: a take
// may fail although there is enough, but none succeeds without cover. (A single count of elements,
// which pushes raise and pops lower, has no such safe side: docs/adr/0007.)
#ifndef WARPYARD_CORE_QUEUE_CREDIT_H_
#define WARPYARD_CORE_QUEUE_CREDIT_H_

#include <cstdint>

#include "core/base/macros.h"

namespace warpyard::queue {

/// On memory of its own, because every push or every pop of a queue accesses it.
template <class Scope>
class alignas(Scope::kContendedBytes) Credit {
 public:
  WY_HD void Reset(std::uint32_t count) { count_ = static_cast<std::int32_t>(count); }

  /// Takes up to `wanted`; returns how many. 1 RMW, or 2 when there are too few: look at
  /// Approximate first when polling.
  WY_HD std::uint32_t Take(std::uint32_t wanted) {
    const auto word = Scope::Word(count_);
    const std::int32_t before = word.FetchSubRelaxed(static_cast<std::int32_t>(wanted));
    const std::int32_t after = before - static_cast<std::int32_t>(wanted);
    if (after >= 0) return wanted;
    const std::int32_t missing = before > 0 ? -after : static_cast<std::int32_t>(wanted);
    word.FetchAddRelaxed(missing);
    return wanted - static_cast<std::uint32_t>(missing);
  }

  WY_HD void Give(std::uint32_t count) {
    Scope::Word(count_).FetchAddRelaxed(static_cast<std::int32_t>(count));
  }

  /// Credits now, or fewer. @scope any thread
  WY_HD std::uint32_t Approximate() {
    const std::int32_t count = Scope::Word(count_).LoadRelaxed();
    return count > 0 ? static_cast<std::uint32_t>(count) : 0;
  }

 private:
  std::int32_t count_ = 0;
};

}  // namespace warpyard::queue

#endif  // WARPYARD_CORE_QUEUE_CREDIT_H_
