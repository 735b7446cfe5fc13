// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/demo/demo_options.h"

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace warpyard::demo {
namespace {

constexpr int kMaxSteps = 100'000;

absl::Status SetFlag(const std::string& flag, const std::string& value, DemoOptions& options) {
  if (flag == "--server") {
    if (value.find(':') == std::string::npos) {
      return absl::InvalidArgumentError(absl::StrCat("--server needs HOST:PORT, not ", value));
    }
    options.server = value;
  } else if (flag == "--steps") {
    if (!absl::SimpleAtoi(value, &options.steps) || options.steps < 1 ||
        options.steps > kMaxSteps) {
      return absl::InvalidArgumentError(
          absl::StrCat("--steps needs a number from 1 to ", kMaxSteps, ", not ", value));
    }
  } else if (flag == "--seed") {
    if (!absl::SimpleAtoi(value, &options.seed)) {
      return absl::InvalidArgumentError(absl::StrCat("--seed needs a number, not ", value));
    }
  } else {
    return absl::InvalidArgumentError(absl::StrCat("unknown flag ", flag));
  }
  return absl::OkStatus();
}

}  // namespace

const char kDemoUsage[] =
    "usage: warpyard-demo [--server HOST:PORT] [--steps N] [--seed N]\n"
    "       warpyard-demo [--server HOST:PORT] START END\n"
    "\n"
    "Streams a moving mesh through a collision service and prints what it found in each step.\n"
    "Without files the mesh is a cloth that falls on a spinning ball, simulated here. START and\n"
    "END are PLY or OBJ files with the same triangles: the mesh before and after one step.\n"
    "\n"
    "  --server HOST:PORT  where warpyard-server listens (default 127.0.0.1:7843)\n"
    "  --steps N           steps of the simulation (default 20)\n"
    "  --seed N            seed of the cloth's irregularities (default 1)\n"
    "  --help              this text\n"
    "\n"
    "Exit status: 0 done, 1 no server or it refused, 2 wrong usage or unreadable files.\n";

absl::StatusOr<DemoOptions> ParseDemoOptions(const std::vector<std::string>& words) {
  DemoOptions options;
  std::vector<std::string> files;
  bool simulation_flags = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--help" || word == "-h") {
      options.help = true;
      return options;
    }
    if (word.empty() || word[0] != '-') {
      files.push_back(word);
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string flag = word.substr(0, equals);
    if (equals == std::string::npos && i + 1 == words.size()) {
      return absl::InvalidArgumentError(absl::StrCat("unknown flag or no value: ", flag));
    }
    const std::string value = equals == std::string::npos ? words[++i] : word.substr(equals + 1);
    if (absl::Status status = SetFlag(flag, value, options); !status.ok()) return status;
    simulation_flags |= flag == "--steps" || flag == "--seed";
  }
  if (files.empty()) return options;
  if (files.size() != 2) {
    return absl::InvalidArgumentError("give two files, START and END, or none");
  }
  if (simulation_flags) {
    return absl::InvalidArgumentError("--steps and --seed are for the simulation, without files");
  }
  options.start = files[0];
  options.end = files[1];
  return options;
}

}  // namespace warpyard::demo
