// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Keeps libraries from filling the log with messages about clients' mistakes.
#ifndef WARPYARD_SERVER_LOG_LIMIT_H_
#define WARPYARD_SERVER_LOG_LIMIT_H_

#include <cstdint>
#include <mutex>

#include "absl/time/time.h"

namespace warpyard::server {

/// Lets a few lines a second pass. Thread-safe.
class LogLimit {
 public:
  static constexpr int kLinesPerSecond = 5;

  struct Verdict {
    bool passes = false;
    std::uint64_t dropped = 0;  ///< lines since the last one that passed
  };
  Verdict Pass(absl::Time now);

 private:
  std::mutex mutex_;
  absl::Time second_ = absl::InfinitePast();  // guarded by mutex_
  int lines_ = 0;                             // in this second; guarded by mutex_
  std::uint64_t dropped_ = 0;                 // guarded by mutex_
};

/// Sends the errors that gRPC logs to stderr through a limit. Drops the log lines of Protocol
/// Buffers, because they quote bytes from clients.
void LimitLibraryLogs();

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_LOG_LIMIT_H_
