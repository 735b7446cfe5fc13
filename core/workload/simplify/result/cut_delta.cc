// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/result/cut_delta.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"

namespace warpyard::simplify {
namespace {

using Triple = std::array<std::uint32_t, 3>;
/// The rows of vertices by their ids.
using Vertices = absl::flat_hash_map<std::uint32_t, std::size_t>;
using Triangles = absl::flat_hash_set<Triple>;

Triple TripleOf(const SimplifiedMesh& mesh, std::size_t triangle) {
  const std::uint32_t* const corners = &mesh.triangles[3 * triangle];
  return {mesh.ids[corners[0]], mesh.ids[corners[1]], mesh.ids[corners[2]]};
}

std::size_t CountTriangles(const SimplifiedMesh& mesh) { return mesh.triangles.size() / 3; }

Triangles TriplesOf(const SimplifiedMesh& mesh) {
  Triangles triples;
  triples.reserve(CountTriangles(mesh));
  for (std::size_t t = 0; t < CountTriangles(mesh); ++t) triples.insert(TripleOf(mesh, t));
  return triples;
}

/// The triangles, by ids, that are not among some others.
std::vector<std::uint32_t> TrianglesWithout(const SimplifiedMesh& mesh, const Triangles& others) {
  std::vector<std::uint32_t> left;
  for (std::size_t t = 0; t < CountTriangles(mesh); ++t) {
    const Triple triple = TripleOf(mesh, t);
    if (!others.contains(triple)) left.insert(left.end(), triple.begin(), triple.end());
  }
  return left;
}

Vertices VerticesOf(const SimplifiedMesh& mesh) {
  Vertices vertices;
  vertices.reserve(mesh.ids.size());
  for (std::size_t v = 0; v < mesh.ids.size(); ++v) vertices.emplace(mesh.ids[v], v);
  return vertices;
}

/// Whether rows of two tables are equal, bit by bit. @shape width: numbers a row
template <class T>
bool IsSame(const ResultList<T>& a, std::size_t i, const ResultList<T>& b, std::size_t j,
            std::size_t width) {
  return width == 0 || std::memcmp(&a[i * width], &b[j * width], width * sizeof(T)) == 0;
}

/// Leaves the rows of a table of some vertices. @shape width: numbers a vertex
template <class T>
void KeepRows(const std::vector<bool>& keeps, std::size_t width, ResultList<T>& values) {
  if (values.empty()) return;
  std::size_t end = 0;
  for (std::size_t v = 0; v < keeps.size(); ++v) {
    if (!keeps[v]) continue;
    for (std::size_t k = 0; k < width; ++k) values[end++] = values[v * width + k];
  }
  values.resize(end);
}

}  // namespace

void KeepDifference(const SimplifiedMesh& previous, SimplifiedMesh& mesh) {
  const Vertices before = VerticesOf(previous), now = VerticesOf(mesh);
  CutDelta delta;
  for (const std::uint32_t id : previous.ids) {
    if (!now.contains(id)) delta.removed_vertices.push_back(id);
  }
  delta.removed_triangles = TrianglesWithout(previous, TriplesOf(mesh));
  const std::vector<std::uint32_t> added = TrianglesWithout(mesh, TriplesOf(previous));
  mesh.triangles.assign(added.begin(), added.end());
  const std::size_t vertices = mesh.ids.size();
  const std::size_t channels = vertices == 0 ? 0 : mesh.attributes.size() / vertices;
  std::vector<bool> keeps(vertices);
  for (std::size_t v = 0; v < vertices; ++v) {
    const auto old = before.find(mesh.ids[v]);
    keeps[v] = old == before.end() ||
               !IsSame(mesh.positions, v, previous.positions, old->second, 3) ||
               !IsSame(mesh.attributes, v, previous.attributes, old->second, channels) ||
               !IsSame(mesh.sources, v, previous.sources, old->second, 1);
  }
  KeepRows(keeps, 3, mesh.positions);
  KeepRows(keeps, 1, mesh.sources);
  KeepRows(keeps, channels, mesh.attributes);
  KeepRows(keeps, 1, mesh.groups);
  KeepRows(keeps, 1, mesh.ids);
  mesh.delta = std::move(delta);
}

}  // namespace warpyard::simplify
