// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/log/call_log.h"

#include <string>

#include "absl/time/clock.h"
#include "server/errors/error_details.h"

namespace warpyard::server {
namespace {

void AddIdentity(const CallIdentity& identity, LogLine& line) {
  line.Add("request_id", identity.request_id());
  if (const auto& trace = identity.trace()) {
    line.Add("trace_id", trace->trace_id).Add("parent_id", trace->parent_id);
  }
  line.Add("method", identity.method());
}

void AddStatus(const absl::Status& status, LogLine& line) {
  line.Add("code", absl::StatusCodeToString(status.code()));
  if (status.ok()) return;
  line.Add("reason", ReasonOf(status)).Add("message", status.message());
}

}  // namespace

LogLevel LevelOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return LogLevel::kDebug;
    case absl::StatusCode::kResourceExhausted:
    case absl::StatusCode::kUnavailable:
      return LogLevel::kWarning;
    case absl::StatusCode::kInternal:
    case absl::StatusCode::kUnknown:
    case absl::StatusCode::kDataLoss:
    case absl::StatusCode::kAborted:
      return LogLevel::kError;
    default:
      return LogLevel::kInfo;
  }
}

void LogJobEnd(Logger& log, const CallIdentity* identity, const JobEnd& end) {
  if (!end.status.ok() && identity != nullptr) identity->TellFailure();
  log.Write(LevelOf(end.status), "job_end", [&](LogLine& line) {
    if (identity != nullptr) AddIdentity(*identity, line);
    line.Add("kind", end.kind).Add("tenant", end.tenant);
    AddStatus(end.status, line);
    line.Add("duration_ms", end.duration);
    if (end.phases != nullptr) line.Add("phases_ms", *end.phases);
  });
}

void LogCallEnd(Logger& log, const CallIdentity& identity, const absl::Status& status) {
  if (status.ok() || !identity.TellFailure()) return;
  log.Write(LevelOf(status), "call_end", [&](LogLine& line) {
    AddIdentity(identity, line);
    AddStatus(status, line);
    line.Add("duration_ms", absl::Now() - identity.begin());
  });
}

}  // namespace warpyard::server
