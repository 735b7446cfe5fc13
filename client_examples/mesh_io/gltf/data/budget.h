// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A limit of the memory that reading a file may take.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DATA_BUDGET_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DATA_BUDGET_H_

#include <cstddef>

#include "absl/status/status.h"

namespace warpyard::mesh_io {

/// Bytes that may still be allocated. Parts of a glTF file may refer to the same data any number of
/// times, or to none at all, so the size of each part alone bounds nothing.
class Budget {
 public:
  /// Real files stay below 64 bytes a byte of theirs: a compressed one of equal vertices.
  explicit Budget(std::size_t file_bytes) : left_((std::size_t{1} << 20) + 200 * file_bytes) {}

  /// @errors INVALID_ARGUMENT
  absl::Status Take(std::size_t count, std::size_t bytes_each) {
    if (bytes_each != 0 && count > left_ / bytes_each) {
      return absl::InvalidArgumentError("the file is too small for the data that it announces");
    }
    left_ -= count * bytes_each;
    return absl::OkStatus();
  }

 private:
  std::size_t left_;
};

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DATA_BUDGET_H_
