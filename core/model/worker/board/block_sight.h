// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What the workers of a block have seen of the board, so that each of them knows what is new.
#ifndef WARPYARD_CORE_MODEL_WORKER_BOARD_BLOCK_SIGHT_H_
#define WARPYARD_CORE_MODEL_WORKER_BOARD_BLOCK_SIGHT_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/model/worker/board/board_news.h"

namespace warpyard::model {

/// @shape in the memory of the block
struct BlockSight {
  /// Events that had an open stage when a worker of the block last chose, and still have.
  std::uint32_t open[2];
  std::uint32_t queued;         ///< the same of BoardNews::Queued
  std::uint32_t count;          ///< how often a worker saw something new
  std::uint32_t looked_cycles;  ///< when a worker last looked around; low bits
  std::uint32_t idle;           ///< how many workers found nothing to do when they last decided
};

/// What a worker has seen itself. @shape in the memory of its block
struct WorkerSight {
  std::uint32_t count;  ///< BlockSight::count, up to which it knows what is new
  /// The news of which it passed over everything, if its block is kept: open events, latest stage.
  std::uint32_t passed[3];
};

/// Whether the board shows something to draw that it did not when a worker of the block last looked
/// around: an event, or elements in queues. @scope any thread @shape own: the event that the
///     worker serves, which is not new to it
template <class Scope>
WY_HD bool HasNewOnes(BlockSight& sight, const BoardNews& news, std::uint32_t own) {
  const auto seen_queued = Scope::BlockWord(sight.queued);
  const std::uint32_t queued = seen_queued.LoadRelaxed();
  bool has = news.Levels() != 0 || (news.Queued() & ~queued) != 0;
  // Queues that become empty and get elements again have new ones.
  if ((queued & ~news.Queued()) != 0) seen_queued.FetchAndRelaxed(news.Queued());
  for (std::uint32_t w = 0; w < 2; ++w) {
    const auto seen = Scope::BlockWord(sight.open[w]);
    const std::uint32_t before = seen.LoadRelaxed();
    const std::uint32_t known = before | (own / 32 == w ? 1u << own % 32 : 0u);
    has |= (news.open[w] & ~known) != 0;
    // An event that closes and opens again is a new one.
    if ((before & ~news.open[w]) != 0) seen.FetchAndRelaxed(news.open[w]);
  }
  return has;
}

/// A worker sees the news: what they show is not new to the block any more. Other workers notice by
/// the count that it may be new to them. @shape own: of that worker @scope one thread of it
template <class Scope>
WY_HD void See(BlockSight& sight, WorkerSight& own, const BoardNews& news) {
  const auto queued = Scope::BlockWord(sight.queued);
  std::uint32_t added = news.Queued() & ~queued.LoadRelaxed();
  queued.StoreRelaxed(news.Queued());
  for (std::uint32_t w = 0; w < 2; ++w) {
    const auto open = Scope::BlockWord(sight.open[w]);
    added |= news.open[w] & ~open.LoadRelaxed();
    open.StoreRelaxed(news.open[w]);
  }
  if (added == 0) return;
  // If another worker raised the count meanwhile, it saw something that may be new to this worker.
  const std::uint32_t before = Scope::BlockWord(sight.count).FetchAddRelaxed(1);
  if (before == own.count) own.count = before + 1;
}

/// Whether a worker of the block has looked around a short time ago. @scope any thread
template <class Scope>
WY_HD bool HasLooked(BlockSight& sight) {
  constexpr std::uint32_t kCycles = 2'000'000;  // 1 ms; others may look after this reads the clock
  const std::uint32_t now = static_cast<std::uint32_t>(Scope::Cycles()) + kCycles;
  return now - Scope::BlockWord(sight.looked_cycles).LoadRelaxed() < 2 * kCycles;
}

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_WORKER_BOARD_BLOCK_SIGHT_H_
