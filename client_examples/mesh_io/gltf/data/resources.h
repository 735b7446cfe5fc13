// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What the URIs of a glTF file name: data in the URI itself, or files beside the glTF file.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DATA_RESOURCES_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DATA_RESOURCES_H_

#include <cstddef>
#include <deque>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpyard::mesh_io {

/// Whether the URI holds its data.
bool IsDataUri(absl::string_view uri);

/// Reads and keeps the bytes of URIs; each file is read once.
class Resources {
 public:
  /// @shape `folder`: of the glTF file; empty for the current one
  explicit Resources(std::string folder) : folder_(std::move(folder)) {}

  /// The bytes, valid as long as this object.
  /// @errors INVALID_ARGUMENT: malformed, or it names something outside the folder, also by a
  ///     symbolic link; those of ReadFile
  absl::StatusOr<absl::string_view> Load(const std::string& uri);

  /// Of all files that were read.
  std::size_t file_bytes() const { return file_bytes_; }

 private:
  absl::StatusOr<std::string> PathOf(absl::string_view uri) const;

  std::string folder_;
  std::map<std::string, std::string> files_;
  std::deque<std::string> decoded_;
  std::size_t file_bytes_ = 0;
};

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_GLTF_DATA_RESOURCES_H_
