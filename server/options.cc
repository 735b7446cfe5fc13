// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/options.h"

#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "core/base/macros.h"
#include "server/option_values.h"

namespace warpyard::server {
namespace {

/// Protocol Buffers does not support messages of 2 GiB.
constexpr std::int64_t kMaxMessageMib = 2047;

constexpr std::int64_t kMaxInt = std::numeric_limits<int>::max();

struct Flag {
  absl::string_view name;
  absl::string_view value_and_default;
  absl::string_view help;
  absl::Status (*parse)(absl::string_view value, ServerOptions& options);
};

constexpr auto kFlags = std::to_array<Flag>({
    {"--listen", "HOST:PORT|unix:PATH (127.0.0.1:7843)",
     "address of the gRPC service; port 0: any free port",
     [](absl::string_view v, ServerOptions& o) { return ParseListenAddress(v, &o.listen); }},
    {"--metrics", "HOST:PORT|off (127.0.0.1:9843)", "address of /metrics for Prometheus",
     [](absl::string_view v, ServerOptions& o) {
       o.metrics.clear();
       return v == "off" ? absl::OkStatus() : ParseAddress(v, &o.metrics);
     }},
    {"--tls-cert", "FILE", "certificate of the server (PEM); with it the port speaks TLS",
     [](absl::string_view v, ServerOptions& o) {
       return ParsePath(v, &o.security.tls.certificate);
     }},
    {"--tls-key", "FILE", "its private key (PEM); new files are taken within seconds",
     [](absl::string_view v, ServerOptions& o) { return ParsePath(v, &o.security.tls.key); }},
    {"--tls-client-ca", "FILE", "clients need certificates of this authority (PEM)",
     [](absl::string_view v, ServerOptions& o) { return ParsePath(v, &o.security.tls.client_ca); }},
    {"--tokens", "FILE", "tenants: their tokens, certificates, rights and limits (JSON)",
     [](absl::string_view v, ServerOptions& o) { return ParsePath(v, &o.security.tokens); }},
    {"--max-connections", "N (0)", "connections at once; 0: as many as ulimit -n leaves room for",
     [](absl::string_view v, ServerOptions& o) {
       return ParseNumber(v, {0, 1'000'000}, &o.security.max_connections);
     }},
    {"--max-connections-per-address", "N (0)", "of these from one address; 0: all of them",
     [](absl::string_view v, ServerOptions& o) {
       return ParseNumber(v, {0, 1'000'000}, &o.security.max_connections_of_address);
     }},
    {"--server-name", "NAME (random)", "by which clients behind a proxy come back to this server",
     [](absl::string_view v, ServerOptions& o) {
       return ParseServerName(v, &o.security.server_name);
     }},
    {"--backend", "auto|cuda|cpu (auto)", "where jobs run; auto takes a GPU if one answers",
     [](absl::string_view v, ServerOptions& o) { return ParseBackend(v, &o.engine.backend); }},
    {"--threads", "N (0)", "CPU worker threads; 0: one per hardware thread",
     [](absl::string_view v, ServerOptions& o) {
       return ParseNumber(v, {0, 1024}, &o.engine.threads);
     }},
    {"--devices", "N,N...|all (all)", "CUDA devices to use, by number",
     [](absl::string_view v, ServerOptions& o) { return ParseDevices(v, &o.engine.devices); }},
    {"--policy", "NAME (service)",
     "whose work runs first: service, priority, edf, quota, fair, sjf or fifo",
     [](absl::string_view v, ServerOptions& o) { return ParsePolicy(v, &o.engine.policy.kind); }},
    {"--tenant-weights", "N,N... (1)", "shares of tenants 0, 1, ...; those left out have 1",
     [](absl::string_view v, ServerOptions& o) { return ParseWeights(v, &o.engine.policy); }},
    {"--hold-part", "N (8)",
     "a job that has used 1/N of the time to its deadline has jobs with time wait; 0: never",
     [](absl::string_view v, ServerOptions& o) {
       return ParseNumber(v, {0, 1000}, &o.engine.policy.hold_part);
     }},
    {"--admission", "on|off (on)", "refuse jobs at once that cannot meet their deadlines",
     [](absl::string_view v, ServerOptions& o) { return ParseSwitch(v, &o.engine.admission); }},
    {"--batching", "on|off (on)", "let small jobs that wait at the same time share a device event",
     [](absl::string_view v, ServerOptions& o) { return ParseSwitch(v, &o.engine.batching); }},
    {"--linger", "DURATION|always (2ms)", "a GPU without jobs keeps its kernel for so long",
     [](absl::string_view v, ServerOptions& o) { return ParseLinger(v, &o.engine.linger); }},
    {"--job-time-limit", "DURATION (60s)", "a job that runs longer is ended",
     [](absl::string_view v, ServerOptions& o) {
       return ParseDuration(v, absl::Seconds(1), &o.engine.job_time_limit);
     }},
    {"--max-request-mib", "N (256)", "limit of one request message, in MiB",
     [](absl::string_view v, ServerOptions& o) {
       return ParseMebibytes(v, {1, kMaxMessageMib}, &o.max_request_bytes);
     }},
    {"--max-response-mib", "N (256)", "limit of one unary response, in MiB; streams send parts",
     [](absl::string_view v, ServerOptions& o) {
       return ParseMebibytes(v, {1, kMaxMessageMib}, &o.max_response_bytes);
     }},
    {"--max-residents", "N (256)", "scenes and other residents that may be open at once",
     [](absl::string_view v, ServerOptions& o) {
       return ParseNumber(v, {1, kMaxInt}, &o.engine.max_residents);
     }},
    {"--max-scenes", "N", "older name of --max-residents",
     [](absl::string_view v, ServerOptions& o) {
       return ParseNumber(v, {1, kMaxInt}, &o.engine.max_residents);
     }},
    {"--resident-ttl", "DURATION (10m)", "a resident that is not used for this long is closed",
     [](absl::string_view v, ServerOptions& o) {
       return ParseDuration(v, absl::Seconds(1), &o.resident_ttl);
     }},
    {"--scene-ttl", "DURATION", "older name of --resident-ttl",
     [](absl::string_view v, ServerOptions& o) {
       return ParseDuration(v, absl::Seconds(1), &o.resident_ttl);
     }},
    {"--max-pending-jobs", "N (1024)", "jobs that may wait to run",
     [](absl::string_view v, ServerOptions& o) {
       return ParseNumber(v, {1, kMaxInt}, &o.engine.max_pending_jobs);
     }},
    {"--max-pending-mib", "N (1024)",
     "requests that are held until their jobs end, in MiB; at least --max-request-mib",
     [](absl::string_view v, ServerOptions& o) {
       return ParseMebibytes(v, {1, kMaxInt}, &o.max_pending_bytes);
     }},
    {"--max-receiving-mib", "N (1024)",
     "requests that are being received, in MiB; at least --max-request-mib",
     [](absl::string_view v, ServerOptions& o) {
       return ParseMebibytes(v, {1, kMaxInt}, &o.security.max_receiving_bytes);
     }},
    {"--max-unread-mib", "N (2048)",
     "results that wait for clients to read them, in MiB; at least --max-response-mib",
     [](absl::string_view v, ServerOptions& o) {
       return ParseMebibytes(v, {1, kMaxInt}, &o.max_unread_bytes);
     }},
    {"--max-upload-mib", "N (1024)", "limit of one upload, in MiB",
     [](absl::string_view v, ServerOptions& o) {
       return ParseMebibytes(v, {1, kMaxMessageMib}, &o.uploads.upload_bytes);
     }},
    {"--upload-memory-mib", "N (2048)",
     "uploads that are kept, in MiB of the host's memory; at least --max-upload-mib",
     [](absl::string_view v, ServerOptions& o) {
       return ParseMebibytes(v, {1, kMaxInt}, &o.uploads.all_bytes);
     }},
    {"--max-uploads", "N (256)", "uploads that are kept, complete or not",
     [](absl::string_view v, ServerOptions& o) {
       return ParseNumber(v, {1, kMaxInt}, &o.uploads.uploads);
     }},
    {"--upload-ttl", "DURATION (10m)", "an upload that is not used for this long is dropped",
     [](absl::string_view v, ServerOptions& o) {
       return ParseDuration(v, absl::Seconds(1), &o.uploads.ttl);
     }},
    {"--max-instances", "N (268435456)", "instances of one derivation of a grammar",
     [](absl::string_view v, ServerOptions& o) {
       return ParseNumber(v, {1, std::numeric_limits<std::int64_t>::max()}, &o.limits.instances);
     }},
    {"--max-worlds", "N (65536)", "worlds of one set of scenes",
     [](absl::string_view v, ServerOptions& o) {
       return ParseNumber(v, {1, kMaxInt}, &o.limits.worlds);
     }},
    {"--max-batch-steps", "N (4096)", "steps of one batch; each is a job",
     [](absl::string_view v, ServerOptions& o) {
       return ParseNumber(v, {1, kMaxInt}, &o.limits.batch_steps);
     }},
    {"--memory-limit-mib", "N (0)",
     "memory for residents and jobs of each device, in MiB; 0: 80 % of what is free at start",
     [](absl::string_view v, ServerOptions& o) {
       return ParseMebibytes(v, {0, kMaxInt}, &o.engine.memory_limit_bytes);
     }},
    {"--log-level", "off|error|warning|info|debug (info)",
     "lines of the log on stderr: info has jobs that fail, debug has all jobs",
     [](absl::string_view v, ServerOptions& o) { return ParseLogLevel(v, &o.log.level); }},
    {"--drain-timeout", "DURATION (25s)", "on SIGTERM running jobs may finish for so long",
     [](absl::string_view v, ServerOptions& o) {
       return ParseDuration(v, absl::ZeroDuration(), &o.drain_timeout);
     }},
});

/// A flag without a value.
struct Switch {
  absl::string_view name;
  absl::string_view help;
  bool& (*option)(ServerOptions& options);
};

constexpr auto kSwitches = std::to_array<Switch>({
    {"--enable-load-jobs", "offer LoadService, whose jobs only keep devices busy",
     [](ServerOptions& o) -> bool& { return o.enable_load_jobs; }},
    {"--allow-insecure", "allow addresses other than loopback, without TLS",
     [](ServerOptions& o) -> bool& { return o.security.allow_insecure; }},
});

bool SetSwitch(absl::string_view argument, ServerOptions& options) {
  for (const Switch& flag : kSwitches) {
    if (flag.name != argument) continue;
    flag.option(options) = true;
    return true;
  }
  return false;
}

const Flag* FindFlag(absl::string_view name) {
  for (const Flag& flag : kFlags) {
    if (flag.name == name) return &flag;
  }
  return nullptr;
}

absl::Status TooSmall(absl::string_view flag, std::size_t bytes, absl::string_view least_flag,
                      std::size_t least_bytes) {
  return absl::InvalidArgumentError(absl::StrCat(flag, ": ", bytes >> 20, ", must be at least ",
                                                 least_flag, ", which is ", least_bytes >> 20));
}

/// Only this machine reaches an address without protection.
absl::Status CheckExposure(const ServerOptions& options) {
  if (options.security.allow_insecure) return absl::OkStatus();
  if (!options.security.tls.any() && !IsLoopback(options.listen)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--listen: ", options.listen,
        " is not a loopback address; pass --tls-cert and --tls-key, or --allow-insecure where "
        "something else protects the network, such as a container's"));
  }
  if (options.security.tokens.empty() && !options.metrics.empty() && !IsLoopback(options.metrics)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--metrics: ", options.metrics,
        " is not a loopback address; pass --tokens, so that a scrape needs a token, or "
        "--allow-insecure where something else protects the network"));
  }
  return absl::OkStatus();
}

absl::Status CheckTogether(const ServerOptions& options) {
  if (options.max_pending_bytes < options.max_request_bytes) {
    return TooSmall("--max-pending-mib", options.max_pending_bytes, "--max-request-mib",
                    options.max_request_bytes);
  }
  if (options.security.max_receiving_bytes < options.max_request_bytes) {
    return TooSmall("--max-receiving-mib", options.security.max_receiving_bytes,
                    "--max-request-mib", options.max_request_bytes);
  }
  if (options.max_unread_bytes < options.max_response_bytes) {
    return TooSmall("--max-unread-mib", options.max_unread_bytes, "--max-response-mib",
                    options.max_response_bytes);
  }
  if (options.uploads.all_bytes < options.uploads.upload_bytes) {
    return TooSmall("--upload-memory-mib", options.uploads.all_bytes, "--max-upload-mib",
                    options.uploads.upload_bytes);
  }
  if (!options.engine.devices.empty() && options.engine.backend == BackendChoice::kCpu) {
    return absl::InvalidArgumentError("--devices: --backend cpu uses no CUDA device");
  }
  WY_RETURN_IF_ERROR(CheckTlsFiles(options.security.tls));
  return CheckExposure(options);
}

}  // namespace

absl::StatusOr<CommandLine> ParseCommandLine(std::span<const char* const> arguments) {
  CommandLine line;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const absl::string_view argument = arguments[i];
    if (argument == "--help" || argument == "-h") {
      line.action = CommandLine::Action::kHelp;
      return line;
    }
    if (argument == "--version") {
      line.action = CommandLine::Action::kVersion;
      return line;
    }
    if (argument == "--check") {
      line.action = CommandLine::Action::kCheck;
      continue;
    }
    if (SetSwitch(argument, line.options)) continue;
    const std::size_t equals = argument.find('=');
    const absl::string_view name = argument.substr(0, equals);
    const Flag* flag = FindFlag(name);
    if (flag == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat(name, ": unknown flag, see --help"));
    }
    if (equals == absl::string_view::npos && i + 1 == arguments.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, ": value missing, expected ", flag->value_and_default));
    }
    const absl::string_view value =
        equals == absl::string_view::npos ? arguments[++i] : argument.substr(equals + 1);
    const absl::Status status = flag->parse(value, line.options);
    if (!status.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(name, ": ", status.message()));
    }
  }
  WY_RETURN_IF_ERROR(CheckTogether(line.options));
  line.options.engine.synthetic_jobs = line.options.enable_load_jobs;
  return line;
}

std::string HelpText() {
  std::string text =
      "usage: warpyard-server [--flag value]...\n"
      "\n"
      "Serves geometry jobs over gRPC until SIGTERM or SIGINT, and then drains.\n"
      "\n"
      "Flags and their values (defaults in brackets):\n";
  const auto add = [&text](absl::string_view name, absl::string_view value,
                           absl::string_view help) {
    absl::StrAppendFormat(&text, "  %-29s %-31s %s\n", name, value, help);
  };
  for (const Flag& flag : kFlags) add(flag.name, flag.value_and_default, flag.help);
  for (const Switch& flag : kSwitches) add(flag.name, "", flag.help);
  add("--check", "", "check flags, files, addresses and devices, say what is found, and exit");
  add("--version", "", "print the version and exit");
  add("--help", "", "print this and exit");
  return text;
}

}  // namespace warpyard::server
