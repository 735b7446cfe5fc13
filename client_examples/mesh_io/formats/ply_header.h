// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The header of a PLY file: which elements with which properties follow, and in what encoding.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_PLY_HEADER_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_PLY_HEADER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpyard::mesh_io {

enum class PlyEncoding { kAscii, kLittleEndian, kBigEndian };

enum class PlyScalar { kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kFloat32, kFloat64 };

/// Bytes of a scalar in a binary file.
std::size_t PlyScalarBytes(PlyScalar scalar);

struct PlyProperty {
  std::string name;
  /// Type of the value, or of a list's values.
  PlyScalar type = PlyScalar::kFloat32;
  /// Type of a list's length; empty for a plain value.
  std::optional<PlyScalar> length_type;
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;
};

struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::kAscii;
  std::vector<PlyElement> elements;
  /// Where the data begins.
  std::size_t bytes = 0;
  std::size_t lines = 0;
};

/// Parses the header at the beginning of a file.
/// @errors INVALID_ARGUMENT with the line number
absl::StatusOr<PlyHeader> ParsePlyHeader(absl::string_view contents);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_PLY_HEADER_H_
