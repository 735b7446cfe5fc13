// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// How many bytes of requests, or of results, the server holds, and when it takes no more.
#ifndef WARPYARD_SERVER_ADMISSION_BYTE_BUDGET_H_
#define WARPYARD_SERVER_ADMISSION_BYTE_BUDGET_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"

namespace warpyard::server {

/// Thread-safe.
class ByteBudget {
 public:
  /// Bytes that were taken; they are given back when this is destroyed. Must not outlive the
  /// budget.
  using Hold = std::shared_ptr<void>;

  /// The parts of the error message: "requests: 5 bytes are held for jobs that have not ended, and
  /// this one has ...".
  struct Wording {
    const char* noun;
    const char* held;
    const char* flag;  ///< that sets the limit
  };

  ByteBudget(std::size_t limit_bytes, const Wording& wording)
      : limit_(limit_bytes), wording_(wording) {}

  /// @errors RESOURCE_EXHAUSTED: with these bytes it would be more than the limit
  absl::StatusOr<Hold> Take(std::size_t bytes);

  /// Whether half of it is left, so that a stream may read ahead: a request that is read early must
  /// not be the reason to refuse one that is needed now.
  bool HasPlenty() const { return used() < limit_ / 2; }

  std::size_t used() const { return used_.load(std::memory_order_relaxed); }
  std::size_t limit() const { return limit_; }
  /// All that was ever taken.
  std::uint64_t taken() const { return taken_.load(std::memory_order_relaxed); }

 private:
  const std::size_t limit_;
  const Wording wording_;
  std::atomic<std::size_t> used_{0};
  std::atomic<std::uint64_t> taken_{0};
};

/// Requests, from when gRPC has handed them over until their jobs are done. What gRPC is still
/// receiving is not counted.
inline constexpr ByteBudget::Wording kRequestWording = {
    "requests", "are held for jobs that have not ended", "--max-pending-mib"};

/// Results, from when a job has made them until gRPC has sent them.
inline constexpr ByteBudget::Wording kResultWording = {
    "results", "wait for clients that do not read them", "--max-unread-mib"};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_ADMISSION_BYTE_BUDGET_H_
