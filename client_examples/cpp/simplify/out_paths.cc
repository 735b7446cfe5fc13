// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/out_paths.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "client_examples/cpp/simplify/level.h"
#include "client_examples/mesh_io/files.h"
#include "client_examples/mesh_io/model_io.h"

namespace warpyard::cli {
namespace {

/// Whether a path names the same file as one of some others.
bool IsAmong(const std::string& path, const std::vector<std::string>& others) {
  std::error_code ignored;
  const auto whole = [&](const std::string& each) {
    return std::filesystem::weakly_canonical(each, ignored);
  };
  const std::filesystem::path own = whole(path);
  return std::any_of(others.begin(), others.end(),
                     [&](const std::string& other) { return !own.empty() && whole(other) == own; });
}

}  // namespace

std::vector<std::string> OutPaths(const SimplifyArguments& arguments) {
  if (arguments.lods == 0) return {arguments.files[1]};
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < arguments.lods; ++i) {
    paths.push_back(LevelPath(arguments.files[1], i));
  }
  return paths;
}

absl::Status CheckOutPaths(const SimplifyArguments& arguments) {
  std::vector<std::string> meshes = OutPaths(arguments);
  for (const std::string& path : meshes) {
    absl::Status status = mesh_io::CheckEnding(path);
    if (status.ok()) status = mesh_io::CheckCanWrite(path);
    if (!status.ok()) return status;
  }
  if (arguments.lods > 0 && IsAmong(arguments.files[0], meshes)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--lods: ", arguments.files[0], " would be replaced by a level"));
  }
  if (arguments.statistics.empty()) return absl::OkStatus();
  meshes.push_back(arguments.files[0]);
  if (IsAmong(arguments.statistics, meshes)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--statistics: ", arguments.statistics, " is the file of a mesh, too"));
  }
  return mesh_io::CheckCanWrite(arguments.statistics);
}

}  // namespace warpyard::cli
