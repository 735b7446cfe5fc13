// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace warpyard::mesh_io {
namespace {

template <class T>
absl::Status CheckValues(const std::vector<T>& values, std::size_t wanted, absl::string_view name) {
  if (values.size() != wanted) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": ", values.size(), " numbers, expected ", wanted));
  }
  const auto bad =
      std::find_if(values.begin(), values.end(), [](T value) { return !std::isfinite(value); });
  if (bad != values.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": number ", bad - values.begin(), " is not finite"));
  }
  return absl::OkStatus();
}

// Checks numbers that may be left out.
template <class T>
absl::Status CheckOptional(const std::vector<T>& values, std::size_t wanted,
                           absl::string_view name) {
  return values.empty() ? absl::OkStatus() : CheckValues(values, wanted, name);
}

// Checks vertex indices, `per_item` of them for each `name`.
absl::Status CheckIndices(const std::vector<std::uint32_t>& indices, std::size_t limit,
                          absl::string_view name, std::size_t per_item) {
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] >= limit) {
      return absl::InvalidArgumentError(absl::StrCat(
          name, " ", i / per_item, ": vertex ", indices[i], " does not exist, there are ", limit));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckTriangles(const std::vector<std::uint32_t>& triangles, std::size_t vertices) {
  if (triangles.size() % 3 != 0) {
    return absl::InvalidArgumentError("positions and triangles must come in threes");
  }
  return CheckIndices(triangles, vertices, "triangle", 3);
}

absl::Status CheckNewGeometry(const NewGeometry& geometry, const Primitive& primitive) {
  const std::size_t vertices = geometry.source_vertices.size();
  if (geometry.uvs.size() > primitive.uvs.size() ||
      (!geometry.normals.empty() && primitive.normals.values.empty()) ||
      (!geometry.colours.empty() && primitive.colours.values.empty())) {
    return absl::InvalidArgumentError("the geometry brings an attribute that is not replaced");
  }
  absl::Status status =
      CheckIndices(geometry.source_vertices, primitive.Vertices(), "source vertex", 1);
  status.Update(CheckTriangles(geometry.triangles, vertices));
  status.Update(CheckOptional(geometry.positions, 3 * vertices, "positions"));
  status.Update(CheckOptional(geometry.normals, 3 * vertices, "normals"));
  status.Update(CheckOptional(geometry.colours, 4 * vertices, "colours"));
  for (const std::vector<float>& uvs : geometry.uvs) {
    status.Update(CheckOptional(uvs, 2 * vertices, "texture coordinates"));
  }
  if (primitive.positions_are_float &&
      std::any_of(geometry.positions.begin(), geometry.positions.end(), [](double value) {
        return std::abs(value) > std::numeric_limits<float>::max();
      })) {
    status.Update(absl::InvalidArgumentError("positions: a number is too large for a float"));
  }
  return status;
}

// The new values, or those of the source vertices: `width` of them a vertex.
template <class T>
void Replace(const std::vector<T>& replacement, const std::vector<std::uint32_t>& source_vertices,
             std::size_t width, std::vector<T>& values) {
  if (!replacement.empty()) {
    values = replacement;
    return;
  }
  if (values.empty()) return;
  std::vector<T> gathered(source_vertices.size() * width);
  for (std::size_t i = 0; i < source_vertices.size(); ++i) {
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(source_vertices[i] * width), width,
                gathered.begin() + static_cast<std::ptrdiff_t>(i * width));
  }
  values = std::move(gathered);
}

}  // namespace

absl::Status ReplaceGeometry(const NewGeometry& geometry, Primitive& primitive) {
  if (!primitive.pinned_by.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat(primitive.pinned_by, " may refer to single vertices, so it cannot be kept"));
  }
  if (absl::Status status = CheckNewGeometry(geometry, primitive); !status.ok()) return status;
  const std::vector<std::uint32_t>& sources = geometry.source_vertices;
  Replace(geometry.positions, sources, 3, primitive.positions);
  if (primitive.positions_are_float) {
    for (double& value : primitive.positions) value = static_cast<float>(value);
  }
  Replace(geometry.normals, sources, 3, primitive.normals.values);
  Replace(geometry.colours, sources, 4, primitive.colours.values);
  for (std::size_t set = 0; set < primitive.uvs.size(); ++set) {
    const std::vector<float> none;
    Replace(set < geometry.uvs.size() ? geometry.uvs[set] : none, sources, 2,
            primitive.uvs[set].values);
  }
  for (RawAttribute& attribute : primitive.others) {
    Replace({}, sources, attribute.element_bytes, attribute.bytes);
  }
  for (std::vector<RawAttribute>& target : primitive.morph_targets) {
    for (RawAttribute& attribute : target) {
      Replace({}, sources, attribute.element_bytes, attribute.bytes);
    }
  }
  primitive.triangles = geometry.triangles;
  return absl::OkStatus();
}

absl::Status CheckPrimitive(const Primitive& primitive) {
  const std::size_t vertices = primitive.Vertices();
  if (primitive.positions.size() % 3 != 0) {
    return absl::InvalidArgumentError("positions and triangles must come in threes");
  }
  absl::Status status = CheckValues(primitive.positions, 3 * vertices, "positions");
  status.Update(CheckTriangles(primitive.triangles, vertices));
  status.Update(CheckOptional(primitive.normals.values, 3 * vertices, "normals"));
  status.Update(CheckOptional(primitive.colours.values, 4 * vertices, "colours"));
  for (const FloatAttribute& uvs : primitive.uvs) {
    status.Update(CheckValues(uvs.values, 2 * vertices, "texture coordinates"));
  }
  const auto check_raw = [&](const RawAttribute& attribute) {
    if (attribute.bytes.size() != attribute.element_bytes * vertices) {
      status.Update(absl::InvalidArgumentError(
          absl::StrCat(attribute.name, ": ", attribute.bytes.size(), " bytes, expected ",
                       attribute.element_bytes * vertices)));
    }
  };
  std::for_each(primitive.others.begin(), primitive.others.end(), check_raw);
  for (const std::vector<RawAttribute>& target : primitive.morph_targets) {
    std::for_each(target.begin(), target.end(), check_raw);
  }
  return status;
}

bool AllAreFloats(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) {
    return static_cast<double>(static_cast<float>(value)) == value;
  });
}

}  // namespace warpyard::mesh_io
