// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Counts how much each device has to do. Placement decides by these counts.
#ifndef WARPYARD_CORE_DISPATCH_LOAD_LEDGER_H_
#define WARPYARD_CORE_DISPATCH_LOAD_LEDGER_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "core/dispatch/placement.h"

namespace warpyard::dispatch {

/// Thread-safe, without a lock: each job counts here twice. A choice may see a part of what other
/// threads count at that moment.
class LoadLedger {
 public:
  /// An event or a resident of a device. Destroying the claim ends it. Must not outlive the ledger.
  class Claim {
   public:
    Claim() = default;
    Claim(Claim&& other) noexcept
        : count_(std::exchange(other.count_, nullptr)),
          nanoseconds_(other.nanoseconds_),
          sum_(other.sum_) {}
    Claim& operator=(Claim other) noexcept {
      std::swap(count_, other.count_);
      std::swap(nanoseconds_, other.nanoseconds_);
      std::swap(sum_, other.sum_);
      return *this;
    }
    ~Claim() { Release(); }

    /// Ends it now.
    void Release();

   private:
    friend class LoadLedger;
    /// @shape nanoseconds: null, or where `sum` was added
    explicit Claim(std::atomic<std::uint32_t>* count,
                   std::atomic<std::int64_t>* nanoseconds = nullptr, std::int64_t sum = 0);

    std::atomic<std::uint32_t>* count_ = nullptr;
    std::atomic<std::int64_t>* nanoseconds_ = nullptr;
    std::int64_t sum_ = 0;
  };

  /// @shape `powers`: one for each device, positive
  explicit LoadLedger(const std::vector<double>& powers);

  /// @shape `seconds`: expected time of the event; 0: not known
  Claim AddEvent(std::size_t device, int urgency, double seconds);
  Claim AddResident(std::size_t device);

  /// As the function of placement.h. @shape is_lost(device)
  std::optional<std::size_t> ChooseDevice(absl::FunctionRef<bool(std::size_t)> is_lost,
                                          int urgency) const;

  std::uint32_t Residents(std::size_t device) const;

 private:
  struct Entry {
    std::array<std::atomic<std::uint32_t>, kDeadlineUrgency + 1> events{};  // by urgency
    std::atomic<std::int64_t> nanoseconds{0};  // an integer, so that the sum returns to 0
    std::atomic<std::uint32_t> residents{0};
    double power = 1;
  };

  static DeviceLoad LoadOf(const Entry& entry);

  std::vector<Entry> entries_;  // never grows
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_LOAD_LEDGER_H_
