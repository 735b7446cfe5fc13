// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/join.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace warpyard::mesh_io {
namespace {

using Matrix = std::array<double, 16>;

// A few nodes can name a mesh many times, so a small file could ask for any amount of memory.
constexpr std::size_t kMostCopies = 1'000;

// Element (row, column) of the cofactors of the upper left 3 x 3: what normals are transformed by,
// but for their length.
double Cofactor(const Matrix& m, std::size_t row, std::size_t column) {
  const std::size_t r1 = (row + 1) % 3;
  const std::size_t r2 = (row + 2) % 3;
  const std::size_t c1 = (column + 1) % 3;
  const std::size_t c2 = (column + 2) % 3;
  return m[4 * c1 + r1] * m[4 * c2 + r2] - m[4 * c2 + r1] * m[4 * c1 + r2];
}

double Determinant(const Matrix& m) {
  return m[0] * Cofactor(m, 0, 0) + m[1] * Cofactor(m, 1, 0) + m[2] * Cofactor(m, 2, 0);
}

void TransformNormals(const Matrix& m, std::vector<float>& normals) {
  // A reflection turns normals round, as it turns the triangles round.
  const double sign = Determinant(m) < 0 ? -1 : 1;
  for (std::size_t i = 0; i + 2 < normals.size(); i += 3) {
    std::array<double, 3> turned{};
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 3; ++column) {
        turned[row] += sign * Cofactor(m, row, column) * static_cast<double>(normals[i + column]);
      }
    }
    const double length = std::hypot(turned[0], turned[1], turned[2]);
    for (std::size_t row = 0; row < 3 && length > 0 && std::isfinite(length); ++row) {
      normals[i + row] = static_cast<float>(turned[row] / length);
    }
  }
}

absl::Status Transform(const Matrix& m, Primitive& primitive) {
  std::vector<double>& p = primitive.positions;
  for (std::size_t i = 0; i < p.size(); i += 3) {
    const std::array<double, 3> old = {p[i], p[i + 1], p[i + 2]};
    for (std::size_t row = 0; row < 3; ++row) {
      const double value =
          m[row] * old[0] + m[4 + row] * old[1] + m[8 + row] * old[2] + m[12 + row];
      p[i + row] =
          primitive.positions_are_float ? static_cast<double>(static_cast<float>(value)) : value;
      if (!std::isfinite(p[i + row])) {
        return absl::InvalidArgumentError("a transformed coordinate is not finite");
      }
    }
  }
  TransformNormals(m, primitive.normals.values);
  if (Determinant(m) < 0) {
    for (std::size_t i = 0; i + 2 < primitive.triangles.size(); i += 3) {
      std::swap(primitive.triangles[i + 1], primitive.triangles[i + 2]);
    }
  }
  return absl::OkStatus();
}

std::size_t Vertices(const ModelMesh& mesh) {
  std::size_t vertices = 0;
  for (const Primitive& primitive : mesh.primitives) vertices += primitive.Vertices();
  return vertices;
}

absl::Status CheckCopies(const Model& model) {
  std::size_t vertices = 0;
  for (const ModelMesh& mesh : model.meshes) vertices += Vertices(mesh);
  std::size_t copied = 0;
  for (const Instance& instance : model.instances) copied += Vertices(model.meshes[instance.mesh]);
  if (copied > kMostCopies * vertices) {
    return absl::InvalidArgumentError(absl::StrCat("the scene shows ", copied,
                                                   " vertices, more than ", kMostCopies,
                                                   " times as many as its ", "meshes have"));
  }
  if (std::max(copied, vertices) > std::numeric_limits<std::uint32_t>::max()) {
    return absl::InvalidArgumentError("too many vertices for one mesh");
  }
  return absl::OkStatus();
}

void Append(const FloatAttribute& attribute, FloatAttribute& out) {
  out.values.insert(out.values.end(), attribute.values.begin(), attribute.values.end());
}

// Appends a primitive to one that has no vertices or the same attributes.
void Append(const Primitive& primitive, Primitive& out) {
  const auto base = static_cast<std::uint32_t>(out.Vertices());
  out.positions.insert(out.positions.end(), primitive.positions.begin(), primitive.positions.end());
  for (const std::uint32_t index : primitive.triangles) out.triangles.push_back(base + index);
  if (!out.normals.values.empty()) Append(primitive.normals, out.normals);
  if (!out.colours.values.empty()) Append(primitive.colours, out.colours);
  if (!out.uvs.empty()) Append(primitive.uvs[0], out.uvs[0]);
  out.positions_are_float &= primitive.positions_are_float;
  out.colours_are_opaque &= primitive.colours_are_opaque;
}

// Removes from `out` the attributes that `primitive` does not have.
void KeepCommon(const Primitive& primitive, Primitive& out) {
  if (primitive.normals.values.empty()) out.normals.values.clear();
  if (primitive.colours.values.empty()) out.colours.values.clear();
  out.uvs.resize(std::min({out.uvs.size(), primitive.uvs.size(), std::size_t{1}}));
  if (out.colours.storage != primitive.colours.storage) out.colours.storage = {};
}

}  // namespace

absl::StatusOr<Model> ApplyInstances(const Model& model) {
  if (absl::Status status = CheckCopies(model); !status.ok()) return status;
  if (model.instances.empty()) return model;
  Model out;
  out.material_names = model.material_names;
  out.material_libraries = model.material_libraries;
  for (const Instance& instance : model.instances) {
    out.meshes.push_back(model.meshes[instance.mesh]);
    for (Primitive& primitive : out.meshes.back().primitives) {
      if (absl::Status status = Transform(instance.transform, primitive); !status.ok()) {
        return status;
      }
    }
  }
  return out;
}

absl::StatusOr<Primitive> JoinPrimitives(const Model& model) {
  const absl::StatusOr<Model> placed = ApplyInstances(model);
  if (!placed.ok()) return placed.status();
  std::vector<const Primitive*> parts;
  for (const ModelMesh& mesh : placed->meshes) {
    for (const Primitive& primitive : mesh.primitives) {
      // A primitive without vertices has no attributes, and takes none from the others.
      if (primitive.Vertices() > 0) parts.push_back(&primitive);
    }
  }
  if (parts.empty()) return absl::InvalidArgumentError("there are no triangles");
  Primitive out = *parts[0];
  out.others.clear();
  out.morph_targets.clear();
  for (const Primitive* const part : parts) KeepCommon(*part, out);
  for (std::size_t i = 1; i < parts.size(); ++i) Append(*parts[i], out);
  return out;
}

}  // namespace warpyard::mesh_io
