// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Estimates of the work of jobs, by their kinds.
#ifndef WARPYARD_CORE_DISPATCH_ESTIMATE_TABLE_H_
#define WARPYARD_CORE_DISPATCH_ESTIMATE_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/dispatch/work_estimate.h"

namespace warpyard::dispatch {

/// Thread-safe, but an estimate belongs to the dispatcher that uses it. With more kinds than slots,
/// kinds take slots from each other, and what is forgotten is learnt again.
class EstimateTable {
 public:
  explicit EstimateTable(std::size_t slots) : slots_(slots) {}

  std::shared_ptr<WorkEstimate> Find(std::uint64_t kind) {
    const std::lock_guard lock(mutex_);
    auto& [owner, estimate] = slots_[kind % slots_.size()];
    if (estimate == nullptr || owner != kind) {
      owner = kind;
      estimate = std::make_shared<WorkEstimate>();
    }
    return estimate;
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<std::uint64_t, std::shared_ptr<WorkEstimate>>> slots_;  // guarded by mutex_
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_ESTIMATE_TABLE_H_
