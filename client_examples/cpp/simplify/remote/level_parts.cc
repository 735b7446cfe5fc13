// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/remote/level_parts.h"

#include "absl/strings/str_cat.h"

namespace warpyard::cli {
namespace {

v1::SimplifyResponse ToResponse(v1::LevelHeader& header) {
  v1::SimplifyResponse level;
  level.mutable_mesh()->mutable_positions()->set_scalar_type(v1::SCALAR_TYPE_FLOAT32);
  level.mutable_statistics()->Swap(header.mutable_statistics());
  level.mutable_origin()->Swap(header.mutable_origin());
  level.mutable_attributes()->Swap(header.mutable_attributes());
  return level;
}

/// The list of a level that a part continues; null if there is none.
std::string* ListOf(const v1::SimplifyLevelPart& part, v1::SimplifyResponse& level) {
  switch (part.part_case()) {
    case v1::SimplifyLevelPart::kPositions:
      return level.mutable_mesh()->mutable_positions()->mutable_data();
    case v1::SimplifyLevelPart::kTriangles:
      return level.mutable_mesh()->mutable_triangles();
    case v1::SimplifyLevelPart::kSourceVertices:
      return level.mutable_source_vertices();
    case v1::SimplifyLevelPart::kVertexGroups:
      return level.mutable_mesh()->mutable_vertex_groups();
    case v1::SimplifyLevelPart::kAttributeValues: {
      const std::uint32_t attribute = part.attribute_values().attribute();
      if (attribute >= static_cast<std::uint32_t>(level.attributes_size())) return nullptr;
      return level.mutable_attributes(static_cast<int>(attribute))->mutable_values();
    }
    default:
      return nullptr;
  }
}

const std::string& BytesOf(const v1::SimplifyLevelPart& part) {
  switch (part.part_case()) {
    case v1::SimplifyLevelPart::kPositions:
      return part.positions();
    case v1::SimplifyLevelPart::kTriangles:
      return part.triangles();
    case v1::SimplifyLevelPart::kSourceVertices:
      return part.source_vertices();
    case v1::SimplifyLevelPart::kVertexGroups:
      return part.vertex_groups();
    default:
      return part.attribute_values().values();
  }
}

}  // namespace

absl::Status AddPart(v1::SimplifyLevelPart part, std::vector<v1::SimplifyResponse>& levels) {
  if (part.has_header() && part.level() == levels.size()) {
    levels.push_back(ToResponse(*part.mutable_header()));
    return absl::OkStatus();
  }
  const bool is_of_last = !levels.empty() && part.level() == levels.size() - 1;
  std::string* const list = is_of_last ? ListOf(part, levels.back()) : nullptr;
  if (list == nullptr) {
    return absl::InternalError(
        absl::StrCat("the server sent an unexpected part of level ", part.level()));
  }
  list->append(BytesOf(part));
  return absl::OkStatus();
}

}  // namespace warpyard::cli
