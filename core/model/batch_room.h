// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The size of a batch, and the places of the block's stack that are reserved for its spawns.
#ifndef WARPYARD_CORE_MODEL_BATCH_ROOM_H_
#define WARPYARD_CORE_MODEL_BATCH_ROOM_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/model/block_statistics.h"
#include "core/model/workspace.h"

namespace warpyard::model {

/// A request for a batch. @shape freed: places of the stack that one of its elements leaves when it
/// is taken; alone: no other event runs
struct BatchWish {
  std::uint32_t procedure;
  std::uint32_t event;
  std::uint32_t freed;
  bool alone;
};

/// @scope all members: the group, with the same arguments
template <class Group, class Space>
class BatchRoom {
 public:
  using Statistics = BlockStatistics<Group, Space>;
  using Shape = typename Space::Shape;

  WY_HD BatchRoom(const Statistics& statistics, const BlockMemory<Space>& memory)
      : statistics_(statistics), memory_(memory) {}

  /// Elements that the batch should have, as far as the stack has room for their spawns.
  WY_HD std::uint32_t Wanted(const BatchWish& wish) const {
    const std::uint32_t rounds = Rounds(wish.procedure, wish.event, wish.alone);
    const std::uint32_t groups = statistics_.Groups(wish.procedure);
    const std::uint32_t wanted = exec::Least(groups * rounds, Shape::kBatchElements);
    const std::uint32_t spawns = statistics_.MaxSpawns(wish.procedure);
    if (spawns == 0) return wanted;
    const std::uint32_t most = exec::Least(wanted, Shape::kSpawnElements / spawns);
    if (spawns <= wish.freed) return most;
    // Take only a quarter of the free room, so that children can spawn too.
    const std::uint32_t room = Unreserved() / (spawns - wish.freed);
    return exec::Least(most, room < kPart ? exec::Least(room, 1) : room / kPart);
  }

  /// Rounds of the block's groups that a batch should have.
  WY_HD std::uint32_t Rounds(std::uint32_t procedure, std::uint32_t event, bool alone) const {
    constexpr std::uint32_t kTimes = kBatchCyclesAlone / kBatchCycles;
    return statistics_.Rounds(procedure, event) * (alone ? kTimes : 1);
  }

  /// Places of the stack that are free and not reserved for running batches.
  WY_HD std::uint32_t Unreserved() const {
    const std::uint32_t free = memory_.stack.Free();
    return free > reserved_ ? free - reserved_ : 0;
  }

  /// Reserves places for a batch: for the spawns of its elements, and a part of the free room, so
  /// that the block can go on with the spawns. Returns how many.
  WY_HD std::uint32_t Reserve(std::uint32_t procedure, std::uint32_t count) {
    const std::uint32_t spawns = count * statistics_.MaxSpawns(procedure);
    if (spawns == 0) return 0;
    const std::uint32_t more = exec::Least(Unreserved() / 2, Shape::kSpawnElements);
    const std::uint32_t reserved = more > spawns ? more : spawns;
    reserved_ += reserved;
    return reserved;
  }

  /// Releases the places of a batch that is done, just before its spawns are kept. @shape reserved:
  /// as of Reserve
  WY_HD void Release(std::uint32_t reserved) { reserved_ -= reserved; }

 private:
  static constexpr std::uint32_t kPart = 4;  // of the room that a batch may fill

  const Statistics& statistics_;
  const BlockMemory<Space>& memory_;
  std::uint32_t reserved_ = 0;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_BATCH_ROOM_H_
