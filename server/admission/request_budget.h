// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How many bytes of requests the server holds, and when it takes no more.
#ifndef WARPYARD_SERVER_ADMISSION_REQUEST_BUDGET_H_
#define WARPYARD_SERVER_ADMISSION_REQUEST_BUDGET_H_

#include <atomic>
#include <cstddef>
#include <memory>

#include "absl/status/statusor.h"

namespace warpyard::server {

/// Thread-safe. Counts requests from when gRPC has handed them over until their jobs are done; what
/// gRPC is still receiving, and results, are not counted.
class RequestBudget {
 public:
  /// Bytes that were taken; they are given back when this is destroyed. Must not outlive the
  /// budget.
  using Share = std::shared_ptr<void>;

  explicit RequestBudget(std::size_t limit_bytes) : limit_(limit_bytes) {}

  /// @errors RESOURCE_EXHAUSTED: with these bytes it would be more than the limit
  absl::StatusOr<Share> Take(std::size_t bytes);

  /// Whether there is so much left that a stream may read ahead: a request that is read early must
  /// not be the reason to refuse one that is needed now.
  bool HasPlenty() const { return used() < limit_ / 2; }

  std::size_t used() const { return used_.load(std::memory_order_relaxed); }
  std::size_t limit() const { return limit_; }

 private:
  const std::size_t limit_;
  std::atomic<std::size_t> used_{0};
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_ADMISSION_REQUEST_BUDGET_H_
