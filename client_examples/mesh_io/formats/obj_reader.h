// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Wavefront OBJ: vertices, texture coordinates, normals, vertex colours, faces, objects and names
// of materials; everything else is skipped.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_OBJ_READER_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_OBJ_READER_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpyard::mesh_io {

/// A corner of a triangle: what it takes from each list of an OBJ file.
struct ObjCorner {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t position = kNone;
  std::uint32_t uv = kNone;
  std::uint32_t normal = kNone;
};

/// Triangles of one object and material; they end where the next run begins.
struct ObjRun {
  std::size_t object = 0;
  std::optional<std::uint32_t> material;
  std::size_t first_corner = 0;
};

/// The largest index of a list, which may be used before the list has it.
struct ObjHighest {
  std::int64_t index = -1;
  std::size_t line = 0;
};

/// The lists of an OBJ file.
struct ObjContents {
  /// @shape x y z a vertex; all finite
  std::vector<double> positions;
  /// @shape red green blue alpha a vertex; empty if no vertex has a colour
  std::vector<float> colours;
  /// @shape 2 a coordinate
  std::vector<float> uvs;
  /// @shape 3 a normal
  std::vector<float> normals;
  /// @shape 3 a triangle; positions are in range, `uv` and `normal` need not be
  std::vector<ObjCorner> corners;
  std::vector<ObjRun> runs;
  std::vector<std::string> objects = {""};
  std::vector<std::string> materials;
  std::vector<std::string> libraries;
  ObjHighest highest_uv;
  ObjHighest highest_normal;
};

/// Parses an OBJ file's contents.
/// @errors INVALID_ARGUMENT with the line number
absl::StatusOr<ObjContents> ParseObj(absl::string_view contents);

}  // namespace warpyard::mesh_io

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_IO_FORMATS_OBJ_READER_H_
