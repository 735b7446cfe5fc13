// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Counts what a thread does, so that one element of a derivation does not keep its worker for long.
// Snap lines are not counted: a symbol looks at 4,096 for each of its two borders at the most.
#ifndef WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_STEPS_H_
#define WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_STEPS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/grammar/limits.h"

namespace warpyard::grammar {

/// Steps are instructions, terminals of plain blocks, and volumes that a query looks at. A query
/// ends when it has found what it asks for, and volumes have no order; so near the limit a
/// derivation may be within it or not.
struct Steps {
  std::uint32_t taken = 0;          ///< by the thread, for its element
  std::uint32_t most = kMostSteps;  ///< when the symbol ends at the latest; 0: all symbols end

  WY_HD void BeginSymbol() { most = taken + kMostSteps; }
  WY_HD bool AreTooMany() const { return taken > most; }
  /// The event ends, or is run again: what else the thread would do is in vain.
  WY_HD void End() { most = 0; }
  WY_HD bool HaveEnded() const { return most == 0; }

  /// Takes a step. Returns false where the symbol has none left.
  WY_HD bool Take() {
    if (AreTooMany()) return false;
    ++taken;
    return true;
  }
};

}  // namespace warpyard::grammar

#endif  // WARPYARD_CORE_WORKLOAD_GRAMMAR_DERIVE_STEPS_H_
