// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Keeps libraries from filling the log with messages about clients' mistakes.
#ifndef WARPYARD_SERVER_LOG_LIBRARY_LOGS_H_
#define WARPYARD_SERVER_LOG_LIBRARY_LOGS_H_

#include <memory>

#include "server/log/logger.h"

namespace warpyard::server {

/// Sends the errors that gRPC logs to the log, whose rate limits them. Drops the log lines of
/// Protocol Buffers, because they quote bytes from clients.
/// The log lives until the process ends, because threads of gRPC do.
void LimitLibraryLogs(std::shared_ptr<Logger> log);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_LOG_LIBRARY_LOGS_H_
