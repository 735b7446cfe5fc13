// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Counts how much each device has to do. Placement decides by these counts.
#ifndef WARPYARD_CORE_DISPATCH_LOAD_LEDGER_H_
#define WARPYARD_CORE_DISPATCH_LOAD_LEDGER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "core/dispatch/placement.h"

namespace warpyard::dispatch {

/// Thread-safe.
class LoadLedger {
 public:
  /// An event or a resident of a device. Destroying the claim ends it. Must not outlive the ledger.
  using Claim = std::shared_ptr<void>;

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
    std::array<std::uint32_t, kDeadlineUrgency + 1> events{};  // by urgency
    double seconds = 0;
    std::uint32_t residents = 0;
    double power = 1;
  };

  static DeviceLoad LoadOf(const Entry& entry);

  mutable std::mutex mutex_;
  std::vector<Entry> entries_;  // guarded by mutex_
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_LOAD_LEDGER_H_
