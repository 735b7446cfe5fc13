// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/log/library_logs.h"

#include <cstdint>
#include <mutex>
#include <utility>

#include "absl/time/clock.h"
#include "google/protobuf/stubs/logging.h"
#include "grpc/support/log.h"

namespace warpyard::server {
namespace {

/// Clients can make gRPC log as much as they like, so its lines must not use up the rate of others.
constexpr double kLinesPerSecond = 5;

struct Target {
  std::mutex mutex;
  std::shared_ptr<Logger> log;
  TokenBucket bucket{kLinesPerSecond, kLinesPerSecond};
  std::uint64_t left_out = 0;
};

/// gRPC calls a plain function, so the log must be found without an argument.
Target& TheTarget() {
  static auto& target = *new Target;
  return target;
}

void WriteLine(gpr_log_func_args* args) {
  Target& target = TheTarget();
  const std::lock_guard lock(target.mutex);
  if (target.log == nullptr) return;
  if (!target.bucket.Take(absl::Now())) {
    ++target.left_out;
    return;
  }
  target.log->Write(LogLevel::kWarning, "grpc", [&](LogLine& line) {
    line.Add("message", args->message);
    if (target.left_out != 0) line.Add("left_out_before", std::exchange(target.left_out, 0));
  });
}

}  // namespace

void LimitLibraryLogs(std::shared_ptr<Logger> log) {
  {
    Target& target = TheTarget();
    const std::lock_guard lock(target.mutex);
    target.log = std::move(log);
  }
  gpr_set_log_function(&WriteLine);
  google::protobuf::SetLogHandler(nullptr);
}

}  // namespace warpyard::server
