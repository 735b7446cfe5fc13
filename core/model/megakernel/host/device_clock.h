// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The clock of a device as the host knows it: every now and then the host asks the resident kernel
// for its time (message/clock_map.h).
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_DEVICE_CLOCK_H_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_DEVICE_CLOCK_H_

#include <cstdint>

#include "core/exec/thread_scope.h"
#include "core/message/clock_map.h"
#include "core/message/host_ring.h"
#include "core/model/megakernel/mailbox.h"

namespace warpyard::model {

/// @scope ToDevice: any thread; the others: one thread at a time @units nanoseconds
class DeviceClock {
 public:
  std::uint64_t ToDevice(std::uint64_t host_ns) const { return map_.ToDevice(host_ns); }

  bool IsDue() const { return exec::ThreadScope::NowNs() - asked_ns_ >= kPeriodNs; }

  /// Begins an exchange; returns its number. Send the order right after.
  std::uint32_t Begin() {
    asked_ns_ = exec::ThreadScope::NowNs();
    return ++exchange_;
  }

  /// Waits for the answer of the exchange, but not for long: the kernel may have left.
  void End(message::SlottedMessage<TimeReport>& answer) {
    TimeReport report;
    while (exec::ThreadScope::NowNs() - asked_ns_ < kLimitNs) {
      if (!answer.ReadOnHost(report, exchange_)) continue;
      map_.Add(asked_ns_, report.device_ns, exec::ThreadScope::NowNs());
      return;
    }
  }

 private:
  static constexpr std::uint64_t kPeriodNs = 200'000'000;
  static constexpr std::uint64_t kLimitNs = 100'000;

  message::ClockMap map_;
  std::uint32_t exchange_ = 0;
  std::uint64_t asked_ns_ = 0;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_DEVICE_CLOCK_H_
