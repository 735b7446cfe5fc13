// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A factor for estimates of work that grows while accepted jobs are late, and falls while they are
// not.
#ifndef WARPYARD_CORE_DISPATCH_ADMISSION_SAFETY_FACTOR_H_
#define WARPYARD_CORE_DISPATCH_ADMISSION_SAFETY_FACTOR_H_

#include <algorithm>
#include <cstdint>

namespace warpyard::dispatch {

/// It settles where about one accepted job in a hundred is late. Many jobs are late together when a
/// thread of the host does not run for a while; they say no more than a few. So only jobs that were
/// offered since the factor grew tell whether it suffices now.
///
/// @scope one thread at a time
class SafetyFactor {
 public:
  static constexpr double kFirst = 1.1, kMost = 4;

  double value() const { return value_; }

  /// A job was offered. Returns its number.
  std::uint64_t Offer() { return ++offers_; }

  /// An accepted job has ended. @shape offer: its number
  void Watch(std::uint64_t offer, bool is_late) {
    if (offer <= offers_before_) return;
    ++watched_;
    late_ += is_late;
    const bool too_many = late_ * kLateOf > std::max(watched_, kLateOf);
    if (!too_many && watched_ < kWatched) return;
    value_ = too_many ? std::min(value_ * kWhenLate, kMost) : 1 + kWhenMet * (value_ - 1);
    if (too_many) offers_before_ = offers_;
    watched_ = late_ = 0;
  }

 private:
  static constexpr double kWhenLate = 1.08;  // times as much
  static constexpr double kWhenMet = 0.95;   // what is left of it beyond 1
  static constexpr int kWatched = 128, kLateOf = 100;

  double value_ = kFirst;
  std::uint64_t offers_ = 0;
  std::uint64_t offers_before_ = 0;  // those that were made before the factor grew
  int watched_ = 0, late_ = 0;       // jobs that have ended, and those of them that were late
};

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_ADMISSION_SAFETY_FACTOR_H_
