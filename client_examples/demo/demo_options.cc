// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/demo/demo_options.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "client_examples/support/command_line.h"

namespace warpyard::demo {
namespace {

using client_support::Flag;

constexpr int kMaxSteps = 100'000;

// The table of flags; `simulated` becomes true if a flag for the simulation is given.
std::vector<Flag> DemoFlags(DemoOptions& options, bool& simulated) {
  const auto set_steps = [&](const std::string& word) {
    simulated = true;
    return absl::SimpleAtoi(word, &options.steps) && options.steps >= 1 &&
           options.steps <= kMaxSteps;
  };
  const auto set_seed = [&](const std::string& word) {
    simulated = true;
    return absl::SimpleAtoi(word, &options.seed);
  };
  const auto set_write = [&](const std::string&) { return options.write = true; };
  return client_support::WithEndpointFlags(
      options.server, {
                          {"--steps", "N", "steps of the simulation (default 20)",
                           absl::StrCat("a number from 1 to ", kMaxSteps), set_steps},
                          {"--seed", "N", "seed of the cloth's irregularities (default 1)",
                           "a number from 0 on", set_seed},
                          {"--write", "",
                           "writes the mesh before and after the last step to START and END (PLY) "
                           "and asks no server",
                           "", set_write},
                      });
}

}  // namespace

std::string DemoHelp() {
  DemoOptions defaults;
  bool simulated = false;
  return absl::StrCat(
      "usage: warpyard-demo [FLAG VALUE]...\n"
      "       warpyard-demo [--server HOST:PORT] START END\n"
      "       warpyard-demo --write START END [--steps N] [--seed N]\n"
      "\n"
      "Streams a moving mesh through a collision service and prints the collisions of each step.\n"
      "Without files the mesh is a cloth that falls on a spinning ball, simulated here. START and\n"
      "END are PLY or OBJ files with the same triangles: the mesh before and after one step.\n"
      "\n",
      client_support::FlagsHelp(DemoFlags(defaults, simulated)),
      "\n"
      "Exit status: 0 done, 1 no server or it refused, 2 wrong usage or a file that cannot be\n"
      "read or written.\n");
}

absl::StatusOr<DemoOptions> ParseDemoOptions(const std::vector<std::string>& words) {
  DemoOptions options;
  options.help = client_support::WantsHelp(words);
  if (options.help) return options;
  bool simulated = false;
  const auto files = client_support::ParseFlags(DemoFlags(options, simulated), words);
  if (!files.ok()) return files.status();
  if (files->size() != 2 && (options.write || !files->empty())) {
    return absl::InvalidArgumentError(absl::StrCat(
        files->size(), " files, expected two, START and END", options.write ? "" : ", or none"));
  }
  if (simulated && !options.write && !files->empty()) {
    return absl::InvalidArgumentError("--steps and --seed are for the simulation, without files");
  }
  if (files->empty()) return options;
  options.start = (*files)[0];
  options.end = (*files)[1];
  return options;
}

}  // namespace warpyard::demo
