// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Parses the values of flags. Errors say what was found and what was expected, but not which flag.
#ifndef WARPYARD_SERVER_OPTION_VALUES_H_
#define WARPYARD_SERVER_OPTION_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/engine/engine.h"
#include "server/log/log_line.h"

namespace warpyard::server {

/// @errors INVALID_ARGUMENT: from all functions of this file
absl::Status InvalidValue(absl::string_view value, absl::string_view expected);

struct Range {
  std::int64_t min;
  std::int64_t max;
};

template <class Number>
absl::Status ParseNumber(absl::string_view value, Range range, Number* out) {
  std::int64_t number;
  if (!absl::SimpleAtoi(value, &number) || number < range.min || number > range.max) {
    return InvalidValue(value, absl::StrCat("a number from ", range.min, " to ", range.max));
  }
  *out = static_cast<Number>(number);
  return absl::OkStatus();
}

/// "on" or "off".
absl::Status ParseSwitch(absl::string_view value, bool* out);

absl::Status ParseMebibytes(absl::string_view value, Range range, std::size_t* bytes);

/// @shape from `min` to one year
absl::Status ParseDuration(absl::string_view value, absl::Duration min, absl::Duration* out);

/// HOST:PORT, with an IPv6 host in brackets.
absl::Status ParseAddress(absl::string_view value, std::string* out);
/// HOST:PORT, or unix:PATH.
absl::Status ParseListenAddress(absl::string_view value, std::string* out);
/// Also of Unix sockets.
bool IsUnixSocket(absl::string_view address);
absl::string_view PathOfUnixSocket(absl::string_view address);
bool IsLoopback(absl::string_view address);
absl::Status ParsePath(absl::string_view value, std::string* out);

/// 1 to 64 letters, digits, dots, underscores and hyphens.
absl::Status ParseServerName(absl::string_view value, std::string* out);

absl::Status ParseBackend(absl::string_view value, BackendChoice* out);

absl::Status ParsePolicy(absl::string_view value, policy::PolicyKind* out);
/// As --policy takes it.
std::string NameOf(policy::PolicyKind policy);

absl::Status ParseLogLevel(absl::string_view value, LogLevel* out);

/// Numbers separated by commas: the weights of tenants 0, 1, and so on.
absl::Status ParseWeights(absl::string_view value, policy::PolicyOptions* out);

/// Numbers separated by commas, each at most once; "all" gives an empty list.
absl::Status ParseDevices(absl::string_view value, std::vector<int>* out);

/// A duration, or "always".
absl::Status ParseLinger(absl::string_view value, absl::Duration* out);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_OPTION_VALUES_H_
