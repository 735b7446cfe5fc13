// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "research/normal_cones/study.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <optional>

#include "core/workload/ccd/job/cluster.h"
#include "core/workload/ccd/methods/features/feature_expansion.h"
#include "core/workload/ccd/narrow/float_filter.h"
#include "core/workload/ccd/narrow/separation.h"
#include "core/workload/geometry/bounds.h"

namespace warpyard::normal_cones {
namespace {

/// What normal cones prove about a patch.
struct Certificate {
  bool has_cone = false;  ///< and is connected
  ContourResult contour;
};

/// Tests a patch with normal cones. @shape direction: as of CommonDirection
Certificate Certify(const OrderedMesh& mesh, const Surface& surface,
                    const std::optional<Vector3d>& direction) {
  Certificate certificate;
  certificate.has_cone = direction && surface.is_connected;
  if (!certificate.has_cone) return certificate;
  certificate.contour = TestContour(surface.contour, mesh.start, mesh.end, *direction);
  return certificate;
}

struct Node {
  Range range{};
  std::uint32_t child[2] = {0, 0};  ///< none: a leaf
  geometry::Box box{};
  geometry::Box start_box{}, end_box{};  ///< of leaves
  bool is_connected = false;
  bool has_direction = false;                   ///< of all its triangles, connected or not
  std::vector<std::uint32_t> contour_vertices;  ///< ascending
  Certificate certificate;

  bool IsLeaf() const { return child[0] == child[1]; }
};

std::uint32_t SizeClass(std::uint32_t triangles) {
  return static_cast<std::uint32_t>(std::bit_width(triangles - 1));
}

/// A binary tree over a mesh; children come before their parents.
class Tree {
 public:
  Tree(const OrderedMesh& mesh, Leaves leaves) : mesh_(mesh), leaves_(leaves) {
    for (std::size_t v = 0; v < mesh.start.size(); ++v) {
      vertex_boxes_.push_back(geometry::SweptBox(mesh.start[v], mesh.end[v]));
    }
    for (const ccd::Triangle& triangle : mesh.triangles) {
      ccd::TriangleBoxes boxes{};
      boxes.triangle = triangle;
      for (std::size_t k = 0; k < 3; ++k) boxes.vertex[k] = vertex_boxes_[triangle.vertex[k]];
      for (std::size_t k = 0; k < 3; ++k) {
        boxes.edge[k] = Union(boxes.vertex[k], boxes.vertex[(k + 1) % 3]);
      }
      boxes.face = Union(boxes.edge[0], boxes.vertex[2]);
      triangles_.push_back(boxes);
    }
    root_ = Build({0, static_cast<std::uint32_t>(mesh.triangles.size())});
  }

  const std::vector<Node>& Nodes() const { return nodes_; }
  std::uint32_t Root() const { return root_; }
  const ccd::TriangleBoxes& Triangle(std::uint32_t place) const { return triangles_[place]; }

 private:
  std::uint32_t Build(const Range& range) {
    Node node;
    node.range = range;
    if (const std::uint32_t middle = SplitOf(range); middle != range.end) {
      node.child[0] = Build({range.begin, middle});
      node.child[1] = Build({middle, range.end});
      const Node &left = nodes_[node.child[0]], &right = nodes_[node.child[1]];
      node.box = Union(left.box, right.box);
      node.has_direction = left.has_direction && right.has_direction;
    } else {
      node.has_direction = true;
      node.box = geometry::EmptyBox();
      for (std::uint32_t i = range.begin; i < range.end; ++i) {
        node.box = Union(node.box, triangles_[i].face);
      }
      node.start_box = BoxAt(mesh_.start, range);
      node.end_box = BoxAt(mesh_.end, range);
    }
    Prove(node);
    nodes_.push_back(std::move(node));
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  geometry::Box BoxAt(const std::vector<Vector3d>& positions, const Range& range) const {
    geometry::Box box = geometry::EmptyBox();
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      for (const std::uint32_t v : mesh_.triangles[i].vertex) {
        box = Union(box, geometry::SweptBox(positions[v], positions[v]));
      }
    }
    return box;
  }

  /// The place where a range is divided; its end: it is not divided.
  std::uint32_t SplitOf(const Range& range) const {
    const std::uint32_t leaf = leaves_ == Leaves::kClusters ? ccd::kClusterTriangles : 1;
    if (range.Size() <= leaf) return range.end;
    if (leaves_ == Leaves::kClusters || mesh_.keys.empty()) {
      return range.begin + std::bit_floor(range.Size() - 1);
    }
    const std::uint64_t first = mesh_.keys[range.begin], last = mesh_.keys[range.end - 1];
    const std::uint64_t bit = std::bit_floor(first ^ last);
    const auto begin = mesh_.keys.begin();
    const auto middle = std::partition_point(begin + range.begin, begin + range.end,
                                             [&](std::uint64_t key) { return (key & bit) == 0; });
    return static_cast<std::uint32_t>(middle - begin);
  }

  void Prove(Node& node) const {
    const Surface surface = SurfaceOf(mesh_, {node.range});
    for (const ContourEdge& edge : surface.contour) {
      node.contour_vertices.insert(node.contour_vertices.end(), edge.begin(), edge.end());
    }
    std::vector<std::uint32_t>& vertices = node.contour_vertices;
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    node.is_connected = surface.is_connected;
    if (!node.has_direction) return;  // a part of it has no direction either
    const std::optional<Vector3d> direction = DirectionOf(mesh_, {node.range});
    node.has_direction = direction.has_value();
    node.certificate = Certify(mesh_, surface, direction);
  }

  const OrderedMesh& mesh_;
  const Leaves leaves_;
  std::vector<geometry::Box> vertex_boxes_;
  std::vector<ccd::TriangleBoxes> triangles_;
  std::vector<Node> nodes_;
  std::uint32_t root_ = 0;
};

/// The filters of a step by clusters.
class Filters {
 public:
  Filters(const OrderedMesh& mesh, float near) : mesh_(mesh) {
    double largest = 0;
    for (std::size_t v = 0; v < mesh.start.size(); ++v) {
      const Vector3d &a = mesh.start[v], &b = mesh.end[v];
      for (const double value : {a.x, a.y, a.z, b.x, b.y, b.z}) {
        largest = std::max(largest, std::fabs(value));
      }
      points_.push_back(ccd::RoundedPoint(a, b));
    }
    margins_ = {geometry::RoundUp(largest) * 0x1p-22f + 1e-36f, near};
  }

  /// Counts a candidate in each stage that it reaches.
  void Count(const ccd::TaggedPair& pair, const ccd::Triangle& face, Work& work) const {
    const ccd::PairIds ids = pair.Ids();
    const bool edges = pair.Kind() == ccd::PairKind::kEdgeEdge;
    const std::array<std::uint32_t, 4> v =
        edges ? std::array{mesh_.edges[ids.a][0], mesh_.edges[ids.a][1], mesh_.edges[ids.b][0],
                           mesh_.edges[ids.b][1]}
              : std::array{ids.a, face.vertex[0], face.vertex[1], face.vertex[2]};
    const ccd::FloatPoint* const points[4] = {&points_[v[0]], &points_[v[1]], &points_[v[2]],
                                              &points_[v[3]]};
    ++work.candidates;
    if (ccd::ApartOnAnyAxis(pair.Kind(), points, margins_.OfCoordinates())) return;
    ++work.near;
    work.survivors += !ccd::ApartInFloats(pair.Kind(), points, margins_);
  }

  /// The first filter, applied to two leaves as a whole. Their boxes are rounded outward.
  bool AreApart(const Node& a, const Node& b) const {
    const float margin = margins_.near;
    for (int k = 0; k < 3; ++k) {
      if (b.start_box.low[k] - a.start_box.high[k] > margin &&
          b.end_box.low[k] - a.end_box.high[k] > margin) {
        return true;
      }
      if (a.start_box.low[k] - b.start_box.high[k] > margin &&
          a.end_box.low[k] - b.end_box.high[k] > margin) {
        return true;
      }
    }
    return false;
  }

 private:
  const OrderedMesh& mesh_;
  std::vector<ccd::FloatPoint> points_;
  ccd::FloatMargins margins_{};
};

Work operator+(const Work& a, const Work& b) {
  return {a.visits + b.visits,
          a.leaf_pairs + b.leaf_pairs,
          a.candidates + b.candidates,
          a.near + b.near,
          a.survivors + b.survivors,
          a.apart_leaf_pairs + b.apart_leaf_pairs,
          a.apart_candidates + b.apart_candidates};
}

Savings operator+(const Savings& a, const Savings& b) {
  return {a.by_cones + b.by_cones,
          a.proved + b.proved,
          a.net + b.net,
          a.net_of_near_pairs + b.net_of_near_pairs,
          a.patches + b.patches,
          a.contours + b.contours,
          a.simple + b.simple,
          a.contour_pairs + b.contour_pairs,
          a.near_contour_pairs + b.near_contour_pairs};
}

/// The pairs below a pair of nodes.
struct Below {
  Work all;
  Savings by_nodes;
  Savings by_pairs;
};

class Traversal {
 public:
  Traversal(const OrderedMesh& mesh, const Tree& tree, float near)
      : mesh_(mesh), tree_(tree), nodes_(tree.Nodes()), filters_(mesh, near) {}

  StudyResult Run() const {
    const Below below = Visit(tree_.Root(), tree_.Root());
    return {below.all, below.by_nodes, below.by_pairs, Levels()};
  }

 private:
  std::vector<Level> Levels() const {
    std::vector<Level> levels(SizeClass(nodes_[tree_.Root()].range.Size()) + 1);
    for (std::size_t i = 0; i < levels.size(); ++i) levels[i].most_triangles = 1u << i;
    for (const Node& node : nodes_) {
      Level& level = levels[SizeClass(node.range.Size())];
      ++level.nodes;
      level.connected += node.is_connected;
      level.cones += node.certificate.has_cone;
      level.simple += node.certificate.contour.is_simple;
    }
    return levels;
  }

  Below Visit(std::uint32_t a, std::uint32_t b) const {
    const Node &first = nodes_[a], &second = nodes_[b];
    Below below;
    if (a != b && !geometry::Overlap(first.box, second.box)) {
      below.all.visits = 1;
      return below;
    }
    if (first.IsLeaf() && second.IsLeaf()) {
      below.all = MeetLeaves(first, second);
    } else {
      below = Descend(a, b);
    }
    ++below.all.visits;
    if (a == b && first.range.Size() > 1) {
      Take(first.certificate, below.all, below.by_nodes);
      Take(first.certificate, below.all, below.by_pairs);
    } else if (a != b && HaveCommonVertex(first, second)) {
      Take(CertificateOf(first, second), below.all, below.by_pairs);
    }
    return below;
  }

  Below Descend(std::uint32_t a, std::uint32_t b) const {
    const Node &first = nodes_[a], &second = nodes_[b];
    Below below;
    const auto add = [&](std::uint32_t c, std::uint32_t d) {
      const Below more = Visit(c, d);
      below = {below.all + more.all, below.by_nodes + more.by_nodes,
               below.by_pairs + more.by_pairs};
    };
    if (a == b) {
      add(first.child[0], first.child[1]);
      add(first.child[0], first.child[0]);
      add(first.child[1], first.child[1]);
      return below;
    }
    const bool descend_first =
        second.IsLeaf() || (!first.IsLeaf() && Extent(first) > Extent(second));
    for (int k = 0; k < 2; ++k) {
      if (descend_first) {
        add(first.child[k], b);
      } else {
        add(a, second.child[k]);
      }
    }
    return below;
  }

  /// Tests a patch that contains this much work.
  static void Take(const Certificate& certificate, const Work& all, Savings& savings) {
    if (!certificate.has_cone) {
      ++savings.patches;
      return;
    }
    const ContourResult& contour = certificate.contour;
    savings.by_cones = all;
    if (contour.is_simple) {
      savings.proved = all;
      const auto less = [&](std::uint64_t cost) {
        return all.candidates > cost ? all.candidates - cost : 0;
      };
      savings.net = std::max(savings.net, less(contour.pairs));
      savings.net_of_near_pairs = std::max(savings.net_of_near_pairs, less(contour.near_pairs));
      savings.patches = savings.contours = savings.simple = 0;
      savings.contour_pairs = savings.near_contour_pairs = 0;
    }
    ++savings.patches;
    ++savings.contours;
    savings.simple += contour.is_simple;
    savings.contour_pairs += contour.pairs;
    savings.near_contour_pairs += contour.near_pairs;
  }

  static bool HaveCommonVertex(const Node& a, const Node& b) {
    auto i = a.contour_vertices.begin(), j = b.contour_vertices.begin();
    while (i != a.contour_vertices.end() && j != b.contour_vertices.end()) {
      if (*i == *j) return true;
      *i < *j ? ++i : ++j;
    }
    return false;
  }

  Certificate CertificateOf(const Node& a, const Node& b) const {
    if (!a.has_direction || !b.has_direction) return {};
    const Patch patch{a.range, b.range};
    const std::optional<Vector3d> direction = DirectionOf(mesh_, patch);
    if (!direction) return {};
    return Certify(mesh_, SurfaceOf(mesh_, patch), direction);
  }

  static float Extent(const Node& node) {
    float sum = 0;
    for (int k = 0; k < 3; ++k) sum += node.box.high[k] - node.box.low[k];
    return sum;
  }

  Work MeetLeaves(const Node& a, const Node& b) const {
    const bool same = &a == &b;
    Work work;
    work.leaf_pairs = 1;
    for (std::uint32_t i = a.range.begin; i < a.range.end; ++i) {
      for (std::uint32_t j = same ? i + 1 : b.range.begin; j < b.range.end; ++j) {
        const ccd::TriangleBoxes &x = tree_.Triangle(i), &y = tree_.Triangle(j);
        if (!geometry::Overlap(x.face, y.face)) continue;
        ccd::ExpandTrianglePair(x, y, [&](const ccd::TaggedPair& pair) {
          filters_.Count(pair, pair.Ids().b == x.triangle.id ? x.triangle : y.triangle, work);
        });
      }
    }
    if (!same && filters_.AreApart(a, b)) {
      work.apart_leaf_pairs = 1;
      work.apart_candidates = work.candidates;
    }
    return work;
  }

  const OrderedMesh& mesh_;
  const Tree& tree_;
  const std::vector<Node>& nodes_;
  const Filters filters_;
};

}  // namespace

StudyResult StudyStep(const OrderedMesh& mesh, Leaves leaves, float near) {
  if (mesh.triangles.empty()) return {};
  const Tree tree(mesh, leaves);
  return Traversal(mesh, tree, near).Run();
}

}  // namespace warpyard::normal_cones
