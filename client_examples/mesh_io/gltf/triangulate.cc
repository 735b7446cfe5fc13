// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_io/gltf/triangulate.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client_examples/mesh_io/polygons.h"

namespace warpyard::mesh_io {
namespace {

template <class T>
std::vector<std::uint32_t> LoadIndices(const AccessorView& view) {
  std::vector<std::uint32_t> indices(view.count);
  for (std::size_t i = 0; i < view.count; ++i) indices[i] = LoadLittleEndian<T>(view.Element(i));
  return indices;
}

}  // namespace

absl::StatusOr<std::vector<std::uint32_t>> ReadIndices(const AccessorView& view,
                                                       std::size_t vertices) {
  std::vector<std::uint32_t> indices;
  const ComponentType type = view.storage.component;
  if (view.type == "SCALAR" && type == ComponentType::kUint8) {
    indices = LoadIndices<std::uint8_t>(view);
  } else if (view.type == "SCALAR" && type == ComponentType::kUint16) {
    indices = LoadIndices<std::uint16_t>(view);
  } else if (view.type == "SCALAR" && type == ComponentType::kUint32) {
    indices = LoadIndices<std::uint32_t>(view);
  } else {
    return absl::InvalidArgumentError("indices must be unsigned integers");
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] >= vertices) {
      return absl::InvalidArgumentError(absl::StrCat("index ", i, ": vertex ", indices[i],
                                                     " does not exist, there are ", vertices));
    }
  }
  return indices;
}

absl::StatusOr<std::vector<std::uint32_t>> Triangulate(TriangleMode mode,
                                                       std::vector<std::uint32_t> corners) {
  const bool is_list = mode == TriangleMode::kList;
  if (is_list ? corners.size() % 3 != 0 : corners.size() < 3) {
    return absl::InvalidArgumentError(
        absl::StrCat(corners.size(), " corners make no ", is_list ? "triangles" : "strip or fan"));
  }
  if (is_list) return corners;
  std::vector<std::uint32_t> triangles;
  if (mode == TriangleMode::kStrip) {
    AppendStrip(corners, triangles);
    return triangles;
  }
  for (std::size_t i = 2; i < corners.size(); ++i) {
    // The order of glTF, whose fans keep their first corner last.
    AppendProper(corners[i - 1], corners[i], corners[0], triangles);
  }
  return triangles;
}

std::vector<std::uint32_t> TakeUsedVertices(std::size_t vertices,
                                            std::vector<std::uint32_t>& corners) {
  std::vector<std::uint32_t> used;
  if (vertices > 4 * corners.size()) {
    used = corners;
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (std::uint32_t& corner : corners) {
      corner = static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), corner) -
                                          used.begin());
    }
    return used;
  }
  constexpr std::uint32_t kUnused = 0;
  std::vector<std::uint32_t> numbers(vertices, kUnused);
  for (const std::uint32_t corner : corners) numbers[corner] = 1;
  for (std::size_t vertex = 0; vertex < vertices; ++vertex) {
    if (numbers[vertex] == kUnused) continue;
    numbers[vertex] = static_cast<std::uint32_t>(used.size());
    used.push_back(static_cast<std::uint32_t>(vertex));
  }
  for (std::uint32_t& corner : corners) corner = numbers[corner];
  return used;
}

}  // namespace warpyard::mesh_io
