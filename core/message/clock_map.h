// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The device's clock as seen from the host's. [Steinberger §3.4.4]
//
// A sample is an exchange: the host's time before it asks, the device's time when it answers, the
// host's time when the answer is there. The device's time is taken for the middle of the exchange
// (Einstein's synchronisation), so the error is at most half the exchange. Of the latest exchanges
// the shortest one counts. The clocks drift apart by some millionths, so renew the exchange about
// every second.
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
