// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/gltf/primitive_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "client_examples/mesh_io/gltf/triangulate.h"
#include "client_examples/mesh_io/text.h"

namespace warpyard::mesh_io {
namespace {

constexpr absl::string_view kDraco = "KHR_draco_mesh_compression";

// Extensions of a primitive that name no single vertices.
constexpr std::array<absl::string_view, 3> kHarmless = {
    "KHR_materials_variants", "EXT_mesh_features", "EXT_structural_metadata"};

absl::Status At(absl::string_view place, const absl::Status& error) {
  return absl::Status(error.code(), absl::StrCat(place, ": ", error.message()));
}

absl::Status CheckType(const AccessorView& view, absl::string_view type) {
  if (view.storage.component == ComponentType::kUint32) {
    return absl::InvalidArgumentError("integers of 32 bits, which floats do not hold");
  }
  if (view.type == type) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("type ", view.type, ", expected ", type));
}

absl::Status CheckExtensions(const Json& json, const std::string& place, Primitive& primitive) {
  const Json* const extensions = FindMember(json, "extensions");
  if (extensions == nullptr || !extensions->is_object()) return absl::OkStatus();
  for (const auto& item : extensions->items()) {
    if (item.key() == kDraco) {
      return absl::UnimplementedError(
          absl::StrCat(place, ": compressed by ", kDraco, ", which is not supported"));
    }
    if (std::find(kHarmless.begin(), kHarmless.end(), item.key()) == kHarmless.end()) {
      primitive.pinned_by = absl::StrCat(place, ": extension ", Quoted(item.key()));
    }
  }
  return absl::OkStatus();
}

// "TEXCOORD_0" where a primitive has no set of texture coordinates so far.
std::string NextUvSet(const Primitive& primitive) {
  return absl::StrCat("TEXCOORD_", primitive.uvs.size());
}

}  // namespace

bool IsTriangles(const Json& primitive) {
  Fields fields(primitive, "");
  const std::uint64_t mode = fields.Unsigned("mode", 4);
  return mode >= 4 && mode <= 6;
}

absl::StatusOr<Primitive> PrimitiveReader::Read(const Json& json, const std::string& place) {
  Primitive primitive;
  if (absl::Status status = CheckExtensions(json, place, primitive); !status.ok()) return status;
  Fields fields(json, place);
  if (const auto material = fields.Index("material")) {
    primitive.material = static_cast<std::uint32_t>(*material);
  }
  if (!fields.status().ok()) return fields.status();
  const Json* const attributes = FindMember(json, "attributes");
  const Json* const position =
      attributes == nullptr ? nullptr : FindMember(*attributes, "POSITION");
  if (position == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(place, ": there is no attribute POSITION"));
  }
  vertices_ = 0;
  const absl::StatusOr<AccessorView> positions = OpenAttribute("POSITION", *position);
  if (!positions.ok()) return At(place, positions.status());
  vertices_ = positions->count;
  absl::Status status = ReadTriangles(json, vertices_, primitive);
  if (status.ok()) status = ReadAttributes(*attributes, primitive);
  if (status.ok()) status = ReadMorphTargets(json, primitive);
  if (!status.ok()) return At(place, status);
  return primitive;
}

absl::Status PrimitiveReader::ReadTriangles(const Json& json, std::size_t vertices,
                                            Primitive& primitive) {
  Fields fields(json, "indices");
  const auto mode = static_cast<TriangleMode>(fields.Unsigned("mode", 4));
  const std::optional<std::size_t> accessor = fields.Index("indices");
  if (!fields.status().ok()) return fields.status();
  absl::StatusOr<AccessorView> view = AccessorView{};
  if (accessor) view = accessors_.Open(*accessor);
  if (!view.ok()) return view.status();
  // Corners, and the triangles of a strip.
  const std::size_t corners = accessor ? view->count : vertices;
  absl::Status status = budget_.Take(corners, 4 * sizeof(std::uint32_t));
  if (!status.ok()) return status;
  std::vector<std::uint32_t> indices;
  if (accessor) {
    absl::StatusOr<std::vector<std::uint32_t>> read = ReadIndices(*view, vertices);
    if (!read.ok()) return At(absl::StrCat("accessors[", *accessor, "]"), read.status());
    indices = *std::move(read);
  } else {
    indices.resize(corners);
    std::iota(indices.begin(), indices.end(), 0u);
  }
  absl::StatusOr<std::vector<std::uint32_t>> triangles = Triangulate(mode, std::move(indices));
  if (!triangles.ok()) return triangles.status();
  primitive.triangles = *std::move(triangles);
  used_ = TakeUsedVertices(vertices, primitive.triangles);
  return absl::OkStatus();
}

absl::StatusOr<AccessorView> PrimitiveReader::OpenAttribute(const std::string& name,
                                                            const Json& accessor) {
  if (!accessor.is_number_unsigned()) {
    return absl::InvalidArgumentError(absl::StrCat(Quoted(name), " names no accessor"));
  }
  absl::StatusOr<AccessorView> view = accessors_.Open(accessor.get<std::size_t>());
  if (!view.ok()) return At(Quoted(name), view.status());
  if (vertices_ != 0 && view->count != vertices_) {
    return absl::InvalidArgumentError(
        absl::StrCat(Quoted(name), " has ", view->count, " elements, POSITION ", vertices_));
  }
  return view;
}

template <class T>
absl::StatusOr<std::vector<T>> PrimitiveReader::Gather(const AccessorView& view,
                                                       std::size_t width) {
  if (absl::Status status = budget_.Take(used_.size(), width * sizeof(T)); !status.ok()) {
    return status;
  }
  std::vector<T> values(used_.size() * width, T{1});
  const std::size_t components = view.layout.components;
  bool all_finite = true;
  VisitComponent(view.storage.component, [&](auto zero) {
    using Stored = decltype(zero);
    for (std::size_t vertex = 0; vertex < used_.size(); ++vertex) {
      const char* const element = view.Element(used_[vertex]);
      for (std::size_t i = 0; i < components; ++i) {
        const auto stored = LoadLittleEndian<Stored>(element + i * sizeof(Stored));
        const double value = FromStored(stored, view.storage.normalized);
        all_finite &= std::isfinite(value);
        values[vertex * width + i] = static_cast<T>(value);
      }
    }
  });
  if (!all_finite) return absl::InvalidArgumentError("a number is not finite");
  return values;
}

absl::StatusOr<RawAttribute> PrimitiveReader::GatherRaw(const std::string& name,
                                                        const AccessorView& view) {
  const std::size_t bytes = view.layout.bytes;
  if (absl::Status status = budget_.Take(used_.size(), bytes); !status.ok()) return status;
  RawAttribute attribute{name, view.storage, view.type, bytes, {}};
  attribute.bytes.resize(used_.size() * bytes);
  for (std::size_t vertex = 0; vertex < used_.size(); ++vertex) {
    std::copy_n(view.Element(used_[vertex]), bytes, attribute.bytes.data() + vertex * bytes);
  }
  for (std::size_t at = 0;
       view.storage.component == ComponentType::kFloat32 && at < attribute.bytes.size();
       at += sizeof(float)) {
    if (!std::isfinite(LoadLittleEndian<float>(attribute.bytes.data() + at))) {
      return absl::InvalidArgumentError("a number is not finite");
    }
  }
  return attribute;
}

absl::Status PrimitiveReader::ReadAttributes(const Json& attributes, Primitive& primitive) {
  const auto gather = [&](const AccessorView& view, std::size_t width, FloatAttribute& out) {
    absl::StatusOr<std::vector<float>> values = Gather<float>(view, width);
    if (values.ok()) out = {*std::move(values), view.storage};
    return values.status();
  };
  // By name, so that sets of texture coordinates come in their order.
  std::map<std::string, const Json*> sorted;
  for (const auto& item : attributes.items()) sorted.emplace(item.key(), &item.value());
  for (const auto& [name, accessor] : sorted) {
    absl::StatusOr<AccessorView> view = OpenAttribute(name, *accessor);
    if (!view.ok()) return view.status();
    absl::Status status;
    if (name == "POSITION") {
      status = CheckType(*view, "VEC3");
      absl::StatusOr<std::vector<double>> values;
      if (status.ok()) values = Gather<double>(*view, 3);
      status.Update(values.status());
      if (status.ok()) primitive.positions = *std::move(values);
      primitive.position_storage = view->storage;
      primitive.positions_are_float = true;
    } else if (name == "NORMAL") {
      status = CheckType(*view, "VEC3");
      if (status.ok()) status = gather(*view, 3, primitive.normals);
    } else if (name == NextUvSet(primitive)) {
      status = CheckType(*view, "VEC2");
      if (status.ok()) status = gather(*view, 2, primitive.uvs.emplace_back());
    } else if (name == "COLOR_0") {
      primitive.colours_are_opaque = view->type == "VEC3";
      status = CheckType(*view, primitive.colours_are_opaque ? "VEC3" : "VEC4");
      if (status.ok()) status = gather(*view, 4, primitive.colours);
    } else {
      absl::StatusOr<RawAttribute> raw = GatherRaw(name, *view);
      status = raw.status();
      if (status.ok()) primitive.others.push_back(*std::move(raw));
    }
    if (!status.ok()) return At(Quoted(name), status);
  }
  return absl::OkStatus();
}

absl::Status PrimitiveReader::ReadMorphTargets(const Json& json, Primitive& primitive) {
  Fields fields(json, "targets");
  const Json& targets = fields.Array("targets");
  if (!fields.status().ok()) return fields.status();
  for (const Json& target : targets) {
    const std::string place = absl::StrCat("targets[", primitive.morph_targets.size(), "]");
    std::vector<RawAttribute>& attributes = primitive.morph_targets.emplace_back();
    if (!target.is_object()) return absl::InvalidArgumentError(place + " is not an object");
    for (const auto& item : target.items()) {
      const absl::StatusOr<AccessorView> view = OpenAttribute(item.key(), item.value());
      if (!view.ok()) return At(place, view.status());
      absl::StatusOr<RawAttribute> raw = GatherRaw(item.key(), *view);
      if (!raw.ok()) return At(place, At(Quoted(item.key()), raw.status()));
      attributes.push_back(*std::move(raw));
    }
  }
  return absl::OkStatus();
}

}  // namespace warpyard::mesh_io
