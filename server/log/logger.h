// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The server's log: lines of JSON that a thread of its own writes to a file descriptor.
#ifndef WARPYARD_SERVER_LOG_LOGGER_H_
#define WARPYARD_SERVER_LOG_LOGGER_H_

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "server/log/log_line.h"
#include "server/log/token_bucket.h"

namespace warpyard::server {

/// Never makes a caller wait for the reader of the log. Lines beyond the rate of their level, and
/// lines that find the buffer full, are dropped; about once a second a line with the event
/// log_dropped tells how many. Thread-safe.
class Logger {
 public:
  /// Lines wait in so much memory for a slow reader. @units bytes
  static constexpr std::size_t kMostBuffered = std::size_t{256} << 10;

  /// How many lines a level may have.
  struct Rate {
    double per_second, burst;
  };
  static Rate RateOf(LogLevel level);

  /// @shape level: kOff needs no thread; fd: stays the caller's
  Logger(LogLevel level, int fd);
  /// Writes what is left, for at most a second.
  ~Logger();

  /// No line is of the level kOff.
  bool Wants(LogLevel level) const { return level <= level_; }

  /// Writes a line if the level is wanted and has not had too many. `fill(line)` adds members; it
  /// runs only then.
  template <class Fill>
  void Write(LogLevel level, absl::string_view event, Fill fill) {
    if (!Wants(level)) return;
    const absl::Time now = absl::Now();
    if (!Admit(level, now)) return;
    LogLine line(now, level, event);
    fill(line);
    Append(line.Take());
  }

  /// A line about the server itself, with a text. Such lines are few, and have no rate.
  void Message(LogLevel level, absl::string_view event, absl::string_view message) {
    if (!Wants(level)) return;
    LogLine line(absl::Now(), level, event);
    line.Add("message", message);
    Append(line.Take());
  }

  /// Waits until all lines so far are written, and how many were dropped. False: some are not after
  /// `timeout`.
  bool Flush(absl::Duration timeout);

 private:
  static constexpr std::size_t kLevels = 5;

  bool Admit(LogLevel level, absl::Time now);
  void Append(const std::string& line);
  void Run();
  /// Adds a line about dropped lines, if there are any. Call with the lock held.
  void TellDropped(absl::Time now);
  void WriteOut(absl::string_view text);
  bool HasGivenUp();

  const LogLevel level_;
  const int fd_;
  const bool is_socket_;
  std::mutex mutex_;
  std::condition_variable changed_, written_;
  // mutex_ guards the rest.
  std::array<TokenBucket, kLevels> buckets_;
  std::string buffer_;
  bool writing_ = false;  // the thread has taken the buffer and writes it
  std::uint64_t dropped_by_rate_ = 0;
  std::uint64_t dropped_unread_ = 0;
  absl::Time told_ = absl::InfinitePast();  // when dropped lines were told last
  absl::Time give_up_ = absl::InfiniteFuture();
  std::thread thread_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_LOG_LOGGER_H_
