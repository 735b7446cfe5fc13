// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// One line of the log, as a JSON object.
#ifndef WARPYARD_SERVER_LOG_LOG_LINE_H_
#define WARPYARD_SERVER_LOG_LOG_LINE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/base/phase_times.h"

namespace warpyard::server {

enum class LogLevel { kOff, kError, kWarning, kInfo, kDebug };

/// "error", "warning", ...
absl::string_view NameOf(LogLevel level);

/// Names of members must be plain ASCII without quotes; values may be anything.
class LogLine {
 public:
  /// Longer values are shortened.
  static constexpr std::size_t kMostValueBytes = 512;

  /// Begins with the members time, level and event.
  LogLine(absl::Time time, LogLevel level, absl::string_view event);

  LogLine& Add(absl::string_view name, absl::string_view value);
  LogLine& Add(absl::string_view name, std::uint64_t number);
  /// @units milliseconds
  LogLine& Add(absl::string_view name, absl::Duration duration);
  LogLine& Add(absl::string_view name, const PhaseTimes& phases);

  /// The object and the end of the line. Call it once, last.
  std::string Take();

 private:
  void Name(absl::string_view name);

  std::string text_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_LOG_LOG_LINE_H_
