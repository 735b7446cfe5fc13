// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/security/door.h"

#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "server/rpc/status_mapping.h"

namespace warpyard::server {
namespace {

std::vector<absl::string_view> ValuesOf(const grpc::AuthMetadataProcessor::InputMetadata& metadata,
                                        const char* key) {
  std::vector<absl::string_view> values;
  const auto [first, last] = metadata.equal_range(key);
  for (auto entry = first; entry != last; ++entry) {
    values.emplace_back(entry->second.data(), entry->second.size());
  }
  return values;
}

bool IsOfGrpc(const std::vector<absl::string_view>& path) {
  return path.size() == 1 && absl::StartsWith(path[0], "/grpc.");
}

}  // namespace

grpc::Status Door::Process(const InputMetadata& metadata, grpc::AuthContext* peer, OutputMetadata*,
                           OutputMetadata*) {
  const std::vector<absl::string_view> path = ValuesOf(metadata, ":path");
  if (IsOfGrpc(path)) return grpc::Status::OK;
  const absl::Status status =
      access_.FindCaller(ValuesOf(metadata, "authorization"), peer).status();
  if (status.ok()) return grpc::Status::OK;
  refused_.Increment();
  log_.Write(LogLevel::kInfo, "caller_refused", [&](LogLine& line) {
    if (!path.empty()) line.Add("method", absl::StripPrefix(path[0], "/"));
    line.Add("message", status.message());
  });
  return ToGrpcStatus(status);
}

}  // namespace warpyard::server
