// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What the commands of `warpyard` share: exit statuses, and messages on standard error.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_COMMAND_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_COMMAND_H_

#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace warpyard::cli {

inline constexpr int kExitRefused = 1, kExitUsage = 2;

/// Says what went wrong, and returns the exit status.
inline int Fail(const absl::Status& status, int exit_status) {
  std::cerr << "warpyard: " << status.message() << "\n";
  return exit_status;
}

/// Says what is wrong with the words after `warpyard`, and which help explains them.
inline int FailUsage(const absl::Status& status, const std::string& command) {
  Fail(status, kExitUsage);
  std::cerr << "warpyard " << command << " --help explains the flags\n";
  return kExitUsage;
}

/// Runs `warpyard simplify` with the words after it. Returns the exit status.
int RunSimplify(const std::vector<std::string>& words);

/// Runs `warpyard token` with the words after it. Returns the exit status.
int RunToken(const std::vector<std::string>& words);
/// What `warpyard token --help` prints.
std::string TokenHelp();

/// Runs `warpyard health` with the words after it. Returns the exit status.
int RunHealth(const std::vector<std::string>& words);
/// What `warpyard health --help` prints.
std::string HealthHelp();

/// Runs `warpyard grammar` with the words after it. Returns the exit status.
int RunGrammar(const std::vector<std::string>& words);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_COMMAND_H_
