// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Converts times of the host's clock to times of the device's clock. [Steinberger §3.4.4]
//
// A sample is an exchange: the host's time before it asks, the device's time when it answers, and
// the host's time when it has the answer. We assume that the device answered in the middle of the
// exchange (Einstein's synchronisation), so the error is at most half the exchange. Among the
// latest exchanges, the shortest one is used. The clocks drift apart by some millionths, so the
// exchange must be repeated about every second.
#ifndef WARPYARD_CORE_MESSAGE_CLOCK_MAP_H_
#define WARPYARD_CORE_MESSAGE_CLOCK_MAP_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace warpyard::message {

/// Thread-safe. @units nanoseconds of both clocks
class ClockMap {
 public:
  /// Adds an exchange; one that ends before it begins is ignored.
  void Add(std::uint64_t host_before, std::uint64_t device, std::uint64_t host_after) {
    if (host_after < host_before) return;
    const std::lock_guard lock(mutex_);
    exchanges_[next_++ % kKept] = {host_after - host_before,
                                   device - (host_before + (host_after - host_before) / 2)};
    if (known_ < kKept) ++known_;
  }

  /// The device's time at a time of the host; the same number before the first exchange. A time
  /// beyond the range of the device's clock becomes the greatest number.
  std::uint64_t ToDevice(std::uint64_t host) const {
    const std::lock_guard lock(mutex_);
    const std::uint64_t ahead = Best().ahead;
    const std::uint64_t device = host + ahead;
    const bool forward = ahead < kBackward;
    if (forward && device < host) return ~std::uint64_t{0};
    if (!forward && device > host) return 0;
    return device;
  }

  /// The greatest error of ToDevice; the greatest number before the first exchange.
  std::uint64_t ErrorNs() const {
    const std::lock_guard lock(mutex_);
    return Best().round_trip / 2;
  }

 private:
  static constexpr std::size_t kKept = 8;
  static constexpr std::uint64_t kBackward = std::uint64_t{1} << 63;

  struct Exchange {
    std::uint64_t round_trip;
    std::uint64_t ahead;  // of the host's clock; modulo 2^64
  };

  Exchange Best() const {
    Exchange best{~std::uint64_t{0}, 0};
    for (std::size_t i = 0; i < known_; ++i) {
      if (exchanges_[i].round_trip < best.round_trip) best = exchanges_[i];
    }
    return best;
  }

  mutable std::mutex mutex_;
  std::array<Exchange, kKept> exchanges_{};
  std::size_t next_ = 0;
  std::size_t known_ = 0;
};

}  // namespace warpyard::message

#endif  // WARPYARD_CORE_MESSAGE_CLOCK_MAP_H_
