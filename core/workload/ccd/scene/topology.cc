// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/topology.h"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cstddef>

namespace warpyard::ccd {
namespace {

/// A side of a triangle, and the key of its undirected edge (larger vertex << 32 | smaller).
struct Side {
  std::uint64_t key;
  std::uint32_t triangle;
  std::uint32_t side;

  friend bool operator<(const Side& a, const Side& b) {
    return a.key != b.key ? a.key < b.key : a.triangle < b.triangle;
  }
};

std::vector<Side> SortedSides(const std::vector<Triangle>& triangles) {
  std::vector<Side> sides(3 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (std::uint32_t k = 0; k < 3; ++k) {
      const std::uint32_t a = triangles[t].vertex[k], b = triangles[t].vertex[(k + 1) % 3];
      sides[3 * t + k] = {std::uint64_t{std::max(a, b)} << 32 | std::min(a, b),
                          static_cast<std::uint32_t>(t), k};
    }
  }
  tbb::parallel_sort(sides.begin(), sides.end());
  return sides;
}

void NumberEdges(Topology& topology) {
  const std::vector<Side> sides = SortedSides(topology.triangles);
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Side& side = sides[i];
    Triangle& triangle = topology.triangles[side.triangle];
    if (i == 0 || sides[i - 1].key != side.key) {
      topology.edge_vertices.push_back(static_cast<std::uint32_t>(side.key));
      topology.edge_vertices.push_back(static_cast<std::uint32_t>(side.key >> 32));
      triangle.owned |= 1u << (3 + side.side);
    }
    triangle.edge[side.side] = topology.EdgeCount() - 1;
  }
}

}  // namespace

Topology BuildTopology(std::span<const std::uint32_t> triangles, std::uint32_t vertices) {
  Topology topology;
  topology.triangles.resize(triangles.size() / 3);
  std::vector<bool> owned(vertices, false);
  for (std::uint32_t t = 0; t < topology.triangles.size(); ++t) {
    Triangle& triangle = topology.triangles[t];
    triangle = {};
    triangle.id = t;
    for (std::uint32_t k = 0; k < 3; ++k) {
      const std::uint32_t v = triangles[3 * std::size_t{t} + k];
      triangle.vertex[k] = v;
      if (!owned[v]) triangle.owned |= 1u << k;
      owned[v] = true;
    }
  }
  NumberEdges(topology);
  return topology;
}

Topology InstancesOf(const Topology& world, std::uint32_t vertices, std::uint32_t worlds) {
  const auto triangles = static_cast<std::uint32_t>(world.triangles.size());
  Topology all;
  all.triangles.reserve(std::size_t{triangles} * worlds);
  all.edge_vertices.reserve(world.edge_vertices.size() * worlds);
  for (std::uint32_t w = 0; w < worlds; ++w) {
    for (Triangle triangle : world.triangles) {
      for (int k = 0; k < 3; ++k) {
        triangle.vertex[k] += w * vertices;
        triangle.edge[k] += w * world.EdgeCount();
      }
      triangle.id += w * triangles;
      all.triangles.push_back(triangle);
    }
    for (const std::uint32_t vertex : world.edge_vertices) {
      all.edge_vertices.push_back(vertex + w * vertices);
    }
  }
  return all;
}

}  // namespace warpyard::ccd
