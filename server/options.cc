// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/options.h"

#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "core/base/macros.h"

namespace warpyard::server {
namespace {

constexpr std::size_t kBytesPerMebibyte = std::size_t{1} << 20;
/// Protocol Buffers cannot handle a message of 2 GiB.
constexpr std::int64_t kMaxMessageMib = 2047;

absl::Status Invalid(absl::string_view value, absl::string_view expected) {
  return absl::InvalidArgumentError(absl::StrCat("\"", value, "\", expected ", expected));
}

struct Range {
  std::int64_t min;
  std::int64_t max;
};

template <class Number>
absl::Status ParseNumber(absl::string_view value, Range range, Number* out) {
  std::int64_t number;
  if (!absl::SimpleAtoi(value, &number) || number < range.min || number > range.max) {
    return Invalid(value, absl::StrCat("a number from ", range.min, " to ", range.max));
  }
  *out = static_cast<Number>(number);
  return absl::OkStatus();
}

absl::Status ParseMebibytes(absl::string_view value, Range range, std::size_t* bytes) {
  WY_RETURN_IF_ERROR(ParseNumber(value, range, bytes));
  *bytes *= kBytesPerMebibyte;
  return absl::OkStatus();
}

absl::Status ParseDuration(absl::string_view value, absl::Duration min, absl::Duration* out) {
  if (!absl::ParseDuration(value, out) || *out < min || *out > absl::Hours(24 * 365)) {
    return Invalid(
        value, absl::StrCat("a duration such as 90s or 10m, at least ", absl::FormatDuration(min)));
  }
  return absl::OkStatus();
}

/// HOST:PORT, with an IPv6 host in brackets.
absl::Status ParseAddress(absl::string_view value, std::string* out) {
  const std::size_t colon = value.rfind(':');
  std::uint16_t port;
  if (colon == absl::string_view::npos || colon == 0 ||
      !ParseNumber(value.substr(colon + 1), {0, 65535}, &port).ok()) {
    return Invalid(value, "HOST:PORT, with a port from 0 (any that is free) to 65535");
  }
  *out = std::string(value);
  return absl::OkStatus();
}

absl::Status ParseBackend(absl::string_view value, BackendChoice* out) {
  constexpr std::array<std::pair<absl::string_view, BackendChoice>, 3> kBackends = {
      {{"auto", BackendChoice::kAuto},
       {"cuda", BackendChoice::kCuda},
       {"cpu", BackendChoice::kCpu}}};
  for (const auto& [name, backend] : kBackends) {
    if (value == name) {
      *out = backend;
      return absl::OkStatus();
    }
  }
  return Invalid(value, "auto, cuda or cpu");
}

bool IsLoopback(absl::string_view address) {
  const absl::string_view host = address.substr(0, address.rfind(':'));
  return host == "localhost" || host == "[::1]" || host.substr(0, 4) == "127.";
}

constexpr std::int64_t kMaxInt = std::numeric_limits<int>::max();

struct Flag {
  absl::string_view name;
  absl::string_view value_and_default;
  absl::string_view help;
  absl::Status (*parse)(absl::string_view value, ServerOptions& options);
};

constexpr std::array<Flag, 11> kFlags = {{
    {"--listen", "HOST:PORT (127.0.0.1:7843)", "address of the gRPC service; port 0: any free port",
     [](absl::string_view v, ServerOptions& o) { return ParseAddress(v, &o.listen); }},
    {"--metrics", "HOST:PORT|off (127.0.0.1:9843)", "address of /metrics for Prometheus",
     [](absl::string_view v, ServerOptions& o) {
       o.metrics.clear();
       return v == "off" ? absl::OkStatus() : ParseAddress(v, &o.metrics);
     }},
    {"--backend", "auto|cuda|cpu (auto)", "where jobs run; auto takes a GPU if one answers",
     [](absl::string_view v, ServerOptions& o) { return ParseBackend(v, &o.engine.backend); }},
    {"--threads", "N (0)", "CPU worker threads; 0: one per hardware thread",
     [](absl::string_view v, ServerOptions& o) {
       return ParseNumber(v, {0, 1024}, &o.engine.threads);
     }},
    {"--max-request-mib", "N (256)", "limit of one request message, in MiB",
     [](absl::string_view v, ServerOptions& o) {
       return ParseMebibytes(v, {1, kMaxMessageMib}, &o.max_request_bytes);
     }},
    {"--max-response-mib", "N (256)", "limit of one unary response, in MiB; streams have none",
     [](absl::string_view v, ServerOptions& o) {
       return ParseMebibytes(v, {1, kMaxMessageMib}, &o.max_response_bytes);
     }},
    {"--max-scenes", "N (256)", "scenes that may be open at once",
     [](absl::string_view v, ServerOptions& o) {
       return ParseNumber(v, {1, kMaxInt}, &o.engine.max_scenes);
     }},
    {"--scene-ttl", "DURATION (10m)", "an open scene that is not used for so long is closed",
     [](absl::string_view v, ServerOptions& o) {
       return ParseDuration(v, absl::Seconds(1), &o.scene_ttl);
     }},
    {"--max-pending-jobs", "N (1024)", "jobs that may wait to run",
     [](absl::string_view v, ServerOptions& o) {
       return ParseNumber(v, {1, kMaxInt}, &o.engine.max_pending_jobs);
     }},
    {"--memory-limit-mib", "N (0)",
     "memory for scenes and jobs, in MiB; 0: 80 % of what is free at start",
     [](absl::string_view v, ServerOptions& o) {
       return ParseMebibytes(v, {0, kMaxInt}, &o.engine.memory_limit_bytes);
     }},
    {"--drain-timeout", "DURATION (25s)", "on SIGTERM running jobs may finish for so long",
     [](absl::string_view v, ServerOptions& o) {
       return ParseDuration(v, absl::ZeroDuration(), &o.drain_timeout);
     }},
}};

const Flag* FindFlag(absl::string_view name) {
  for (const Flag& flag : kFlags) {
    if (flag.name == name) return &flag;
  }
  return nullptr;
}

absl::Status CheckAddresses(const ServerOptions& options) {
  for (const auto& [flag, address] :
       {std::pair("--listen", options.listen), std::pair("--metrics", options.metrics)}) {
    if (options.allow_insecure || address.empty() || IsLoopback(address)) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        flag, ": ", address,
        " is not a loopback address, and there is neither encryption (TLS) nor authentication yet; "
        "pass --allow-insecure where something else protects the network, such as a container's"));
  }
  return absl::OkStatus();
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
    if (argument == "--allow-insecure") {
      line.options.allow_insecure = true;
      continue;
    }
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
  WY_RETURN_IF_ERROR(CheckAddresses(line.options));
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
    absl::StrAppendFormat(&text, "  %-18s %-31s %s\n", name, value, help);
  };
  for (const Flag& flag : kFlags) add(flag.name, flag.value_and_default, flag.help);
  add("--allow-insecure", "", "allow addresses other than loopback, without TLS");
  add("--version", "", "print the version and exit");
  add("--help", "", "print this and exit");
  return text;
}

}  // namespace warpyard::server
