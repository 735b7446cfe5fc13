// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_measure/mesh_topology.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

namespace warpyard::mesh_measure {
namespace {

/// Corners in ascending order, and whether sorting them kept the orientation.
struct ProperTriangle {
  std::array<std::uint32_t, 3> corners;
  bool kept;

  friend auto operator<=>(const ProperTriangle&, const ProperTriangle&) = default;
};

ProperTriangle Sorted(std::array<std::uint32_t, 3> corners) {
  std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
  const bool kept = corners[1] < corners[2];
  if (!kept) std::swap(corners[1], corners[2]);
  return {corners, kept};
}

/// Calls body(first, last) for each run of elements that `same` calls equal.
template <class T, class Same, class Body>
void ForEachRun(const std::vector<T>& sorted, const Same& same, const Body& body) {
  for (auto first = sorted.begin(); first != sorted.end();) {
    const auto last = std::find_if_not(first, sorted.end(),
                                       [&](const T& element) { return same(*first, element); });
    body(first, last);
    first = last;
  }
}

void CountRepeats(std::vector<ProperTriangle>& triangles, MeshTopology& topology) {
  std::sort(triangles.begin(), triangles.end());
  const auto same = [](const ProperTriangle& a, const ProperTriangle& b) {
    return a.corners == b.corners;
  };
  ForEachRun(triangles, same, [&](auto first, auto last) {
    const auto kept =
        std::count_if(first, last, [](const auto& triangle) { return triangle.kept; });
    const auto turned = (last - first) - kept;
    topology.fins += static_cast<std::uint64_t>(std::min(kept, turned));
    topology.duplicates += static_cast<std::uint64_t>(last - first - (kept > 0) - (turned > 0));
  });
}

void CountEdges(const std::vector<ProperTriangle>& triangles, MeshTopology& topology) {
  struct Edge {
    std::uint64_t ends;  // smaller index in the upper half
    bool ascending;      // the triangle runs from the smaller index to the greater
  };
  std::vector<Edge> edges;
  edges.reserve(3 * triangles.size());
  for (const auto& [corners, kept] : triangles) {
    const auto [a, b, c] = corners;
    edges.push_back({std::uint64_t{a} << 32 | b, kept});
    edges.push_back({std::uint64_t{b} << 32 | c, kept});
    edges.push_back({std::uint64_t{a} << 32 | c, !kept});
  }
  std::sort(edges.begin(), edges.end(),
            [](const Edge& a, const Edge& b) { return a.ends < b.ends; });
  const auto same = [](const Edge& a, const Edge& b) { return a.ends == b.ends; };
  ForEachRun(edges, same, [&](auto first, auto last) {
    ++topology.edges;
    topology.border_edges += last - first == 1;
    topology.non_manifold_edges += last - first > 2;
    topology.misoriented_edges += last - first == 2 && first->ascending == (first + 1)->ascending;
  });
}

/// The representative of a vertex's set; shortens the way for later calls.
std::uint32_t Find(std::vector<std::uint32_t>& parents, std::uint32_t vertex) {
  while (parents[vertex] != vertex) {
    parents[vertex] = parents[parents[vertex]];
    vertex = parents[vertex];
  }
  return vertex;
}

void CountParts(const std::vector<ProperTriangle>& triangles, std::size_t vertices,
                MeshTopology& topology) {
  std::vector<std::uint32_t> parents(vertices);
  std::iota(parents.begin(), parents.end(), 0u);
  std::vector<bool> used(vertices, false);
  for (const ProperTriangle& triangle : triangles) {
    for (const std::uint32_t corner : triangle.corners) {
      used[corner] = true;
      parents[Find(parents, corner)] = Find(parents, triangle.corners[0]);
    }
  }
  for (std::uint32_t vertex = 0; vertex < vertices; ++vertex) {
    topology.vertices += used[vertex];
    topology.components += used[vertex] && parents[vertex] == vertex;
  }
  topology.unused_vertices = vertices - topology.vertices;
}

}  // namespace

absl::StatusOr<MeshTopology> CountTopology(const MeshView& mesh) {
  if (const absl::Status status = CheckMesh(mesh); !status.ok()) return status;
  MeshTopology topology;
  topology.triangles = mesh.Triangles();
  std::vector<ProperTriangle> proper;
  proper.reserve(mesh.Triangles());
  for (std::size_t t = 0; t < mesh.Triangles(); ++t) {
    const std::uint32_t* corner = &mesh.triangles[3 * t];
    if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) {
      ++topology.repeated_corners;
      continue;
    }
    proper.push_back(Sorted({corner[0], corner[1], corner[2]}));
    const Vector3d normal = NormalOf(mesh.CornersOf(t));
    topology.zero_area += normal.x == 0 && normal.y == 0 && normal.z == 0;
  }
  CountRepeats(proper, topology);
  CountEdges(proper, topology);
  CountParts(proper, mesh.Vertices(), topology);
  topology.euler_characteristic = static_cast<std::int64_t>(topology.vertices) -
                                  static_cast<std::int64_t>(topology.edges) +
                                  static_cast<std::int64_t>(proper.size());
  return topology;
}

}  // namespace warpyard::mesh_measure
