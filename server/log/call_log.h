// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The lines of the log about jobs and calls.
#ifndef WARPYARD_SERVER_LOG_CALL_LOG_H_
#define WARPYARD_SERVER_LOG_CALL_LOG_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/base/phase_times.h"
#include "server/identity/call_identity.h"
#include "server/log/logger.h"

namespace warpyard::server {

/// How a job ended.
struct JobEnd {
  absl::string_view kind;
  std::uint64_t tenant;
  const absl::Status& status;
  absl::Duration duration;
  const PhaseTimes* phases = nullptr;  ///< null: it has none
};

/// Jobs that end well are of the level debug. Errors that the client causes are of the level info,
/// refusals for want of room are warnings, and faults of the server are errors.
LogLevel LevelOf(const absl::Status& status);

/// One line for each job. @shape identity: of the job's call, or null
void LogJobEnd(Logger& log, const CallIdentity* identity, const JobEnd& end);

/// One line for a call that fails, unless the line of its job has told of the failure.
void LogCallEnd(Logger& log, const CallIdentity& identity, const absl::Status& status);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_LOG_CALL_LOG_H_
