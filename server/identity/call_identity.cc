// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/identity/call_identity.h"

#include <sys/random.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "core/base/macros.h"

namespace warpyard::server {
namespace {

constexpr std::size_t kMostIdBytes = 64;
constexpr char kTraceParentKey[] = "traceparent";

std::uint64_t RandomBits() {
  std::uint64_t bits = 0;
  // getrandom neither returns less nor is interrupted for so few bytes.
  WY_ASSERT(getrandom(&bits, sizeof bits, 0) == static_cast<ssize_t>(sizeof bits));
  return bits;
}

absl::string_view ValueOf(const grpc::CallbackServerContext& context, const char* key) {
  const auto& metadata = context.client_metadata();
  // A name that is there twice would leave open which one counts.
  if (metadata.count(key) != 1) return {};
  const grpc::string_ref value = metadata.find(key)->second;
  return {value.data(), value.size()};
}

std::string RequestIdOf(const grpc::CallbackServerContext& context) {
  const absl::string_view given = ValueOf(context, kRequestIdKey);
  return IsRequestId(given) ? std::string(given) : NewRequestId();
}

}  // namespace

bool IsRequestId(absl::string_view text) {
  const auto is_allowed = [](char c) {
    return c > ' ' && c <= '~' && c != '"' && c != '\'' && c != '\\' && c != '`';
  };
  return !text.empty() && text.size() <= kMostIdBytes &&
         std::all_of(text.begin(), text.end(), is_allowed);
}

std::string NewRequestId() {
  // Random bits for the process and a count for the call: a system call for each would cost more.
  static const std::uint64_t process = RandomBits();
  static std::atomic<std::uint64_t> count = 0;
  const std::uint64_t number = count.fetch_add(1, std::memory_order_relaxed);
  return absl::StrCat(absl::Hex(process, absl::kZeroPad16), "-", absl::Hex(number));
}

CallIdentity::CallIdentity(const grpc::CallbackServerContext& context, absl::string_view method)
    : request_id_(RequestIdOf(context)),
      method_(method),
      trace_(ParseTraceParent(ValueOf(context, kTraceParentKey))),
      begin_(absl::Now()) {}

CallIdentity::CallIdentity(std::string request_id, absl::string_view method)
    : request_id_(std::move(request_id)), method_(method), begin_(absl::Now()) {}

}  // namespace warpyard::server
