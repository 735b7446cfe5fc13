// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/option_values.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "core/base/macros.h"

namespace warpyard::server {
namespace {

constexpr std::size_t kBytesPerMebibyte = std::size_t{1} << 20;
constexpr std::int64_t kMaxWeight = 1'000'000;
constexpr std::int64_t kMaxDevice = 255;
constexpr absl::string_view kUnix = "unix:";

/// The value with this name.
template <class Value, std::size_t kCount>
absl::Status ParseName(absl::string_view value,
                       const std::array<std::pair<absl::string_view, Value>, kCount>& names,
                       Value* out) {
  for (const auto& [name, named] : names) {
    if (value != name) continue;
    *out = named;
    return absl::OkStatus();
  }
  return InvalidValue(
      value, absl::StrCat("one of ", absl::StrJoin(names, ", ", [](std::string* to, const auto& n) {
                            absl::StrAppend(to, n.first);
                          })));
}

constexpr std::size_t kMaxServerName = 64;

using policy::PolicyKind;
constexpr std::array<std::pair<absl::string_view, PolicyKind>, 7> kPolicies = {
    {{"service", PolicyKind::kService},
     {"priority", PolicyKind::kPriority},
     {"edf", PolicyKind::kEarliestDeadline},
     {"quota", PolicyKind::kQuota},
     {"fair", PolicyKind::kFairShare},
     {"sjf", PolicyKind::kShortestJob},
     {"fifo", PolicyKind::kFifo}}};

}  // namespace

absl::Status InvalidValue(absl::string_view value, absl::string_view expected) {
  return absl::InvalidArgumentError(absl::StrCat("\"", value, "\", expected ", expected));
}

absl::Status ParseSwitch(absl::string_view value, bool* out) {
  if (value != "on" && value != "off") return InvalidValue(value, "on or off");
  *out = value == "on";
  return absl::OkStatus();
}

absl::Status ParseMebibytes(absl::string_view value, Range range, std::size_t* bytes) {
  WY_RETURN_IF_ERROR(ParseNumber(value, range, bytes));
  *bytes *= kBytesPerMebibyte;
  return absl::OkStatus();
}

absl::Status ParseDuration(absl::string_view value, absl::Duration min, absl::Duration* out) {
  if (!absl::ParseDuration(value, out) || *out < min || *out > absl::Hours(24 * 365)) {
    return InvalidValue(
        value, absl::StrCat("a duration such as 90s or 10m, at least ", absl::FormatDuration(min)));
  }
  return absl::OkStatus();
}

bool IsUnixSocket(absl::string_view address) { return absl::StartsWith(address, kUnix); }

absl::string_view PathOfUnixSocket(absl::string_view address) {
  return address.substr(kUnix.size());
}

absl::Status ParseAddress(absl::string_view value, std::string* out) {
  const std::size_t colon = value.rfind(':');
  std::uint16_t port;
  if (colon == absl::string_view::npos || colon == 0 ||
      !ParseNumber(value.substr(colon + 1), {0, 65535}, &port).ok()) {
    return InvalidValue(value, "HOST:PORT, with a port from 0 (any that is free) to 65535");
  }
  *out = std::string(value);
  return absl::OkStatus();
}

absl::Status ParseListenAddress(absl::string_view value, std::string* out) {
  if (!IsUnixSocket(value)) return ParseAddress(value, out);
  // The system's addresses have room for so many characters.
  constexpr std::size_t kMostOfPath = 107;
  const std::size_t path = value.size() - kUnix.size();
  if (path == 0 || path > kMostOfPath) {
    return InvalidValue(
        value, absl::StrCat("unix:PATH, with a path of 1 to ", kMostOfPath, " characters"));
  }
  *out = std::string(value);
  return absl::OkStatus();
}

absl::Status ParsePath(absl::string_view value, std::string* out) {
  if (value.empty()) return InvalidValue(value, "the name of a file");
  *out = std::string(value);
  return absl::OkStatus();
}

bool IsLoopback(absl::string_view address) {
  if (IsUnixSocket(address)) return true;
  const absl::string_view host = address.substr(0, address.rfind(':'));
  return host == "localhost" || host == "[::1]" || host.substr(0, 4) == "127.";
}

absl::Status ParseBackend(absl::string_view value, BackendChoice* out) {
  constexpr std::array<std::pair<absl::string_view, BackendChoice>, 3> kBackends = {
      {{"auto", BackendChoice::kAuto},
       {"cuda", BackendChoice::kCuda},
       {"cpu", BackendChoice::kCpu}}};
  return ParseName(value, kBackends, out);
}

absl::Status ParseServerName(absl::string_view value, std::string* out) {
  const bool is_name = !value.empty() && value.size() <= kMaxServerName &&
                       std::all_of(value.begin(), value.end(), [](char c) {
                         return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '.' ||
                                c == '_' || c == '-';
                       });
  if (!is_name) {
    return InvalidValue(value, absl::StrCat("1 to ", kMaxServerName,
                                            " letters, digits, dots, underscores and hyphens"));
  }
  *out = std::string(value);
  return absl::OkStatus();
}

absl::Status ParsePolicy(absl::string_view value, policy::PolicyKind* out) {
  return ParseName(value, kPolicies, out);
}

std::string NameOf(policy::PolicyKind policy) {
  for (const auto& [name, kind] : kPolicies) {
    if (kind == policy) return std::string(name);
  }
  return "";
}

absl::Status ParseLogLevel(absl::string_view value, LogLevel* out) {
  constexpr std::array kLevels = {LogLevel::kOff, LogLevel::kError, LogLevel::kWarning,
                                  LogLevel::kInfo, LogLevel::kDebug};
  std::array<std::pair<absl::string_view, LogLevel>, kLevels.size()> names;
  for (std::size_t i = 0; i < kLevels.size(); ++i) names[i] = {NameOf(kLevels[i]), kLevels[i]};
  return ParseName(value, names, out);
}

absl::Status ParseWeights(absl::string_view value, policy::PolicyOptions* out) {
  std::fill(std::begin(out->weights), std::end(out->weights), 0);
  std::uint32_t tenant = 0;
  for (const absl::string_view part : absl::StrSplit(value, ',')) {
    if (tenant == kMaxTenants) {
      return InvalidValue(value, absl::StrCat("at most ", kMaxTenants, " weights"));
    }
    WY_RETURN_IF_ERROR(ParseNumber(part, {1, kMaxWeight}, &out->weights[tenant]));
    ++tenant;
  }
  return absl::OkStatus();
}

absl::Status ParseDevices(absl::string_view value, std::vector<int>* out) {
  out->clear();
  if (value == "all") return absl::OkStatus();
  for (const absl::string_view part : absl::StrSplit(value, ',')) {
    int device = 0;
    WY_RETURN_IF_ERROR(ParseNumber(part, {0, kMaxDevice}, &device));
    if (std::find(out->begin(), out->end(), device) != out->end()) {
      return InvalidValue(value, "each device once");
    }
    out->push_back(device);
  }
  return absl::OkStatus();
}

absl::Status ParseLinger(absl::string_view value, absl::Duration* out) {
  if (value == "always") {
    *out = absl::InfiniteDuration();
    return absl::OkStatus();
  }
  if (ParseDuration(value, absl::ZeroDuration(), out).ok()) return absl::OkStatus();
  return InvalidValue(value, "a duration such as 2ms, or always");
}

}  // namespace warpyard::server
