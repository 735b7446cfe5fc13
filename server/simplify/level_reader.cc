// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/simplify/level_reader.h"

#include <string>
#include <utility>

namespace warpyard::server {
namespace {

/// The lists of a mesh in their order; attributes follow from kAttributes on.
enum : int { kPositions, kTriangles, kSources, kGroups, kAttributes };

constexpr std::size_t kBytesPerVertex = 12, kBytesPerTriangle = 12;

}  // namespace

LevelReader::LevelReader(std::uint32_t level, v1::SimplifyResponse mesh)
    : level_(level), mesh_(std::move(mesh)) {}

int LevelReader::lists() const { return kAttributes + mesh_.attributes_size(); }

const std::string& LevelReader::List() const {
  switch (list_) {
    case kPositions:
      return mesh_.mesh().positions().data();
    case kTriangles:
      return mesh_.mesh().triangles();
    case kSources:
      return mesh_.source_vertices();
    case kGroups:
      return mesh_.mesh().vertex_groups();
    default:
      return mesh_.attributes(list_ - kAttributes).values();
  }
}

v1::SimplifyLevelPart LevelReader::Next(std::size_t most_bytes) {
  if (list_ < 0) return Header();
  v1::SimplifyLevelPart part;
  part.set_level(level_);
  std::string bytes = List().substr(begin_, most_bytes);
  begin_ += bytes.size();
  switch (list_) {
    case kPositions:
      part.set_positions(std::move(bytes));
      break;
    case kTriangles:
      part.set_triangles(std::move(bytes));
      break;
    case kSources:
      part.set_source_vertices(std::move(bytes));
      break;
    case kGroups:
      part.set_vertex_groups(std::move(bytes));
      break;
    default: {
      v1::AttributeValues& values = *part.mutable_attribute_values();
      values.set_attribute(static_cast<std::uint32_t>(list_ - kAttributes));
      values.set_values(std::move(bytes));
    }
  }
  SkipEmpty();
  return part;
}

v1::SimplifyLevelPart LevelReader::Header() {
  v1::SimplifyLevelPart part;
  part.set_level(level_);
  v1::LevelHeader& header = *part.mutable_header();
  header.mutable_statistics()->Swap(mesh_.mutable_statistics());
  header.mutable_origin()->Swap(mesh_.mutable_origin());
  const v1::TriangleMesh& mesh = mesh_.mesh();
  header.set_vertices(static_cast<std::uint32_t>(mesh.positions().data().size() / kBytesPerVertex));
  header.set_triangles(static_cast<std::uint32_t>(mesh.triangles().size() / kBytesPerTriangle));
  header.set_has_groups(!mesh.vertex_groups().empty());
  for (const v1::VertexAttribute& attribute : mesh_.attributes()) {
    v1::VertexAttribute& without_values = *header.add_attributes();
    without_values.set_name(attribute.name());
    without_values.set_kind(attribute.kind());
    without_values.set_components(attribute.components());
    if (attribute.has_weight()) without_values.set_weight(attribute.weight());
  }
  list_ = 0;
  SkipEmpty();
  return part;
}

void LevelReader::SkipEmpty() {
  while (!done() && begin_ == List().size()) {
    ++list_;
    begin_ = 0;
  }
}

}  // namespace warpyard::server
