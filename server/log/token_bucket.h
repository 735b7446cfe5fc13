// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Limits how often something happens, with bursts.
#ifndef WARPYARD_SERVER_LOG_TOKEN_BUCKET_H_
#define WARPYARD_SERVER_LOG_TOKEN_BUCKET_H_

#include <algorithm>

#include "absl/time/time.h"

namespace warpyard::server {

/// A full bucket has `burst` tokens and gets `per_second` new ones. Not thread-safe.
class TokenBucket {
 public:
  TokenBucket(double per_second, double burst)
      : per_second_(per_second), burst_(burst), tokens_(burst) {}

  /// Takes a token; false: there is none. A clock that goes backwards gives no tokens.
  bool Take(absl::Time now) {
    if (now > last_) {
      const double gained = absl::ToDoubleSeconds(now - last_) * per_second_;
      tokens_ = std::min(burst_, tokens_ + gained);
      last_ = now;
    }
    if (tokens_ < 1) return false;
    tokens_ -= 1;
    return true;
  }

 private:
  double per_second_, burst_, tokens_;
  absl::Time last_ = absl::InfinitePast();
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_LOG_TOKEN_BUCKET_H_
