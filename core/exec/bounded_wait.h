// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The wait of a scope with a clock: spins with back-off, and never without a bound.
#ifndef WARPYARD_CORE_EXEC_BOUNDED_WAIT_H_
#define WARPYARD_CORE_EXEC_BOUNDED_WAIT_H_

#include <cstdint>

#include "core/base/macros.h"

namespace warpyard::exec {

/// Waits until ready() holds. Returns false when Scope::WaitLimitNs has passed.
template <class Scope, class Ready>
WY_HD bool WaitWithBound(Ready&& ready) {
  if (ready()) return true;
  const std::uint64_t limit = Scope::NowNs() + Scope::WaitLimitNs();
  for (std::uint32_t round = 0; !ready(); ++round) {
    if (Scope::NowNs() > limit) return ready();  // this thread may not have run meanwhile
    Scope::Pause(round);
  }
  return true;
}

}  // namespace warpyard::exec

#endif  // WARPYARD_CORE_EXEC_BOUNDED_WAIT_H_
