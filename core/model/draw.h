// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The outcome of a block's look for work.
#ifndef WARPYARD_CORE_MODEL_DRAW_H_
#define WARPYARD_CORE_MODEL_DRAW_H_

#include <cstdint>

namespace warpyard::model {

/// Outcome of a look for work.
enum class Found : std::uint32_t {
  kBatch,    ///< there is a batch to execute
  kNothing,  ///< nothing waits anywhere
  kAgain,    ///< look again at once
  kLater,    ///< not while a batch is executing
  kPark,     ///< the block is to leave; it holds nothing any more
  kStuck,    ///< a bounded wait ran out; all must stop
  kLocal,    ///< (internal) no room for spawns of the best bucket: take from the own stack
};

/// The content of the next batch.
struct DrawContent {
  std::uint32_t procedure = 0;
  std::uint32_t count = 0;
  bool mixed = false;     ///< of several events
  bool varied = false;    ///< of several procedures
  bool dropped = false;   ///< of one that has ended early
  bool of_range = false;  ///< of the open stage of an event
  bool ahead = false;     ///< while another executes
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_DRAW_H_
