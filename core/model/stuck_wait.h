// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What remains of a bounded wait that ran out, for the host.
#ifndef WARPYARD_CORE_MODEL_STUCK_WAIT_H_
#define WARPYARD_CORE_MODEL_STUCK_WAIT_H_

#include <cstdint>

#include "core/base/macros.h"

namespace warpyard::model {

/// A bounded wait that ran out, since a worker died inside a queue: all workers stop.
struct StuckWait {
  std::uint32_t is_stuck;  ///< not 0: there is one
  char reason[124];        ///< which wait
};

/// Reports the first bounded wait that ran out, and tells all workers of a launch to leave. @scope
///     any thread
template <class Space>
WY_HD void TellStuck(Space& space, std::uint32_t launch, const char* reason) {
  using Scope = typename Space::Scope;
  std::uint32_t none = 0;
  if (!Scope::Word(space.stuck.is_stuck).CompareExchangeRelaxed(none, 1)) return;
  std::uint32_t i = 0;
  WY_ROLLED
  for (; reason[i] != '\0' && i + 1 < sizeof space.stuck.reason; ++i) {
    space.stuck.reason[i] = reason[i];
  }
  space.stuck.reason[i] = '\0';
  Scope::OrderBeforePut();
  space.board.Leave(launch);
}

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_STUCK_WAIT_H_
