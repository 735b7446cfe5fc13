// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/identity/trace_parent.h"

#include <algorithm>
#include <cstddef>

namespace warpyard::server {
namespace {

// "00-<32 digits>-<16 digits>-<2 digits>"
constexpr std::size_t kTraceBegin = 3, kTraceDigits = 32;
constexpr std::size_t kParentBegin = kTraceBegin + kTraceDigits + 1, kParentDigits = 16;
constexpr std::size_t kFlagsBegin = kParentBegin + kParentDigits + 1, kFlagsDigits = 2;
constexpr std::size_t kLength = kFlagsBegin + kFlagsDigits;
/// A header of a later version may be longer, but no sender needs so much.
constexpr std::size_t kMostLength = 512;

/// The standard allows no capital letters.
bool IsHex(absl::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool IsZero(absl::string_view digits) {
  return std::all_of(digits.begin(), digits.end(), [](char c) { return c == '0'; });
}

bool IsOdd(char digit) { return (digit <= '9' ? digit - '0' : digit - 'a' + 10) % 2 != 0; }

}  // namespace

std::optional<TraceParent> ParseTraceParent(absl::string_view header) {
  if (header.size() < kLength || header.size() > kMostLength) return std::nullopt;
  const absl::string_view version = header.substr(0, 2);
  const absl::string_view trace = header.substr(kTraceBegin, kTraceDigits);
  const absl::string_view parent = header.substr(kParentBegin, kParentDigits);
  const absl::string_view flags = header.substr(kFlagsBegin, kFlagsDigits);
  for (const absl::string_view part : {version, trace, parent, flags}) {
    if (!IsHex(part)) return std::nullopt;
  }
  for (const std::size_t dash : {kTraceBegin - 1, kParentBegin - 1, kFlagsBegin - 1}) {
    if (header[dash] != '-') return std::nullopt;
  }
  if (version == "ff" || IsZero(trace) || IsZero(parent)) return std::nullopt;
  if (header.size() > kLength && (version == "00" || header[kLength] != '-')) return std::nullopt;
  return TraceParent{std::string(trace), std::string(parent), IsOdd(flags.back())};
}

}  // namespace warpyard::server
