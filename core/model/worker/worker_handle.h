// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Which worker it is, and where its memory lies: what a function needs to act for it.
//
// What a worker does for every element must be few instructions, since a warp waits for each of
// them. Even fetching them counts: a loop that outgrows the instruction cache of a multiprocessor
// spends half of its time on it. So what happens seldom is not copied into the loop: it is a
// function that gets the handle by value. (A reference to the worker would move all of its
// registers to memory.)
#ifndef WARPYARD_CORE_MODEL_WORKER_WORKER_HANDLE_H_
#define WARPYARD_CORE_MODEL_WORKER_WORKER_HANDLE_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/model/worker/board/block_sight.h"
#include "core/model/worker/board/board_news.h"
#include "core/model/worker/workspace.h"

namespace warpyard::model {

/// What a worker did.
enum class Found {
  kRan,      ///< something: it is to go on
  kHeld,     ///< nothing, for some time, since its elements are held: it is to go on
  kNothing,  ///< there is nothing to do
  kLeave,    ///< its launch is to end, and its elements are parked
  kStuck,    ///< a bounded wait ran out
};

/// Which worker it is. @shape index: less than `workers`, of all blocks; in_block: of its block
struct WorkerPlace {
  std::uint32_t index;
  std::uint32_t in_block;
  std::uint32_t workers;
  std::uint32_t launch;  ///< from 1
};

/// Under which terms a team executes packages of an event.
struct OrderTerms {
  std::uint32_t running;      ///< events
  std::uint32_t turn_cycles;  ///< for which its account has its turn; 0: it takes none
  bool has_urgent;            ///< events with a deadline run beside others
  bool is_urgent;             ///< the event has a deadline, and others run
};

/// What a team did.
struct TeamResult {
  std::uint32_t executed;         ///< elements
  std::uint32_t claimed;          ///< elements that it put on its leader's stack
  std::uint64_t cycles;           ///< from when its members were there
  std::uint64_t executed_cycles;  ///< the time in which its first thread executed elements
};

template <class Space>
struct WorkerHandle {
  Space& space;
  BlockMemory<Space>& block;
  WorkerPlace place;

  WY_HD WorkerMemory<Space>& Memory() const { return block.workers[place.in_block]; }
  /// The same, for a function that is not inlined; see exec::ExecScope.
  WY_HD WorkerHandle Near() const { return {space, Space::Scope::Near(block), place}; }
};

/// About how many workers of the device are idle, judging by those of the worker's block. A block
/// of one worker says nothing of the others.
/// @scope any thread
template <class Space>
WY_HD std::uint32_t IdleWorkers(const WorkerHandle<Space>& own) {
  const auto idle = Space::Scope::BlockWord(own.block.sight.idle);
  constexpr std::uint32_t kBlockWorkers = Space::Shape::kBlockWorkers;
  return idle.LoadRelaxed() * (kBlockWorkers == 1 ? 1 : own.place.workers / kBlockWorkers);
}

/// Whether the board tells a worker to look around. @scope any thread @shape event: which it serves
template <class Space>
WY_HD bool MustLookAt(const WorkerHandle<Space>& own, const BoardNews& news, std::uint32_t event) {
  using Scope = typename Space::Scope;
  return HasNewOnes<Scope>(own.block.sight, news, event) || news.IsLeaving(own.place.launch);
}

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_WORKER_HANDLE_H_
