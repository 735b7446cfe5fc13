// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/client_examples/mesh_io/gltf/validator.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>

namespace warpyard::mesh_io {

std::optional<bool> PassValidator(const std::vector<NamedFile>& files) {
  if (std::system("node --version >/dev/null 2>&1") != 0) return std::nullopt;
  std::string command = "node '" WARPYARD_GLTF_VALIDATE_SCRIPT "'";
  for (const NamedFile& file : files) {
    const std::string path = ::testing::TempDir() + "validated_" + file.name;
    std::ofstream(path, std::ios::binary) << file.bytes;
    command += " '" + path + "'";
  }
  const int status = std::system(command.c_str());
  constexpr int kNotInstalled = 77;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotInstalled) return std::nullopt;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace warpyard::mesh_io
