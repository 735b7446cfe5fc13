// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/log_limit.h"

#include <cstdio>

#include "absl/time/clock.h"
#include "google/protobuf/stubs/logging.h"
#include "grpc/support/log.h"

namespace warpyard::server {
namespace {

void LogLine(gpr_log_func_args* line) {
  static auto& limit = *new LogLimit;
  const LogLimit::Verdict verdict = limit.Pass(absl::Now());
  if (!verdict.passes) return;
  if (verdict.dropped != 0) {
    std::fprintf(stderr, "warpyard-server: gRPC: %llu lines left out\n",
                 static_cast<unsigned long long>(verdict.dropped));
  }
  std::fprintf(stderr, "warpyard-server: gRPC: %s\n", line->message);
}

}  // namespace

LogLimit::Verdict LogLimit::Pass(absl::Time now) {
  const std::lock_guard lock(mutex_);
  if (now - second_ >= absl::Seconds(1)) {
    second_ = now;
    lines_ = 0;
  }
  if (lines_ == kLinesPerSecond) {
    ++dropped_;
    return {};
  }
  ++lines_;
  const Verdict verdict = {true, dropped_};
  dropped_ = 0;
  return verdict;
}

void LimitLibraryLogs() {
  gpr_set_log_function(&LogLine);
  google::protobuf::SetLogHandler(nullptr);
}

}  // namespace warpyard::server
