// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What `warpyard simplify` tells of its results.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_REPORT_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_REPORT_H_

#include <optional>
#include <string>
#include <vector>

#include "client_examples/cpp/simplify/goals.h"
#include "client_examples/cpp/simplify/level.h"
#include "client_examples/cpp/simplify/verify.h"

namespace warpyard::cli {

/// A file that was written.
struct FileReport {
  std::string path;
  std::vector<MeshOutcome> meshes;
  KeptSize kept;
  std::optional<Verification> verification;
};

/// Sizes of the file, with what stays as it is, and why a goal was not reached.
std::string TextOf(const FileReport& report);

/// The statistics of one file as an object; its form is in client_examples/README.md.
std::string StatisticsJson(const FileReport& report);

/// The statistics of several levels of detail, as an object with a list.
std::string StatisticsJson(const std::vector<FileReport>& levels);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_REPORT_H_
