// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_measure/triangle_tree.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include "core/workload/ccd/narrow/closest_points.h"

namespace warpyard::mesh_measure {
namespace {

constexpr std::uint32_t kLeafTriangles = 4;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vector3d Least(const Vector3d& a, const Vector3d& b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}

Vector3d Greatest(const Vector3d& a, const Vector3d& b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

double SquaredDistanceOfTriangle(const Corners& corners, const Vector3d& point) {
  const Vector3d offset = ccd::PointTriangleOffset(point, corners[0], corners[1], corners[2]);
  return Dot(offset, offset);
}

/// The axis along which the points spread most, as a member of a vector.
double Vector3d::*LongestAxis(const std::vector<Vector3d>& points,
                              const std::vector<std::uint32_t>& order, std::uint32_t begin,
                              std::uint32_t end) {
  Vector3d low = points[order[begin]], high = low;
  for (std::uint32_t i = begin; i < end; ++i) {
    low = Least(low, points[order[i]]);
    high = Greatest(high, points[order[i]]);
  }
  const Vector3d side = high - low;
  if (side.x >= side.y && side.x >= side.z) return &Vector3d::x;
  return side.y >= side.z ? &Vector3d::y : &Vector3d::z;
}

}  // namespace

TriangleTree::TriangleTree(const MeshView& mesh)
    : corners_(mesh.Triangles()), triangles_(mesh.Triangles()), slot_of_(mesh.Triangles()) {
  const auto count = static_cast<std::uint32_t>(mesh.Triangles());
  std::vector<Vector3d> centroids(count);
  for (std::uint32_t t = 0; t < count; ++t) {
    corners_[t] = mesh.CornersOf(t);
    centroids[t] = (1.0 / 3) * (corners_[t][0] + corners_[t][1] + corners_[t][2]);
  }
  std::iota(triangles_.begin(), triangles_.end(), 0u);
  Build(centroids, 0, count);
  for (std::uint32_t slot = 0; slot < count; ++slot) {
    corners_[slot] = mesh.CornersOf(triangles_[slot]);
    slot_of_[triangles_[slot]] = slot;
  }
}

TriangleTree::Box TriangleTree::BoundsOf(std::uint32_t begin, std::uint32_t end) const {
  Box box{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
  for (std::uint32_t i = begin; i < end; ++i) {
    for (const Vector3d& corner : corners_[triangles_[i]]) {
      box.low = Least(box.low, corner);
      box.high = Greatest(box.high, corner);
    }
  }
  return box;
}

void TriangleTree::Build(const std::vector<Vector3d>& centroids, std::uint32_t begin,
                         std::uint32_t end) {
  const std::size_t node = nodes_.size();
  nodes_.push_back({BoundsOf(begin, end), begin, end - begin});
  if (end - begin <= kLeafTriangles) return;
  double Vector3d::*const axis = LongestAxis(centroids, triangles_, begin, end);
  const std::uint32_t middle = begin + (end - begin) / 2;
  // Equal centroids are ordered by index, so that every standard library builds the same tree.
  std::nth_element(triangles_.begin() + begin, triangles_.begin() + middle,
                   triangles_.begin() + end, [&](std::uint32_t a, std::uint32_t b) {
                     const double left = centroids[a].*axis, right = centroids[b].*axis;
                     return left != right ? left < right : a < b;
                   });
  Build(centroids, begin, middle);
  nodes_[node].begin = static_cast<std::uint32_t>(nodes_.size());
  nodes_[node].count = 0;
  Build(centroids, middle, end);
}

double TriangleTree::SquaredDistance(const Box& box, const Vector3d& point) {
  const Vector3d outside = Greatest(Greatest(box.low - point, point - box.high), Vector3d{0, 0, 0});
  return Dot(outside, outside);
}

NearestTriangle TriangleTree::Nearest(const Vector3d& point, std::uint32_t hint) const {
  NearestTriangle best{hint, SquaredDistanceOfTriangle(CornersOf(hint), point)};
  struct Waiting {
    std::uint32_t node;
    double squared_distance;
  };
  // Halving gives at most 32 levels, and each leaves at most one node waiting.
  Waiting stack[64];
  int waiting = 0;
  stack[waiting++] = {0, SquaredDistance(nodes_[0].box, point)};
  while (waiting > 0) {
    const Waiting top = stack[--waiting];
    if (top.squared_distance >= best.squared_distance) continue;
    const Node& node = nodes_[top.node];
    for (std::uint32_t slot = node.begin; slot < node.begin + node.count; ++slot) {
      const double squared = SquaredDistanceOfTriangle(corners_[slot], point);
      if (squared < best.squared_distance) best = {triangles_[slot], squared};
    }
    if (node.count > 0) continue;
    Waiting near{top.node + 1, SquaredDistance(nodes_[top.node + 1].box, point)};
    Waiting far{node.begin, SquaredDistance(nodes_[node.begin].box, point)};
    if (far.squared_distance < near.squared_distance) std::swap(near, far);
    stack[waiting++] = far;
    stack[waiting++] = near;
  }
  return best;
}

}  // namespace warpyard::mesh_measure
