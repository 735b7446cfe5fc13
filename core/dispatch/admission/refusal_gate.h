// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Refuses a job without admission's lock if admission has just refused a job like it.
//
// In overload most jobs that come are refused. If each of them took that lock, the accepted ones
// would wait for it, and be late.
#ifndef WARPYARD_CORE_DISPATCH_ADMISSION_REFUSAL_GATE_H_
#define WARPYARD_CORE_DISPATCH_ADMISSION_REFUSAL_GATE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/dispatch/admission/admission.h"

namespace warpyard::dispatch {

/// A refusal says when the job would have been done. A job of the same tenant that comes soon after
/// it, takes as long, and has to be done before that time is refused, too.
/// @scope Close: one thread at a time; the others: any threads
/// @units nanoseconds of any clock that does not go back
class RefusalGate {
 public:
  /// Admission has refused a job, since others are in its way. @shape expected_ns: jobs that have
  /// to be done before this time are refused
  void Close(std::uint32_t tenant, double cost_ns, std::int64_t expected_ns, std::int64_t now_ns) {
    Gate& gate = gates_[tenant];
    // Readers that see a part of the change see that `until_ns` has changed, too.
    gate.until_ns.store(0, std::memory_order_release);
    gate.cost_ns.store(cost_ns, std::memory_order_release);
    gate.expected_ns.store(expected_ns, std::memory_order_release);
    gate.until_ns.store(now_ns + kLongest, std::memory_order_release);
  }

  /// Refuses a job, and returns when it would have been done; or returns nothing, and admission
  /// decides. @shape cost_ns: 0: not known
  std::optional<std::int64_t> Refuse(std::uint32_t tenant, double cost_ns, std::int64_t deadline_ns,
                                     std::int64_t now_ns) {
    const Gate& gate = gates_[tenant];
    const std::int64_t until_ns = gate.until_ns.load(std::memory_order_acquire);
    if (now_ns >= until_ns) return std::nullopt;
    const double least_ns = gate.cost_ns.load(std::memory_order_acquire);
    const std::int64_t expected_ns = gate.expected_ns.load(std::memory_order_acquire);
    if (gate.until_ns.load(std::memory_order_relaxed) != until_ns) return std::nullopt;
    // Admission has to see large jobs, since it makes small ones leave room for them.
    if (cost_ns <= 0 || cost_ns < least_ns || cost_ns > kMostTimes * least_ns) return std::nullopt;
    if (deadline_ns >= expected_ns) return std::nullopt;
    if (IsToBeSeen(deadline_ns)) return std::nullopt;
    refused_.fetch_add(1, std::memory_order_relaxed);
    return expected_ns;
  }

  /// Jobs that were refused here.
  std::uint64_t Refused() const { return refused_.load(std::memory_order_relaxed); }

 private:
  /// Soon afterwards other jobs may have ended early.
  static constexpr std::int64_t kLongest = 250'000;
  static constexpr double kMostTimes = 2;
  /// Admission sees one in 256: it doubts the estimates of kinds that are refused for long. The
  /// deadline decides which, so that a gate which is asked twice says the same.
  static constexpr int kSeenBits = 8;
  static bool IsToBeSeen(std::int64_t deadline_ns) {
    constexpr std::uint64_t kGolden = 0x9e37'79b9'7f4a'7c15;  // spreads numbers that are close
    return static_cast<std::uint64_t>(deadline_ns) * kGolden >> (64 - kSeenBits) == 0;
  }

  /// Gates and the counter are far from each other: many threads read a gate or count at a time.
  static constexpr std::size_t kApart = 64;
  struct alignas(kApart) Gate {
    std::atomic<std::int64_t> until_ns = 0;  ///< closed until then
    std::atomic<double> cost_ns = 0;         ///< of the job that was refused
    std::atomic<std::int64_t> expected_ns = 0;
  };
  std::array<Gate, kAdmissionTenants> gates_;
  alignas(kApart) std::atomic<std::uint64_t> refused_ = 0;
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_ADMISSION_REFUSAL_GATE_H_
