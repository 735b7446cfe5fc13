// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The command line of `warpyard simplify`.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_FLAGS_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_FLAGS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client_examples/cpp/simplify/mesh/request.h"
#include "client_examples/support/command_line.h"
#include "client_examples/support/connection.h"
#include "warpyard/v1/simplify_service.pb.h"

namespace warpyard::cli {

struct SimplifyArguments {
  std::vector<std::string> files;  ///< IN and OUT
  client_support::Endpoint server;
  std::string statistics;        ///< where they go; empty: no file
  std::string view_file;         ///< the goal, if it is views; empty: it is not
  bool drop_attributes = false;  ///< joins all primitives, and keeps positions only
  bool meshopt_compression = false;
  bool keep_upload = false;  ///< leaves large meshes at the server for the next run
  bool verify = false;       ///< measures the distance of the result
  std::size_t lods = 0;      ///< levels of detail, a file each; 0: one file of the name OUT
  AttributeWeights weights;  ///< that flags gave
  v1::Borders borders = v1::BORDERS_UNSPECIFIED;
  bool frees_and_locks = false;  ///< both flags of borders are set
  double deadline_ms = 0;        ///< 0: none
  int goals = 0;                 ///< how many flags gave one
  v1::SimplifyRequest request;   ///< with the goal and the options that the flags set
};

/// The table of flags. Each flag writes to the arguments.
std::vector<client_support::Flag> SimplifyFlags(SimplifyArguments& arguments);

/// Parses the words after `simplify`, and checks the ranges of their numbers. Levels of detail
/// without a goal begin with half of the triangles.
/// @errors INVALID_ARGUMENT, with what is wrong
absl::Status ParseSimplify(const std::vector<std::string>& words, SimplifyArguments& arguments);

/// What `warpyard simplify --help` prints.
std::string SimplifyHelp();

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_FLAGS_H_
