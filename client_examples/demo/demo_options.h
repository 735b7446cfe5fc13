// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The command line of warpyard-demo.
#ifndef WARPYARD_CLIENT_EXAMPLES_DEMO_DEMO_OPTIONS_H_
#define WARPYARD_CLIENT_EXAMPLES_DEMO_DEMO_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client_examples/support/connection.h"

namespace warpyard::demo {

struct DemoOptions {
  client_support::Endpoint server;
  /// The files of two frames; empty: simulate instead.
  std::string start;
  std::string end;
  int steps = 20;
  std::uint64_t seed = 1;
  bool write = false;
  bool help = false;
};

/// What `warpyard-demo --help` prints.
std::string DemoHelp();

/// @shape the words after the program's name
/// @errors INVALID_ARGUMENT, with what is wrong
absl::StatusOr<DemoOptions> ParseDemoOptions(const std::vector<std::string>& words);

}  // namespace warpyard::demo

#endif  // WARPYARD_CLIENT_EXAMPLES_DEMO_DEMO_OPTIONS_H_
