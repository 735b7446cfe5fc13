// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A list that the lanes of a group fill and empty together, without atomics.
#ifndef WARPYARD_CORE_PROCEDURE_LANE_BUFFER_H_
#define WARPYARD_CORE_PROCEDURE_LANE_BUFFER_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/lane_sets.h"
#include "core/exec/scope.h"

namespace warpyard::procedure {

/// @shape each lane has one of these over the same items; @scope all members: the group
template <class T, std::uint32_t kCapacity>
class LaneBuffer {
 public:
  struct Memory {
    T items[kCapacity + 1];  ///< one more for Push of a group of one thread
  };

  WY_HD explicit LaneBuffer(Memory& memory) : items_(memory.items) {}

  WY_HD std::uint32_t Count() const { return count_; }

  /// Whether there may be too little room for one more item of each lane.
  template <exec::LaneScope Scope>
  WY_HD bool IsNearlyFull(const Scope& scope) const {
    return count_ + scope.Size() > kCapacity;
  }

  /// Adds the items of the lanes that have one. @shape not nearly full
  template <exec::LaneScope Scope>
  WY_HD void Push(Scope& scope, bool has, const T& item) {
    const std::uint32_t lanes = scope.Ballot(has);
    // A group of one thread writes without a branch; the next item overwrites an unwanted one.
    if (has || scope.Size() == 1) {
      items_[count_ + exec::PlaceAmong(lanes, scope.Rank())] = item;
    }
    count_ += exec::CountBits(lanes);
  }

  /// Takes the newest items, at most one for each lane. Returns true if this lane got one.
  template <exec::LaneScope Scope>
  WY_HD bool Take(Scope& scope, T& item) {
    const std::uint32_t taken = count_ < scope.Size() ? count_ : scope.Size();
    count_ -= taken;
    scope.Barrier();  // makes the pushes of other lanes visible
    const bool mine = scope.Rank() < taken;
    if (mine) item = items_[count_ + scope.Rank()];
    scope.Barrier();  // the places may be overwritten now
    return mine;
  }

  /// Appends the items to a device list, as far as it has room.
  template <exec::LaneScope Scope, class List>
  WY_HD void FlushTo(Scope& scope, const List& list) {
    if (count_ == 0) return;
    std::uint64_t first = 0;
    if (scope.Rank() == 0) first = Scope::Word(*list.count).FetchAddRelaxed(count_);
    first = scope.Broadcast(first);
    scope.Barrier();
    for (std::uint32_t i = scope.Rank(); i < count_; i += scope.Size()) {
      if (first + i < list.capacity) list.items[first + i] = items_[i];
    }
    count_ = 0;
    scope.Barrier();
  }

  /// Appends convert(item) of each item that is wanted() to a device list, as far as the list has
  /// room. The items stay.
  template <exec::LaneScope Scope, class List, class Wanted, class Convert>
  WY_HD void CopyTo(Scope& scope, const List& list, Wanted&& wanted, Convert&& convert) {
    scope.Barrier();  // makes the pushes of other lanes visible
    std::uint32_t total = 0;
    for (std::uint32_t begin = 0; begin < count_; begin += scope.Size()) {
      const std::uint32_t i = begin + scope.Rank();
      total += exec::CountBits(scope.Ballot(i < count_ && wanted(items_[i])));
    }
    if (total == 0) return;
    std::uint64_t next = 0;
    if (scope.Rank() == 0) next = Scope::Word(*list.count).FetchAddRelaxed(total);
    next = scope.Broadcast(next);
    for (std::uint32_t begin = 0; begin < count_; begin += scope.Size()) {
      const std::uint32_t i = begin + scope.Rank();
      const bool mine = i < count_ && wanted(items_[i]);
      const std::uint32_t lanes = scope.Ballot(mine);
      const std::uint64_t place = next + exec::PlaceAmong(lanes, scope.Rank());
      if (mine && place < list.capacity) list.items[place] = convert(items_[i]);
      next += exec::CountBits(lanes);
    }
  }

  WY_HD void Clear(exec::LaneScope auto& scope) {
    count_ = 0;
    scope.Barrier();
  }

 private:
  T* items_;
  std::uint32_t count_ = 0;  // the same in all lanes
};

}  // namespace warpyard::procedure

#endif  // WARPYARD_CORE_PROCEDURE_LANE_BUFFER_H_
