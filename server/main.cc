// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// warpyard-server: parses the command line, serves, and drains on SIGTERM.

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/engine/engine.h"
#include "server/log/library_logs.h"
#include "server/log/logger.h"
#include "server/options.h"
#include "server/self_check.h"
#include "server/server.h"

namespace warpyard::server {
namespace {

constexpr int kExitUsage = 2;
constexpr int kExitFailed = 1;
constexpr absl::Duration kSignalPoll = absl::Milliseconds(20);
/// Time for the last lines of the log; their reader may be slow.
constexpr absl::Duration kLogPatience = absl::Seconds(1);

/// Blocks the signals that end the server, so that the main thread can wait for them. Call it
/// before the first thread is made: threads inherit the mask.
sigset_t BlockEndSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  return signals;
}

bool HasSignal(const sigset_t& signals) {
  const timespec no_time = {};
  return sigtimedwait(&signals, nullptr, &no_time) > 0;
}

/// gRPC 1.51 stops serving for good once it has run out of file descriptors.
void RaiseFileLimit() {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

/// Lets running calls finish; a second signal ends the process at once. Returns false if some still
/// run.
bool Drain(Server& server, const sigset_t& signals, absl::Duration timeout, Logger& log) {
  log.Message(LogLevel::kInfo, "drain",
              absl::StrCat("draining, at most ", absl::FormatDuration(timeout)));
  server.BeginDrain();
  const absl::Time end = absl::Now() + timeout;
  while (!server.WaitUntilIdle(std::min(kSignalPoll, end - absl::Now()))) {
    if (HasSignal(signals)) {
      log.Message(LogLevel::kWarning, "stop", "stopped at once by a second signal");
      log.Flush(kLogPatience);
      std::_Exit(kExitFailed);
    }
    if (absl::Now() >= end) {
      log.Message(LogLevel::kWarning, "drain_timeout", "cancelling what still runs");
      return false;
    }
  }
  return true;
}

int Serve(const ServerOptions& options, const sigset_t& signals) {
  absl::StatusOr<std::unique_ptr<Engine>> engine = Engine::Create(options.engine);
  if (!engine.ok()) {
    std::fprintf(stderr, "warpyard-server: %s\n", engine.status().ToString().c_str());
    return kExitFailed;
  }
  Logger& log = *options.log.to;
  if (const std::string note = (*engine)->StartNote(); !note.empty()) {
    log.Message(LogLevel::kWarning, "start", note);
  }
  absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(options, *std::move(engine));
  if (!server.ok()) {
    std::fprintf(stderr, "warpyard-server: %s\n", server.status().ToString().c_str());
    return kExitFailed;
  }
  std::printf("warpyard-server: %s\n", (*server)->Description().c_str());
  std::fflush(stdout);

  int signal_number;
  sigwait(&signals, &signal_number);
  const bool is_idle = Drain(**server, signals, options.drain_timeout, log);
  // From here a second signal ends the process by its default action.
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  if (is_idle) {
    (*server)->Retire();
    log.Flush(kLogPatience);
    std::_Exit(EXIT_SUCCESS);  // closes the connections without waiting for the listeners' threads
  }
  (*server)->Shutdown();
  log.Flush(kLogPatience);
  return EXIT_SUCCESS;
}

/// Prints a line for each check.
int Check(const ServerOptions& options) {
  bool all_ok = true;
  for (const CheckResult& result : SelfCheck(options)) {
    std::printf("%s: %s\n", result.status.ok() ? "ok" : "failed", result.what.c_str());
    all_ok = all_ok && result.status.ok();
  }
  return all_ok ? EXIT_SUCCESS : kExitFailed;
}

int Main(std::span<const char* const> arguments) {
  absl::StatusOr<CommandLine> line = ParseCommandLine(arguments);
  if (!line.ok()) {
    std::fprintf(stderr, "warpyard-server: %s\n", std::string(line.status().message()).c_str());
    return kExitUsage;
  }
  switch (line->action) {
    case CommandLine::Action::kHelp:
      std::fputs(HelpText().c_str(), stdout);
      return EXIT_SUCCESS;
    case CommandLine::Action::kVersion:
      std::printf("warpyard-server %s\n", WARPYARD_VERSION);
      return EXIT_SUCCESS;
    case CommandLine::Action::kCheck:
    case CommandLine::Action::kServe:
      break;
  }
  const sigset_t signals = BlockEndSignals();
  line->options.log.to = std::make_shared<Logger>(line->options.log.level, STDERR_FILENO);
  LimitLibraryLogs(line->options.log.to);
  RaiseFileLimit();
  if (line->action == CommandLine::Action::kCheck) return Check(line->options);
  return Serve(line->options, signals);
}

}  // namespace
}  // namespace warpyard::server

int main(int argc, char** argv) {
  return warpyard::server::Main({argv + 1, static_cast<std::size_t>(argc > 0 ? argc - 1 : 0)});
}
