// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The command line of warpyard-server: the only place where its flags are read.
#ifndef WARPYARD_SERVER_OPTIONS_H_
#define WARPYARD_SERVER_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/engine/engine_options.h"
#include "server/admission/workload_limits.h"
#include "server/log/logger.h"
#include "server/security/server_credentials.h"
#include "server/upload/upload_table.h"

namespace warpyard::server {

/// A client that reads at all takes less time for a part of a result, which has 1 MiB.
inline constexpr absl::Duration kUnreadTimeout = absl::Seconds(10);

/// Who may reach the server, how much they may take before it knows them, and its name.
struct SecurityOptions {
  bool allow_insecure = false;  ///< addresses other than loopback, without protection
  TlsFiles tls;
  std::string tokens;                          ///< the file of tenants; empty: everybody is served
  std::size_t max_connections = 0;             ///< 0: as many as the process may have files
  std::size_t max_connections_of_address = 0;  ///< 0: no limit of its own
  /// Limit of requests that are still being received; beyond it the server ends such calls.
  std::size_t max_receiving_bytes = std::size_t{1024} << 20;
  std::string server_name;  ///< empty: a random one for each process
};

/// Times at which the server looks after clients and devices. There are no flags: tests set shorter
/// ones.
struct WatchTimes {
  /// A stream ends if its client reads nothing for this long while the unread results of all calls
  /// take half of their limit.
  absl::Duration unread_timeout = kUnreadTimeout;
  /// Interval between checks of the devices' health.
  absl::Duration health_interval = absl::Seconds(1);
};

struct LogOptions {
  LogLevel level = LogLevel::kInfo;
  /// Null: the server logs nowhere. There is no flag: the log begins before the server.
  std::shared_ptr<Logger> to;
};

struct ServerOptions {
  std::string listen = "127.0.0.1:7843";
  /// Empty: the server serves no metrics.
  std::string metrics = "127.0.0.1:9843";
  SecurityOptions security;
  bool enable_load_jobs = false;
  EngineOptions engine;
  std::size_t max_request_bytes = std::size_t{256} << 20;
  std::size_t max_response_bytes = std::size_t{256} << 20;
  /// Limit of requests whose jobs have not ended; a request beyond the limit is refused.
  std::size_t max_pending_bytes = std::size_t{1024} << 20;
  /// Limit of results that clients have not read yet; a result beyond the limit ends its call.
  std::size_t max_unread_bytes = std::size_t{2048} << 20;
  UploadLimits uploads = {
      .upload_bytes = std::size_t{1024} << 20,
      .all_bytes = std::size_t{2048} << 20,
      .uploads = 256,
      .ttl = absl::Minutes(10),
  };
  WorkloadLimits limits;
  /// A resident that is not used for this long is closed.
  absl::Duration resident_ttl = absl::Minutes(10);
  absl::Duration drain_timeout = absl::Seconds(25);
  LogOptions log;
  WatchTimes watch;
};

/// What the command line asks for.
struct CommandLine {
  enum class Action { kServe, kCheck, kHelp, kVersion };
  Action action = Action::kServe;
  ServerOptions options;
};

/// Parses `--flag value` and `--flag=value`. @shape arguments: without the program's name
/// @errors INVALID_ARGUMENT with the flag's name
absl::StatusOr<CommandLine> ParseCommandLine(std::span<const char* const> arguments);

/// The text of --help.
std::string HelpText();

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_OPTIONS_H_
