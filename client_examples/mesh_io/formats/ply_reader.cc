// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/formats/ply_reader.h"

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
#include "client_examples/mesh_io/formats/ply_header.h"
#include "client_examples/mesh_io/formats/ply_roles.h"
#include "client_examples/mesh_io/formats/ply_source.h"
#include "client_examples/mesh_io/polygons.h"
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

// Reads the elements from a source (PlyBinarySource or PlyAsciiSource) into a primitive.
template <class Source>
class BodyReader {
 public:
  explicit BodyReader(Source source) : source_(std::move(source)) {}

  absl::StatusOr<Primitive> Read(const PlyHeader& header) {
    for (const PlyElement& element : header.elements) {
      if (absl::Status status = ReadElement(element); !status.ok()) return status;
    }
    if (const std::string leftover = source_.Leftover(); !leftover.empty()) {
      return absl::InvalidArgumentError(leftover);
    }
    if (primitive_.positions.empty()) return absl::InvalidArgumentError("there are no vertices");
    if (largest_index_ >= primitive_.Vertices()) {
      return absl::InvalidArgumentError(absl::StrCat(largest_index_place_, ": vertex ",
                                                     largest_index_, " does not exist, there are ",
                                                     primitive_.Vertices()));
    }
    primitive_.positions_are_float = AllAreFloats(primitive_.positions);
    return std::move(primitive_);
  }

 private:
  absl::Status ReadElement(const PlyElement& element) {
    found_ = {};
    roles_.clear();
    std::uint64_t most_rows = std::numeric_limits<std::uint64_t>::max();
    for (const PlyProperty& property : element.properties) {
      roles_.push_back(PlyRoleOf(element, property));
      ++found_[static_cast<std::size_t>(roles_.back())];
      most_rows = std::min<std::uint64_t>(
          most_rows, source_.MostNumbers(property.length_type.value_or(property.type)));
      if (roles_.back() == PlyRole::kRed) {
        primitive_.colours.storage = PlyColourStorage(property.type);
      }
    }
    if (absl::Status status = CheckRoles(element); !status.ok()) return status;
    if (element.properties.empty()) return absl::OkStatus();
    // Check before allocating: the file must be long enough for the count in its header.
    const bool is_vertex = element.name == "vertex";
    if (element.count > most_rows ||
        (is_vertex && element.count > std::numeric_limits<std::uint32_t>::max())) {
      return absl::InvalidArgumentError(absl::StrCat("element ", element.name, ": ", element.count,
                                                     " are announced, the file is too short"));
    }
    if (is_vertex) primitive_.positions.reserve(3 * static_cast<std::size_t>(element.count));
    for (std::uint64_t row = 0; row < element.count; ++row) {
      if (absl::Status status = ReadRow(element, row); !status.ok()) {
        return absl::InvalidArgumentError(
            absl::StrCat(element.name, " ", row, ": ", status.message()));
      }
    }
    return absl::OkStatus();
  }

  int Found(PlyRole role) const { return found_[static_cast<std::size_t>(role)]; }

  absl::Status CheckRoles(const PlyElement& element) {
    if (element.name == "vertex") {
      if (Found(PlyRole::kX) + Found(PlyRole::kY) + Found(PlyRole::kZ) != 3) {
        return absl::InvalidArgumentError("element vertex has no properties x, y and z");
      }
      has_normals_ =
          Found(PlyRole::kNormalX) && Found(PlyRole::kNormalY) && Found(PlyRole::kNormalZ);
      has_uvs_ = Found(PlyRole::kU) && Found(PlyRole::kV);
      if (has_uvs_) primitive_.uvs.emplace_back();
      has_colours_ = Found(PlyRole::kRed) && Found(PlyRole::kGreen) && Found(PlyRole::kBlue);
      primitive_.colours_are_opaque = !Found(PlyRole::kAlpha);
    }
    const bool has_triangles = element.name == "face" || element.name == "tristrips";
    if (has_triangles && element.count > 0 && Found(PlyRole::kFace) + Found(PlyRole::kStrip) != 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("element ", element.name, " has no list vertex_indices"));
    }
    return absl::OkStatus();
  }

  absl::Status ReadRow(const PlyElement& element, std::uint64_t row) {
    values_[static_cast<std::size_t>(PlyRole::kAlpha)] = 1;
    for (std::size_t i = 0; i < roles_.size(); ++i) {
      const PlyProperty& property = element.properties[i];
      if (property.length_type) {
        if (absl::Status status = ReadList(property, roles_[i]); !status.ok()) return status;
        // The text of the place is needed only for an error, so it is made for few rows.
        if (largest_index_is_new_) largest_index_place_ = absl::StrCat(element.name, " ", row);
        largest_index_is_new_ = false;
        continue;
      }
      const std::optional<double> value = source_.Next(property.type);
      if (!value) return absl::InvalidArgumentError(source_.Problem());
      if (roles_[i] != PlyRole::kSkip && !std::isfinite(static_cast<float>(*value)) &&
          !(IsPosition(roles_[i]) && std::isfinite(*value))) {
        return absl::InvalidArgumentError(absl::StrCat(property.name, " is not finite"));
      }
      values_[static_cast<std::size_t>(roles_[i])] = *value;
    }
    if (element.name == "vertex") AppendVertex();
    return absl::OkStatus();
  }

  static bool IsPosition(PlyRole role) { return role >= PlyRole::kX && role <= PlyRole::kZ; }

  double Value(PlyRole role, std::size_t offset) const {
    return values_[static_cast<std::size_t>(role) + offset];
  }

  void AppendVertex() {
    for (std::size_t i = 0; i < 3; ++i) primitive_.positions.push_back(Value(PlyRole::kX, i));
    for (std::size_t i = 0; has_normals_ && i < 3; ++i) {
      primitive_.normals.values.push_back(static_cast<float>(Value(PlyRole::kNormalX, i)));
    }
    for (std::size_t i = 0; has_uvs_ && i < 2; ++i) {
      primitive_.uvs[0].values.push_back(static_cast<float>(Value(PlyRole::kU, i)));
    }
    for (std::size_t i = 0; has_colours_ && i < 4; ++i) {
      primitive_.colours.values.push_back(Colour(i));
    }
  }

  float Colour(std::size_t channel) const {
    const double value = Value(PlyRole::kRed, channel);
    const bool is_missing_alpha = channel == 3 && primitive_.colours_are_opaque;
    const double largest =
        primitive_.colours.storage.component == ComponentType::kUint16 ? 65535 : 255;
    const bool is_integer = primitive_.colours.storage.normalized && !is_missing_alpha;
    return static_cast<float>(is_integer ? std::clamp(value / largest, 0.0, 1.0) : value);
  }

  absl::Status ReadList(const PlyProperty& property, PlyRole role) {
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
      if (role == PlyRole::kSkip) continue;
      // -1 ends a strip, and another begins.
      if (role == PlyRole::kStrip && *value == -1) {
        AppendStrip(polygon_, primitive_.triangles);
        polygon_.clear();
        continue;
      }
      const std::optional<std::uint32_t> index = ToUint32(*value);
      if (!index) return absl::InvalidArgumentError(absl::StrCat(*value, " is not a vertex index"));
      if (*index > largest_index_ || largest_index_place_.empty()) {
        largest_index_ = std::max(largest_index_, *index);
        largest_index_is_new_ = true;
      }
      polygon_.push_back(*index);
    }
    if (role == PlyRole::kFace) {
      if (*length < 3) {
        return absl::InvalidArgumentError(
            absl::StrCat("a face needs at least 3 vertices, not ", *length));
      }
      AppendFan(polygon_, primitive_.triangles);
    }
    if (role == PlyRole::kStrip) AppendStrip(polygon_, primitive_.triangles);
    return absl::OkStatus();
  }

  Source source_;
  Primitive primitive_;
  // The properties of the element that is being read, and the numbers of a row.
  std::vector<PlyRole> roles_;
  PerPlyRole<int> found_{};
  PerPlyRole<double> values_{};
  bool has_normals_ = false;
  bool has_uvs_ = false;
  bool has_colours_ = false;
  // Faces may come before vertices, so the range is checked at the end.
  std::uint32_t largest_index_ = 0;
  bool largest_index_is_new_ = false;
  std::string largest_index_place_;
  std::vector<std::uint32_t> polygon_;
};

}  // namespace

bool LooksLikePly(absl::string_view contents) {
  absl::string_view rest = contents.substr(0, 16);
  absl::string_view line = TakeLine(rest);
  return TakeToken(line) == "ply";
}

absl::StatusOr<Primitive> ParsePly(absl::string_view contents) {
  const absl::StatusOr<PlyHeader> header = ParsePlyHeader(contents);
  if (!header.ok()) return header.status();
  const absl::string_view body = contents.substr(header->bytes);
  if (header->encoding == PlyEncoding::kAscii) {
    return BodyReader(PlyAsciiSource(body, header->lines)).Read(*header);
  }
  return BodyReader(PlyBinarySource(body, header->encoding)).Read(*header);
}

}  // namespace warpyard::mesh_io
