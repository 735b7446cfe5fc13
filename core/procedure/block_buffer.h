// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A list that a block collects in its shared memory and appends to a device list at once.
#ifndef WARPYARD_CORE_PROCEDURE_BLOCK_BUFFER_H_
#define WARPYARD_CORE_PROCEDURE_BLOCK_BUFFER_H_

#include <cstdint>

#include "core/base/macros.h"

namespace warpyard::procedure {

/// @shape room for kCapacity items; callers flush before it is full
template <class T, std::uint32_t kCapacity>
struct BlockBuffer {
  std::uint32_t count;
  T items[kCapacity];

  /// @scope any thread of the block
  template <class Scope>
  WY_HD void Push(const T& item) {
    items[Scope::BlockWord(count).FetchAddRelaxed(1)] = item;
  }

  /// Whether the threads of the block can push so many more items together. The barriers keep
  /// threads from pushing while others still decide, so that all threads get the same answer.
  /// @scope the block @shape items: no more than an empty buffer takes
  template <class Scope>
  WY_HD bool HasRoom(Scope& scope, std::uint32_t items) const {
    WY_ASSERT(items <= kCapacity);
    scope.Barrier();
    const bool room = count + items <= kCapacity;
    scope.Barrier();
    return room;
  }

  /// Appends the items to a device list and empties the buffer. @scope the block
  template <class Scope, class List>
  WY_HD void FlushTo(Scope& scope, const List& list) {
    scope.Barrier();
    const std::uint32_t own = count;
    if (own == 0) return;  // the same for all threads
    std::uint64_t first = 0;
    if (scope.Rank() == 0) first = Scope::Word(*list.count).FetchAddRelaxed(own);
    first = scope.Broadcast(first);
    for (std::uint32_t i = scope.Rank(); i < own; i += scope.Size()) {
      if (first + i < list.capacity) list.items[first + i] = items[i];
    }
    scope.Barrier();
    if (scope.Rank() == 0) count = 0;
    scope.Barrier();
  }
};

}  // namespace warpyard::procedure

#endif  // WARPYARD_CORE_PROCEDURE_BLOCK_BUFFER_H_
