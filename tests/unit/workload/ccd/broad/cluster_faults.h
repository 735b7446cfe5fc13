// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What must be true of the clusters of a scene, checked against the mesh itself.
#ifndef WARPYARD_TESTS_UNIT_WORKLOAD_CCD_BROAD_CLUSTER_FAULTS_H_
#define WARPYARD_TESTS_UNIT_WORKLOAD_CCD_BROAD_CLUSTER_FAULTS_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/workload/ccd/job/cluster.h"
#include "core/workload/ccd/job/collision_job.h"
#include "tests/support/motion.h"

namespace warpyard::test_support {

/// The largest float not above a number, and the smallest one not below it.
inline float FloatBelow(double value) {
  float result = static_cast<float>(value);
  while (static_cast<double>(result) > value) result = std::nextafter(result, -HUGE_VALF);
  return result;
}
inline float FloatAbove(double value) { return -FloatBelow(-value); }

/// Six numbers: low, then high.
struct Extent {
  std::array<float, 3> low, high;

  Extent() {
    low.fill(std::numeric_limits<float>::infinity());
    high.fill(-std::numeric_limits<float>::infinity());
  }
  /// The extent of anything with `low` and `high`.
  template <class Corners>
  static Extent Of(const Corners& corners) {
    Extent extent;
    for (std::size_t k = 0; k < 3; ++k) {
      extent.low[k] = corners.low[k];
      extent.high[k] = corners.high[k];
    }
    return extent;
  }
  void Add(const Extent& other) {
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], other.low[k]);
      high[k] = std::max(high[k], other.high[k]);
    }
  }
  bool operator==(const Extent&) const = default;
};

/// Finds faults of clusters, given a scene and its mesh.
class ClusterFaults {
 public:
  ClusterFaults(const Motion& motion, const ccd::CollisionJob& job) : motion_(motion), job_(job) {}

  /// Faults of ArrangeClusters; empty when there are none.
  std::string OfArrangement() {
    const ccd::SceneView& scene = job_.scene;
    for (std::uint32_t cluster = 0; cluster < scene.Clusters(); ++cluster) {
      std::string fault = OfFeatures(cluster);
      if (fault.empty()) fault = OfVertices(cluster);
      if (!fault.empty()) return fault;
    }
    std::set<std::uint32_t> vertices(motion_.triangles.begin(), motion_.triangles.end());
    std::set<Pair> edges;
    for (std::uint32_t t = 0; t < motion_.Triangles(); ++t) {
      for (const Pair& side : SidesOf(t)) edges.insert(side);
    }
    if (faces_.size() != motion_.Triangles()) return "a face is in no cluster";
    if (edges_ != edges) return "an edge is in no cluster";
    if (vertices_ != vertices) return "a vertex is in no cluster";
    return "";
  }

  /// Faults of BoundClusters for a whole step, after ArrangeClusters.
  std::string OfWholeStep() const {
    const ccd::SceneView& scene = job_.scene;
    std::vector<Extent> vertices;
    for (std::uint32_t v = 0; v < scene.mesh.vertices; ++v) {
      const Path path = PathOf(v);
      vertices.emplace_back();
      for (std::size_t k = 0; k < 3; ++k) {
        vertices[v].low[k] = FloatBelow(std::min(path.start[k], path.end[k]));
        vertices[v].high[k] = FloatAbove(std::max(path.start[k], path.end[k]));
        if (scene.clusters.points[v].start[k] != static_cast<float>(path.start[k]) ||
            scene.clusters.points[v].end[k] != static_cast<float>(path.end[k])) {
          return "a vertex is not rounded to the nearest float";
        }
      }
    }
    const std::string fault = OfBoxes(vertices);
    return fault.empty() ? OfTree() : fault;
  }

  /// Faults of BoundClusters for a step that is examined until `time` < 1: boxes must be as large
  /// as the paths until then, except for roundings.
  std::string OfStepUntil(double time) const {
    const ccd::SceneView& scene = job_.scene;
    const std::vector<Extent> vertices = BoxesOfVertices();
    for (std::uint32_t v = 0; v < scene.mesh.vertices; ++v) {
      const Path path = PathOf(v);
      for (std::size_t k = 0; k < 3; ++k) {
        const double size = std::abs(path.start[k]) + std::abs(path.end[k]), slack = 0x1p-50 * size;
        const auto at = static_cast<double>(At(path, k, time));
        const double low = std::min(path.start[k], at), high = std::max(path.start[k], at);
        if (vertices[v].low[k] < FloatBelow(low - slack) ||
            vertices[v].high[k] > FloatAbove(high + slack)) {
          return "a box is too large";
        }
        const ccd::FloatPoint& point = scene.clusters.points[v];
        if (point.start[k] != static_cast<float>(path.start[k]) ||
            point.end[k] < FloatBelow(at - slack) || point.end[k] > FloatAbove(at + slack)) {
          return "a vertex in floats is somewhere else";
        }
      }
    }
    const std::string fault = OfBoxes(vertices);
    return fault.empty() ? OfTree() : fault;
  }

  /// The boxes of vertices from clusters' features; empty for vertices without a triangle.
  std::vector<Extent> BoxesOfVertices() const {
    std::vector<Extent> boxes(job_.scene.mesh.vertices);
    for (std::uint32_t cluster = 0; cluster < job_.scene.Clusters(); ++cluster) {
      const ccd::FeatureCounts counts = CountsOf(cluster);
      for (std::uint32_t i = counts.faces + counts.edges; i < counts.All(); ++i) {
        const ccd::Feature& feature = FeaturesOf(cluster)[i];
        boxes[feature.id] = Extent::Of(feature);
      }
    }
    return boxes;
  }

  /// Whether the box of each vertex of a triangle contains the vertex at a time.
  bool ContainAt(double time) const {
    const std::vector<Extent> vertices = BoxesOfVertices();
    for (const std::uint32_t v : motion_.triangles) {
      const Extent& box = vertices[v];
      const Path path = PathOf(v);
      for (std::size_t k = 0; k < 3; ++k) {
        const long double at = At(path, k, time);
        if (at < box.low[k] || at > box.high[k]) return false;
      }
    }
    return true;
  }

 private:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;
  struct Path {
    Vec3 start, end;
  };

  /// The three sides of a triangle, smaller vertex first.
  std::vector<Pair> SidesOf(std::uint32_t triangle) const {
    const std::uint32_t* v = motion_.triangles.data() + 3 * std::size_t{triangle};
    return {std::minmax(v[0], v[1]), std::minmax(v[1], v[2]), std::minmax(v[2], v[0])};
  }

  Pair EdgeOf(std::uint32_t id) const {
    const std::uint32_t* const ends = job_.scene.mesh.edge_vertices + 2 * std::size_t{id};
    return {ends[0], ends[1]};
  }

  Path PathOf(std::uint32_t vertex) const {
    const geometry::Vector3d& start = job_.step.start[vertex];
    const geometry::Vector3d& end = job_.step.end[vertex];
    return {{start.x, start.y, start.z}, {end.x, end.y, end.z}};
  }

  static long double At(const Path& path, std::size_t axis, double time) {
    const long double t = time, start = path.start[axis], end = path.end[axis];
    // The exact position lies between both ends, but the rounded one may not.
    return std::clamp((1 - t) * start + t * end, std::min(start, end), std::max(start, end));
  }

  ccd::FeatureCounts CountsOf(std::uint32_t cluster) const {
    return ccd::UnpackCounts(job_.scene.clusters.spans[cluster].counts);
  }
  const ccd::Feature* FeaturesOf(std::uint32_t cluster) const {
    return job_.scene.clusters.features + job_.scene.clusters.spans[cluster].first;
  }

  /// Records the features of a cluster. They must be new, belong to its triangles, and be in order.
  std::string OfFeatures(std::uint32_t cluster) {
    const ccd::SceneView& scene = job_.scene;
    const ccd::FeatureCounts counts = CountsOf(cluster);
    const std::uint32_t first = cluster * ccd::kClusterTriangles;
    if (counts.faces != std::min(scene.mesh.triangles - first, ccd::kClusterTriangles)) {
      return "a cluster has the wrong number of triangles";
    }
    if (counts.All() > ccd::kClusterFeatures) return "a cluster has too many features";
    std::set<std::pair<Pair, std::uint32_t>> sides;  // with the groups of their triangles
    std::set<Pair> corners;
    const ccd::Feature* feature = FeaturesOf(cluster);
    for (std::uint32_t i = 0; i < counts.faces; ++i, ++feature) {
      if (feature->id != scene.order.leaves[first + i].id)
        return "faces are not in the order of leaves";
      if (!faces_.insert(feature->id).second) return "a face is in two places";
      const std::uint32_t* const v = motion_.triangles.data() + 3 * std::size_t{feature->id};
      if (feature->group != GroupOf(v[0])) return "a face has the wrong group";
      for (const Pair& side : SidesOf(feature->id)) sides.insert({side, feature->group});
      for (std::size_t k = 0; k < 3; ++k) corners.insert({v[k], feature->group});
    }
    for (std::uint32_t i = 0; i < counts.edges; ++i, ++feature) {
      if (feature->id >= scene.mesh.edges) return "an edge is none";
      const Pair edge = EdgeOf(feature->id);
      if (sides.count({edge, feature->group}) == 0) return "an edge is not of its cluster";
      if (!edges_.insert(edge).second) return "an edge is in two places";
    }
    for (std::uint32_t i = 0; i < counts.vertices; ++i, ++feature) {
      if (corners.count({feature->id, feature->group}) == 0)
        return "a vertex is not of its cluster";
      if (!vertices_.insert(feature->id).second) return "a vertex is in two places";
    }
    return "";
  }

  /// Checks the list of a cluster's vertices, and the places in it that its features have.
  std::string OfVertices(std::uint32_t cluster) const {
    const ccd::SceneView& scene = job_.scene;
    const ccd::FeatureCounts counts = CountsOf(cluster);
    const std::uint32_t* const list =
        scene.clusters.vertices + std::size_t{cluster} * ccd::kClusterVertices;
    const std::uint32_t* const list_end = list + ccd::kClusterVertices;
    const std::uint32_t* const end = std::find(list, list_end, kNoIndex);
    if (std::count(end, list_end, kNoIndex) != list_end - end) return "a list has a gap";
    const std::set<std::uint32_t> listed(list, end);
    if (listed.size() != static_cast<std::size_t>(end - list)) return "a vertex is listed twice";
    std::set<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < counts.faces; ++i) {
      const std::uint32_t* const v =
          motion_.triangles.data() + 3 * std::size_t{FeaturesOf(cluster)[i].id};
      expected.insert(v, v + 3);
    }
    if (listed != expected) return "a list is not of the vertices of the cluster's triangles";
    for (std::uint32_t i = 0; i < counts.All(); ++i) {
      const ccd::FeatureCorners packed =
          scene.clusters.corners[scene.clusters.spans[cluster].first + i];
      std::set<std::uint32_t> corners;
      for (std::uint32_t k = 0; k < 3; ++k) corners.insert(list[ccd::CornerOf(packed, k)]);
      if (corners != VerticesOf(cluster, i)) return "a feature has the corners of another";
    }
    return "";
  }

  std::set<std::uint32_t> VerticesOf(std::uint32_t cluster, std::uint32_t i) const {
    const ccd::FeatureCounts counts = CountsOf(cluster);
    const std::uint32_t id = FeaturesOf(cluster)[i].id;
    if (i < counts.faces) {
      const std::uint32_t* const v = motion_.triangles.data() + 3 * std::size_t{id};
      return {v[0], v[1], v[2]};
    }
    if (i < counts.faces + counts.edges) return {EdgeOf(id).first, EdgeOf(id).second};
    return {id};
  }

  std::uint32_t GroupOf(std::uint32_t vertex) const {
    return motion_.vertex_groups.empty() ? 0 : motion_.vertex_groups[vertex];
  }

  /// The boxes of features, computed from those of vertices.
  std::string OfBoxes(const std::vector<Extent>& vertices) const {
    const ccd::SceneView& scene = job_.scene;
    for (std::uint32_t cluster = 0; cluster < scene.Clusters(); ++cluster) {
      const ccd::FeatureCounts counts = CountsOf(cluster);
      Extent all;
      for (std::uint32_t i = 0; i < counts.All(); ++i) {
        const ccd::Feature& feature = FeaturesOf(cluster)[i];
        Extent box;
        for (const std::uint32_t v : VerticesOf(cluster, i)) box.Add(vertices[v]);
        if (!(Extent::Of(feature) == box)) return "a feature's box does not fit";
        all.Add(box);
      }
      if (!(Extent::Of(scene.clusters.tree.boxes[cluster]) == all))
        return "a cluster's box does not fit";
    }
    return "";
  }

  std::string OfTree() const {
    const ccd::ClusterTree& tree = job_.scene.clusters.tree;
    if (std::any_of(tree.arrivals, tree.arrivals + tree.first[tree.levels],
                    [](std::uint32_t count) { return count != 0; })) {
      return "an arrival is left behind";
    }
    if (tree.first[0] != 0 || tree.Count(0) != job_.scene.Clusters()) return "level 0 is wrong";
    if (tree.Count(tree.levels - 1) > ccd::kTreeArity) return "the top has too many boxes";
    for (std::uint32_t level = 1; level < tree.levels; ++level) {
      const std::uint32_t below = tree.Count(level - 1);
      if (tree.Count(level) != (below + ccd::kTreeArity - 1) / ccd::kTreeArity) {
        return "a level has the wrong number of boxes";
      }
      for (std::uint32_t i = 0; i < tree.Count(level); ++i) {
        Extent all;
        for (std::uint32_t c = i * ccd::kTreeArity; c < std::min(below, (i + 1) * ccd::kTreeArity);
             ++c) {
          all.Add(Extent::Of(tree.boxes[tree.first[level - 1] + c]));
        }
        if (!(Extent::Of(tree.boxes[tree.first[level] + i]) == all)) {
          return "a node's box does not fit";
        }
      }
    }
    return "";
  }

  const Motion& motion_;
  const ccd::CollisionJob& job_;
  std::set<std::uint32_t> faces_, vertices_;
  std::set<Pair> edges_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_WORKLOAD_CCD_BROAD_CLUSTER_FAULTS_H_
