// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The Khronos validator's opinion of files.
#ifndef WARPYARD_TESTS_UNIT_CLIENT_EXAMPLES_MESH_IO_GLTF_VALIDATOR_H_
#define WARPYARD_TESTS_UNIT_CLIENT_EXAMPLES_MESH_IO_GLTF_VALIDATOR_H_

#include <optional>
#include <string>
#include <vector>

namespace warpyard::mesh_io {

struct NamedFile {
  std::string name;
  std::string bytes;
};

/// Whether the validator finds no error and no warning; none where it is not installed (the npm
/// package gltf-validator; NODE_PATH names its folder). It prints what it finds.
std::optional<bool> PassValidator(const std::vector<NamedFile>& files);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_TESTS_UNIT_CLIENT_EXAMPLES_MESH_IO_GLTF_VALIDATOR_H_
