// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a worker knows when it chooses what comes first.
#ifndef WARPYARD_CORE_MODEL_WORKER_SIGHT_H_
#define WARPYARD_CORE_MODEL_WORKER_SIGHT_H_

#include <cstdint>

#include "core/model/worker/board.h"

namespace warpyard::model {

/// What a worker saw when it looked around: the board, and the events of which it or its block has
/// elements. @shape events: kNoEvent: none; Choice::kLevels: an element of a level
struct Sight {
  BoardNews news;
  EventOrder order;
  std::uint32_t own = kNoEvent;     ///< event of the worker's newest element
  std::uint32_t ranged = kNoEvent;  ///< event of the elements of its block's range
  std::uint32_t served = kNoEvent;  ///< event that it serves now
  std::uint32_t running = 1;        ///< how many events run
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_SIGHT_H_
