// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A limit on the bytes of requests, or of results, that the server holds.
#ifndef WARPYARD_SERVER_ADMISSION_BYTE_BUDGET_H_
#define WARPYARD_SERVER_ADMISSION_BYTE_BUDGET_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "server/errors/error_reason.h"

namespace warpyard::server {

/// Thread-safe.
class ByteBudget {
 public:
  /// Bytes that were taken. Destroying the hold gives them back. It must not outlive the budget.
  using Hold = std::shared_ptr<void>;

  /// Two parts of an error message, for example "requests: 5 bytes are held for jobs that have not
  /// ended, and this one has ...".
  struct Wording {
    const char* noun;
    const char* held;
    const char* flag;  ///< the flag that sets the limit
    ErrorReason full = ErrorReason::kLimitExceeded;
  };

  ByteBudget(std::size_t limit_bytes, const Wording& wording)
      : limit_(limit_bytes), wording_(wording) {}

  /// @errors RESOURCE_EXHAUSTED: with these bytes the total would exceed the limit
  absl::StatusOr<Hold> Take(std::size_t bytes);

  /// Whether more than half of the budget is left, so that a stream may read ahead. A request that
  /// is read early must not use up the bytes that a current request needs.
  bool HasPlenty() const { return used() < limit_ / 2; }

  std::size_t used() const { return used_.load(std::memory_order_relaxed); }
  std::size_t limit() const { return limit_; }
  /// The sum of all bytes ever taken.
  std::uint64_t taken() const { return taken_.load(std::memory_order_relaxed); }

 private:
  const std::size_t limit_;
  const Wording wording_;
  std::atomic<std::size_t> used_{0};
  std::atomic<std::uint64_t> taken_{0};
};

/// Requests, from when gRPC has delivered them until their jobs are done. Bytes that gRPC is still
/// receiving are not counted.
inline constexpr ByteBudget::Wording kRequestWording = {
    "requests", "are held for jobs that have not ended", "--max-pending-mib",
    ErrorReason::kRequestBytesFull};

/// Results, from when a job has made them until gRPC has sent them.
inline constexpr ByteBudget::Wording kResultWording = {
    "results", "wait for clients that do not read them", "--max-unread-mib",
    ErrorReason::kResultBytesFull};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_ADMISSION_BYTE_BUDGET_H_
