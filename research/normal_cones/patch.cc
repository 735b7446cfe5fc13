// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "research/normal_cones/patch.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "core/workload/ccd/scene/topology.h"
#include "core/workload/geometry/bounds.h"
#include "core/workload/geometry/morton.h"

namespace warpyard::normal_cones {
namespace {

std::vector<Vector3d> ToVectors(std::span<const double> positions) {
  std::vector<Vector3d> vectors(positions.size() / 3);
  for (std::size_t v = 0; v < vectors.size(); ++v) {
    vectors[v] = {positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]};
  }
  return vectors;
}

std::array<Vector3d, 3> Corners(const std::vector<Vector3d>& at, const ccd::Triangle& triangle) {
  return {at[triangle.vertex[0]], at[triangle.vertex[1]], at[triangle.vertex[2]]};
}

/// Keys like those of ccd::ComputeKeys.
std::vector<std::uint64_t> SortedKeys(const std::vector<Vector3d>& at,
                                      const std::vector<ccd::Triangle>& triangles) {
  geometry::Box box = geometry::EmptyBox();
  for (const Vector3d& point : at) box = Union(box, geometry::SweptBox(point, point));
  float side = 0;
  for (int k = 0; k < 3; ++k) side = std::max(side, box.high[k] - box.low[k]);
  std::vector<std::uint64_t> keys;
  for (const ccd::Triangle& triangle : triangles) {
    const std::array<Vector3d, 3> corner = Corners(at, triangle);
    const Vector3d centre = (1.0 / 3.0) * (corner[0] + corner[1] + corner[2]);
    const std::uint32_t code =
        geometry::MortonCode(geometry::GridCell(static_cast<float>(centre.x), box.low[0], side),
                             geometry::GridCell(static_cast<float>(centre.y), box.low[1], side),
                             geometry::GridCell(static_cast<float>(centre.z), box.low[2], side));
    keys.push_back(std::uint64_t{code} << 32 | triangle.id);
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

/// Orders triangles by halves. Each part is ordered by the number of edges to cross from a triangle
/// at its rim. The first half of a connected part is connected.
class SurfaceOrder {
 public:
  explicit SurfaceOrder(const ccd::Topology& topology)
      : triangles_(topology.triangles),
        around_(topology.EdgeCount()),
        part_(triangles_.size(), 0),
        order_(triangles_.size()) {
    for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
      order_[t] = t;
      for (const std::uint32_t edge : triangles_[t].edge) around_[edge].push_back(t);
    }
    Halve(0, static_cast<std::uint32_t>(order_.size()));
  }

  const std::vector<std::uint32_t>& Ids() const { return order_; }

 private:
  void Halve(std::uint32_t begin, std::uint32_t end) {
    if (end - begin < 2) return;
    Spread(begin, end);  // ends at a triangle at the rim
    std::reverse(order_.begin() + begin, order_.begin() + end);
    Spread(begin, end);
    const std::uint32_t middle = begin + std::bit_floor(end - begin - 1);
    Halve(begin, middle);
    Halve(middle, end);
  }

  /// Orders a part by the distance from its first triangle.
  void Spread(std::uint32_t begin, std::uint32_t end) {
    const std::uint32_t here = ++parts_, done = ++parts_;
    const std::vector<std::uint32_t> part(order_.begin() + begin, order_.begin() + end);
    for (const std::uint32_t t : part) part_[t] = here;
    std::uint32_t filled = begin, next = begin;
    const auto put = [&](std::uint32_t t) {
      if (part_[t] != here) return;
      part_[t] = done;
      order_[filled++] = t;
    };
    for (const std::uint32_t seed : part) {
      put(seed);
      for (; next < filled; ++next) {
        for (const std::uint32_t edge : triangles_[order_[next]].edge) {
          for (const std::uint32_t t : around_[edge]) put(t);
        }
      }
    }
  }

  const std::vector<ccd::Triangle>& triangles_;
  std::vector<std::vector<std::uint32_t>> around_;  // triangles of each edge
  std::vector<std::uint32_t> part_;
  std::vector<std::uint32_t> order_;
  std::uint32_t parts_ = 0;
};

/// A side of a triangle of a patch.
struct Side {
  std::uint32_t edge;
  ContourEdge vertices;

  friend bool operator<(const Side& a, const Side& b) { return a.edge < b.edge; }
};

/// Sets of vertices that are connected.
class ConnectedVertices {
 public:
  explicit ConnectedVertices(std::vector<std::uint32_t> vertices) : vertices_(std::move(vertices)) {
    std::sort(vertices_.begin(), vertices_.end());
    vertices_.erase(std::unique(vertices_.begin(), vertices_.end()), vertices_.end());
    sets_ = vertices_.size();
    for (std::size_t i = 0; i < sets_; ++i) parent_.push_back(i);
  }

  void Connect(std::uint32_t a, std::uint32_t b) {
    const std::size_t root_a = Root(a), root_b = Root(b);
    if (root_a == root_b) return;
    parent_[root_a] = root_b;
    --sets_;
  }

  std::size_t Sets() const { return sets_; }

 private:
  std::size_t Root(std::uint32_t vertex) {
    auto at = static_cast<std::size_t>(
        std::lower_bound(vertices_.begin(), vertices_.end(), vertex) - vertices_.begin());
    while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
    return at;
  }

  std::vector<std::uint32_t> vertices_;
  std::vector<std::size_t> parent_;
  std::size_t sets_ = 0;
};

}  // namespace

OrderedMesh OrderMesh(std::span<const double> start, std::span<const double> end,
                      std::span<const std::uint32_t> triangles, Order order) {
  OrderedMesh mesh;
  mesh.start = ToVectors(start);
  mesh.end = ToVectors(end);
  const ccd::Topology topology =
      ccd::BuildTopology(triangles, static_cast<std::uint32_t>(mesh.start.size()));
  for (std::size_t e = 0; e < topology.EdgeCount(); ++e) {
    mesh.edges.push_back({topology.edge_vertices[2 * e], topology.edge_vertices[2 * e + 1]});
  }
  std::vector<std::uint32_t> ids;
  if (order == Order::kMorton) {
    mesh.keys = SortedKeys(mesh.start, topology.triangles);
    for (const std::uint64_t key : mesh.keys) ids.push_back(static_cast<std::uint32_t>(key));
  } else {
    ids = SurfaceOrder(topology).Ids();
  }
  for (const std::uint32_t id : ids) {
    const ccd::Triangle& triangle = topology.triangles[id];
    mesh.triangles.push_back(triangle);
    mesh.normals.push_back(
        MovingNormalOf(Corners(mesh.start, triangle), Corners(mesh.end, triangle)));
  }
  return mesh;
}

Surface SurfaceOf(const OrderedMesh& mesh, const Patch& patch) {
  std::vector<Side> sides;
  std::vector<std::uint32_t> vertices;
  for (const Range& range : patch) {
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      const ccd::Triangle& triangle = mesh.triangles[i];
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t from = triangle.vertex[k], to = triangle.vertex[(k + 1) % 3];
        sides.push_back({triangle.edge[k], {from, to}});
        vertices.push_back(from);
      }
    }
  }
  std::sort(sides.begin(), sides.end());
  ConnectedVertices connected(std::move(vertices));
  Surface surface;
  bool is_manifold = true;
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t next = i + 1;
    while (next < sides.size() && sides[next].edge == sides[i].edge) ++next;
    connected.Connect(sides[i].vertices[0], sides[i].vertices[1]);
    if (next == i + 1) surface.contour.push_back(sides[i].vertices);
    is_manifold &= next <= i + 2 && sides[i].vertices[0] != sides[i].vertices[1];
    is_manifold &= next != i + 2 || sides[i].vertices[0] == sides[i + 1].vertices[1];
    i = next;
  }
  surface.is_connected = is_manifold && connected.Sets() == 1;
  return surface;
}

std::optional<Vector3d> DirectionOf(const OrderedMesh& mesh, const Patch& patch) {
  std::vector<MovingNormal> normals;
  for (const Range& range : patch) {
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      if (!mesh.normals[i]) return std::nullopt;
      normals.push_back(*mesh.normals[i]);
    }
  }
  return CommonDirection(normals);
}

}  // namespace warpyard::normal_cones
