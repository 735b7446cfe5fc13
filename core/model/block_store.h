// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Decides which spawned elements a block keeps in its own stack, and which it gives to others.
#ifndef WARPYARD_CORE_MODEL_BLOCK_STORE_H_
#define WARPYARD_CORE_MODEL_BLOCK_STORE_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/model/workspace.h"
#include "core/queue/queue_concept.h"
#include "core/strategy/spill.h"

namespace warpyard::model {

/// @scope all members: the group that schedules for the block, all threads together
template <exec::LaneScope Group, class Space>
class BlockStore {
 public:
  using Element = procedure::Element;
  using OwnBatch = BatchOf<Space>;

  WY_HD BlockStore(Group& group, Space& space, BlockMemory<Space>& memory)
      : group_(group), space_(space), memory_(memory) {}

  /// Puts the spawns of a batch into the own stack. Elements of a level go to the level's bucket:
  /// another block may have to draw them first. False: a bounded wait ran out.
  WY_HD bool Keep(const OwnBatch& batch, const Element* elements, std::uint32_t count) {
    bool ordered = false;
    if (memory_.stack.Size() != 0 && memory_.stack.Newest().Event() != elements[0].Event()) {
      // The stack is for one event at a time, as one rank speaks for it.
      Spill(memory_.stack.Size());
      mixed_ = true;
    }
    if (memory_.stack.Size() == 0) mixed_ = false;
    mixed_ |= batch.mixed != 0;
    for (std::uint32_t first = 0; first < count; first += group_.Size()) {
      const bool mine = first + group_.Rank() < count;
      Element element{};
      if (mine) element = elements[first + group_.Rank()];
      bool give = mine && element.Bucket() >= procedure::kEventBuckets && space_.buckets.HasRoom();
      if (group_.Any(give)) {
        if (!ordered) Scope::OrderBeforePut();
        ordered = true;
        const queue::PushResult result = space_.buckets.Push(
            group_, give, element, Procedures::SpawnedIndex(element.Procedure()));
        if (group_.Any(result == queue::PushResult::kStuck)) return false;
        give = give && result == queue::PushResult::kOk;
      }
      memory_.stack.Push(group_, mine && !give, element);
    }
    return true;
  }

  /// Gives half of the stack to idle blocks, or to blocks whose event may come later in the order.
  /// Keeps all when the elements would not fill a quarter of the block. @shape groups: of the
  /// newest element's procedure in a block
  WY_HD void FeedOthers(std::uint32_t groups) {
    if (memory_.stack.Size() > groups / 4 + 1) Spill(memory_.stack.Size() / 2);
  }

  /// Gives up to `count` of the oldest elements to all blocks. True if it gave at least one.
  WY_HD bool Spill(std::uint32_t count) {
    const strategy::Spilled spilled =
        strategy::SpillOldest<Procedures>(group_, space_.buckets, memory_.stack, count);
    stuck_ |= spilled.stuck;
    spills_ += spilled.count;
    return spilled.count != 0;
  }

  /// Whether the stack may have elements of several events.
  WY_HD bool Mixed() const { return mixed_; }
  /// Whether a bounded wait ran out in Spill.
  WY_HD bool Stuck() const { return stuck_; }
  /// Elements that were given since the last call.
  WY_HD std::uint32_t TakeSpills() {
    const std::uint32_t spills = spills_;
    spills_ = 0;
    return spills;
  }

 private:
  using Scope = typename Space::Scope;
  using Procedures = typename Space::Procedures;

  Group& group_;
  Space& space_;
  BlockMemory<Space>& memory_;
  std::uint32_t spills_ = 0;
  bool mixed_ = false;
  bool stuck_ = false;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_BLOCK_STORE_H_
