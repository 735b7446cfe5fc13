// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify_model.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "client_examples/mesh_io/join.h"

namespace warpyard::cli {
namespace {

using mesh_io::Primitive;
using mesh_io::RawAttribute;

constexpr char kRemedy[] = "; --attributes drop joins all primitives and keeps positions only";

template <class Number>
std::vector<Number> NumbersOf(const std::string& bytes) {
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
  return numbers;
}

/// Whether the `width` numbers of two vertices are the same, or there are none.
template <class Number>
bool AreSame(const std::vector<Number>& values, std::size_t width, std::size_t a, std::size_t b) {
  if (values.empty()) return true;
  const auto at = [&](std::size_t v) {
    return values.begin() + static_cast<std::ptrdiff_t>(v * width);
  };
  return std::equal(at(a), at(a + 1), at(b));
}

bool AreSame(const std::vector<RawAttribute>& attributes, std::size_t a, std::size_t b) {
  return std::all_of(attributes.begin(), attributes.end(), [&](const RawAttribute& attribute) {
    return AreSame(attribute.bytes, attribute.element_bytes, a, b);
  });
}

bool HaveSameAttributes(const Primitive& primitive, std::size_t a, std::size_t b) {
  return AreSame(primitive.normals.values, 3, a, b) && AreSame(primitive.colours.values, 4, a, b) &&
         std::all_of(primitive.uvs.begin(), primitive.uvs.end(),
                     [&](const auto& uvs) { return AreSame(uvs.values, 2, a, b); }) &&
         AreSame(primitive.others, a, b) &&
         std::all_of(primitive.morph_targets.begin(), primitive.morph_targets.end(),
                     [&](const auto& target) { return AreSame(target, a, b); });
}

/// The first two vertices at one position whose attributes differ.
std::optional<std::array<std::size_t, 2>> FindSeam(const Primitive& primitive) {
  absl::flat_hash_map<std::array<double, 3>, std::size_t> first;
  for (std::size_t v = 0; v < primitive.Vertices(); ++v) {
    const double* const p = &primitive.positions[3 * v];
    // Adding 0 makes -0 and 0 the same key, as they are the same place.
    const auto [found, is_new] = first.try_emplace({p[0] + 0.0, p[1] + 0.0, p[2] + 0.0}, v);
    if (!is_new && !HaveSameAttributes(primitive, found->second, v)) return {{found->second, v}};
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<mesh_io::Model> DropAttributes(const mesh_io::Model& model) {
  absl::StatusOr<Primitive> joined = mesh_io::JoinPrimitives(model);
  if (!joined.ok()) return joined.status();
  Primitive bare;
  bare.positions = std::move(joined->positions);
  bare.positions_are_float = joined->positions_are_float;
  bare.triangles = std::move(joined->triangles);
  mesh_io::Model out;
  out.meshes.push_back({"", {std::move(bare)}});
  return out;
}

absl::StatusOr<Primitive*> OnlyPrimitive(mesh_io::Model& model) {
  std::vector<Primitive*> primitives;
  for (mesh_io::ModelMesh& mesh : model.meshes) {
    for (Primitive& primitive : mesh.primitives) primitives.push_back(&primitive);
  }
  if (primitives.size() != 1) {
    return absl::FailedPreconditionError(
        absl::StrCat(primitives.size(), " primitives, expected one", kRemedy));
  }
  Primitive* const only = primitives[0];
  if (!only->pinned_by.empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        only->pinned_by, " may refer to single vertices, so it cannot be kept", kRemedy));
  }
  if (const auto seam = FindSeam(*only)) {
    return absl::FailedPreconditionError(
        absl::StrCat("there is a seam: vertices ", (*seam)[0], " and ", (*seam)[1],
                     " are at one position, with unlike attributes", kRemedy));
  }
  return only;
}

void SetMesh(const Primitive& primitive, v1::TriangleMesh& mesh) {
  v1::Positions& positions = *mesh.mutable_positions();
  const auto set = [&positions](const auto& numbers, v1::ScalarType scalar_type) {
    positions.set_scalar_type(scalar_type);
    positions.set_data(numbers.data(), numbers.size() * sizeof(numbers[0]));
  };
  const std::vector<double>& all = primitive.positions;
  if (primitive.positions_are_float) {
    set(std::vector<float>(all.begin(), all.end()), v1::SCALAR_TYPE_FLOAT32);
  } else {
    set(all, v1::SCALAR_TYPE_FLOAT64);
  }
  std::vector<std::uint32_t> triangles;
  triangles.reserve(primitive.triangles.size());
  for (std::size_t i = 0; i + 2 < primitive.triangles.size(); i += 3) {
    const std::uint32_t* const c = &primitive.triangles[i];
    if (c[0] == c[1] || c[1] == c[2] || c[0] == c[2]) continue;
    triangles.insert(triangles.end(), c, c + 3);
  }
  mesh.set_triangles(triangles.data(), triangles.size() * sizeof(triangles[0]));
}

absl::Status ReplaceBy(const v1::SimplifyResponse& response, Primitive& primitive) {
  mesh_io::NewGeometry geometry;
  geometry.triangles = NumbersOf<std::uint32_t>(response.mesh().triangles());
  geometry.source_vertices = NumbersOf<std::uint32_t>(response.source_vertices());
  if (geometry.triangles.empty()) {
    return absl::InvalidArgumentError("no triangle is left, so there is nothing to write");
  }
  if (response.origin_size() != 3) {
    return absl::InvalidArgumentError("the response has no origin");
  }
  const auto positions = NumbersOf<float>(response.mesh().positions().data());
  geometry.positions.resize(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    geometry.positions[i] = response.origin(static_cast<int>(i % 3)) + positions[i];
  }
  return mesh_io::ReplaceGeometry(geometry, primitive);
}

}  // namespace warpyard::cli
