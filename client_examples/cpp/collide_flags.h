// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The command line of `warpyard collide`.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_COLLIDE_FLAGS_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_COLLIDE_FLAGS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client_examples/support/command_line.h"
#include "client_examples/support/connection.h"
#include "warpyard/v1/collision_service.pb.h"

namespace warpyard::cli {

struct CollideArguments {
  std::vector<std::string> files;  ///< START and END
  client_support::Endpoint server;
  std::string out;            ///< empty: no file
  double deadline_ms = 0;     ///< 0: none
  v1::OpenSceneRequest open;  ///< with the options that the flags set
  v1::StepRequest step;       ///< the same
};

/// The table of flags. Each flag writes to the arguments.
std::vector<client_support::Flag> CollideFlags(CollideArguments& arguments);

/// Parses the words after `collide`.
/// @errors INVALID_ARGUMENT, with what is wrong
absl::Status ParseCollide(const std::vector<std::string>& words, CollideArguments& arguments);

/// What `warpyard collide --help` prints.
std::string CollideHelp();

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_COLLIDE_FLAGS_H_
