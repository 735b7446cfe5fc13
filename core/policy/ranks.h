// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Computes ranks from keys.
#ifndef WARPYARD_CORE_POLICY_RANKS_H_
#define WARPYARD_CORE_POLICY_RANKS_H_

#include <cstdint>

#include "core/base/macros.h"

namespace warpyard::policy {

/// The rank of each key: the number of keys that are smaller, or equal and earlier in the array. So
/// ranks are a permutation. @scope the group; barriers before and after
template <class Group, std::uint32_t kKeys>
WY_HD void ComputeRanks(Group& group, const std::uint64_t (&keys)[kKeys],
                        std::uint16_t (&ranks)[kKeys]) {
  group.Barrier();
  for (std::uint32_t i = group.Rank(); i < kKeys; i += group.Size()) {
    const std::uint64_t own = keys[i];
    std::uint32_t before = 0;
    for (std::uint32_t j = 0; j < kKeys; ++j) before += keys[j] < own || (keys[j] == own && j < i);
    ranks[i] = static_cast<std::uint16_t>(before);
  }
  group.Barrier();
}

/// Computes the same ranks by sorting. One thread would take thousands of steps to compare each key
/// with all others. Sorting takes few steps: most slots have no event, and so most keys are equal.
/// @scope one thread
template <std::uint32_t kKeys>
WY_HD void SortRanks(const std::uint64_t (&keys)[kKeys], std::uint16_t (&ranks)[kKeys]) {
  std::uint16_t sorted[kKeys];
  for (std::uint32_t i = 0; i < kKeys; ++i) {
    std::uint32_t rank = i;
    for (; rank != 0 && keys[sorted[rank - 1]] > keys[i]; --rank) sorted[rank] = sorted[rank - 1];
    sorted[rank] = static_cast<std::uint16_t>(i);
  }
  for (std::uint32_t rank = 0; rank < kKeys; ++rank) {
    ranks[sorted[rank]] = static_cast<std::uint16_t>(rank);
  }
}

}  // namespace warpyard::policy

#endif  // WARPYARD_CORE_POLICY_RANKS_H_
