// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Estimates of the work of jobs, by their kinds.
#ifndef WARPYARD_CORE_DISPATCH_ADMISSION_ESTIMATE_TABLE_H_
#define WARPYARD_CORE_DISPATCH_ADMISSION_ESTIMATE_TABLE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/dispatch/admission/work_estimate.h"

namespace warpyard::dispatch {

/// Thread-safe, but an estimate belongs to the admission of one device. A kind has some slots in
/// which it may be; there it takes the one that was not used for longest, and what is forgotten is
/// learnt again.
class EstimateTable {
 public:
  /// @shape slots: not 0
  explicit EstimateTable(std::size_t slots)
      : ways_(std::min(slots, kMostWays)), slots_(slots / ways_ * ways_) {}

  std::shared_ptr<WorkEstimate> Find(std::uint64_t kind) {
    const std::lock_guard lock(mutex_);
    const auto first =
        slots_.begin() + static_cast<std::ptrdiff_t>(kind % (slots_.size() / ways_) * ways_);
    const auto end = first + static_cast<std::ptrdiff_t>(ways_);
    auto slot = std::find_if(first, end, [&](const Slot& other) {
      return other.estimate != nullptr && other.kind == kind;
    });
    if (slot == end) {
      slot = std::min_element(
          first, end, [](const Slot& one, const Slot& other) { return one.used < other.used; });
      slot->kind = kind;
      slot->estimate = std::make_shared<WorkEstimate>();
    }
    slot->used = ++uses_;
    return slot->estimate;
  }

 private:
  static constexpr std::size_t kMostWays = 8;
  struct Slot {
    std::uint64_t kind = 0;
    std::uint64_t used = 0;  // when it was last used; 0: never
    std::shared_ptr<WorkEstimate> estimate;
  };

  const std::size_t ways_;
  std::mutex mutex_;
  std::uint64_t uses_ = 0;  // guarded by mutex_, as the slots
  std::vector<Slot> slots_;
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_ADMISSION_ESTIMATE_TABLE_H_
