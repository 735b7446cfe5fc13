// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Keeps what libraries log about clients' mistakes from filling the log.
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

/// Sends errors that gRPC logs to stderr through a limit, and drops the lines of Protocol Buffers,
/// which quote a client's bytes.
void LimitLibraryLogs();

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_LOG_LIMIT_H_
