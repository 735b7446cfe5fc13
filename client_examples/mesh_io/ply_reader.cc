// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/ply_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "client_examples/mesh_io/ply_header.h"
#include "client_examples/mesh_io/ply_source.h"
#include "client_examples/mesh_io/text.h"

namespace warpyard::mesh_io {
namespace {

// The number as an index or a length, if it is one.
std::optional<std::uint32_t> ToUint32(double value) {
  if (!(value >= 0 && value <= std::numeric_limits<std::uint32_t>::max())) return std::nullopt;
  const auto integer = static_cast<std::uint32_t>(value);
  if (static_cast<double>(integer) != value) return std::nullopt;
  return integer;
}

// The value of a vertex or a face that a property holds.
enum class Role { kSkip, kX, kY, kZ, kCorners };

Role RoleOf(const PlyElement& element, const PlyProperty& property) {
  if (element.name == "vertex" && !property.length_type) {
    if (property.name == "x") return Role::kX;
    if (property.name == "y") return Role::kY;
    if (property.name == "z") return Role::kZ;
  }
  if (element.name == "face" && property.length_type &&
      (property.name == "vertex_indices" || property.name == "vertex_index")) {
    return Role::kCorners;
  }
  return Role::kSkip;
}

// Reads the elements from a source (PlyBinarySource or PlyAsciiSource) into a mesh.
template <class Source>
class BodyReader {
 public:
  explicit BodyReader(Source source) : source_(std::move(source)) {}

  absl::StatusOr<Mesh> Read(const PlyHeader& header) {
    for (const PlyElement& element : header.elements) {
      if (absl::Status status = ReadElement(element); !status.ok()) return status;
    }
    if (const std::string leftover = source_.Leftover(); !leftover.empty()) {
      return absl::InvalidArgumentError(leftover);
    }
    if (mesh_.positions.empty()) return absl::InvalidArgumentError("there are no vertices");
    const std::size_t vertices = mesh_.positions.size() / 3;
    if (largest_index_ >= vertices) {
      return absl::InvalidArgumentError(absl::StrCat("face ", largest_index_face_, ": vertex ",
                                                     largest_index_, " does not exist, there are ",
                                                     vertices));
    }
    return std::move(mesh_);
  }

 private:
  absl::Status ReadElement(const PlyElement& element) {
    std::array<int, 5> found{};
    std::vector<Role> roles;
    std::uint64_t most_rows = std::numeric_limits<std::uint64_t>::max();
    for (const PlyProperty& property : element.properties) {
      roles.push_back(RoleOf(element, property));
      ++found[static_cast<std::size_t>(roles.back())];
      most_rows = std::min<std::uint64_t>(
          most_rows, source_.MostNumbers(property.length_type.value_or(property.type)));
    }
    const bool is_vertex = element.name == "vertex";
    if (is_vertex && !(found[1] == 1 && found[2] == 1 && found[3] == 1)) {
      return absl::InvalidArgumentError("element vertex has no properties x, y and z");
    }
    if (element.name == "face" && element.count > 0 && found[4] != 1) {
      return absl::InvalidArgumentError("element face has no list vertex_indices");
    }
    if (element.properties.empty()) return absl::OkStatus();
    // Check before allocating: the file must be long enough for the count in its header.
    if (element.count > most_rows ||
        (is_vertex && element.count > std::numeric_limits<std::uint32_t>::max())) {
      return absl::InvalidArgumentError(absl::StrCat("element ", element.name, ": ", element.count,
                                                     " are announced, the file is too short"));
    }
    if (is_vertex) mesh_.positions.reserve(3 * static_cast<std::size_t>(element.count));
    for (std::uint64_t row = 0; row < element.count; ++row) {
      if (absl::Status status = ReadRow(element, roles, row); !status.ok()) {
        return absl::InvalidArgumentError(
            absl::StrCat(element.name, " ", row, ": ", status.message()));
      }
    }
    return absl::OkStatus();
  }

  absl::Status ReadRow(const PlyElement& element, const std::vector<Role>& roles,
                       std::uint64_t row) {
    std::array<double, 5> values{};
    for (std::size_t i = 0; i < roles.size(); ++i) {
      const PlyProperty& property = element.properties[i];
      if (property.length_type) {
        if (absl::Status status = ReadList(property, roles[i] == Role::kCorners, row);
            !status.ok()) {
          return status;
        }
        continue;
      }
      const std::optional<double> value = source_.Next(property.type);
      if (!value) return absl::InvalidArgumentError(source_.Problem());
      if (roles[i] != Role::kSkip && !std::isfinite(*value)) {
        return absl::InvalidArgumentError(absl::StrCat(property.name, " is not finite"));
      }
      values[static_cast<std::size_t>(roles[i])] = *value;
    }
    if (element.name == "vertex") {
      mesh_.positions.insert(mesh_.positions.end(), values.begin() + 1, values.begin() + 4);
    }
    return absl::OkStatus();
  }

  absl::Status ReadList(const PlyProperty& property, bool corners, std::uint64_t row) {
    const std::optional<double> length_value = source_.Next(*property.length_type);
    if (!length_value) return absl::InvalidArgumentError(source_.Problem());
    const std::optional<std::uint32_t> length = ToUint32(*length_value);
    if (!length || *length > source_.MostNumbers(property.type)) {
      return absl::InvalidArgumentError(
          absl::StrCat("list ", property.name, ": the length ", *length_value, " is impossible"));
    }
    polygon_.clear();
    for (std::uint32_t i = 0; i < *length; ++i) {
      const std::optional<double> value = source_.Next(property.type);
      if (!value) return absl::InvalidArgumentError(source_.Problem());
      if (!corners) continue;
      const std::optional<std::uint32_t> index = ToUint32(*value);
      if (!index) return absl::InvalidArgumentError(absl::StrCat(*value, " is not a vertex index"));
      if (*index >= largest_index_) {
        largest_index_ = *index;
        largest_index_face_ = row;
      }
      polygon_.push_back(*index);
    }
    if (corners && *length < 3) {
      return absl::InvalidArgumentError(
          absl::StrCat("a face needs at least 3 vertices, not ", *length));
    }
    if (corners) AppendFan(polygon_, mesh_.triangles);
    return absl::OkStatus();
  }

  Source source_;
  Mesh mesh_;
  // Faces may come before vertices, so the range is checked at the end.
  std::uint32_t largest_index_ = 0;
  std::uint64_t largest_index_face_ = 0;
  std::vector<std::uint32_t> polygon_;
};

}  // namespace

bool LooksLikePly(absl::string_view contents) {
  absl::string_view rest = contents.substr(0, 16);
  absl::string_view line = TakeLine(rest);
  return TakeToken(line) == "ply";
}

absl::StatusOr<Mesh> ParsePly(absl::string_view contents) {
  const absl::StatusOr<PlyHeader> header = ParsePlyHeader(contents);
  if (!header.ok()) return header.status();
  const absl::string_view body = contents.substr(header->bytes);
  if (header->encoding == PlyEncoding::kAscii) {
    return BodyReader(PlyAsciiSource(body, header->lines)).Read(*header);
  }
  return BodyReader(PlyBinarySource(body, header->encoding)).Read(*header);
}

}  // namespace warpyard::mesh_io
