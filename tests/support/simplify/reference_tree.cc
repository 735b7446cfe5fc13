// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/support/simplify/reference_tree.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "core/workload/simplify/build/weld.h"

namespace warpyard::test_support {
namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

constexpr double kHuge = std::numeric_limits<double>::infinity();
constexpr double kPull = 1e-3;  // of a node's weight, to the mean of its vertices

Edge EdgeOf(std::uint32_t a, std::uint32_t b) { return {std::min(a, b), std::max(a, b)}; }

Vector3d Least(const Vector3d& a, const Vector3d& b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
Vector3d Greatest(const Vector3d& a, const Vector3d& b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

std::uint64_t Spread(std::uint32_t value) {
  std::uint64_t spread = 0;
  for (std::uint32_t bit = 0; bit < kDeepest; ++bit) {
    spread |= std::uint64_t{value >> bit & 1u} << 3 * bit;
  }
  return spread;
}

std::uint64_t CodeOf(const Vector3d& p) {
  const auto cell = [](double value) {
    return static_cast<std::uint32_t>(std::min(2097151.0, value * 2097152.0));
  };
  return WideMortonCode(cell(p.x), cell(p.y), cell(p.z));
}

/// The depth of the smallest cell that has both codes.
std::uint32_t CommonDepth(std::uint64_t a, std::uint64_t b) {
  if (a == b) return kDeepest;
  const int highest = 63 - std::countl_zero(a ^ b);
  return static_cast<std::uint32_t>(62 - highest) / 3;
}

/// Makes the leaves, in the order of their first vertices, and their triangles.
void Weld(const SimpleMesh& mesh, ReferenceTree& tree) {
  Vector3d low{kHuge, kHuge, kHuge}, high{-kHuge, -kHuge, -kHuge};
  for (const Vector3d& p : mesh.positions) {
    low = Least(low, p);
    high = Greatest(high, p);
  }
  tree.low = low;
  tree.extent = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
  using Point = std::tuple<double, double, double>;
  std::map<Point, std::uint32_t> firsts;
  std::vector<std::uint32_t> first_of;
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
    const Vector3d& p = mesh.positions[v];
    first_of.push_back(firsts.try_emplace({p.x, p.y, p.z}, v).first->second);
  }
  std::map<std::uint32_t, std::uint32_t> leaf_of;  // of first vertices in use
  std::vector<Triangle> welded;
  for (const Triangle& t : mesh.triangles) {
    const Triangle firsts_of_t{first_of[t[0]], first_of[t[1]], first_of[t[2]]};
    if (std::set<std::uint32_t>(firsts_of_t.begin(), firsts_of_t.end()).size() < 3) continue;
    welded.push_back(firsts_of_t);
    for (const std::uint32_t v : firsts_of_t) leaf_of[v] = 0;
  }
  for (auto& [vertex, leaf] : leaf_of) {
    leaf = static_cast<std::uint32_t>(tree.sources.size());
    tree.sources.push_back(vertex);
    tree.positions.push_back((1 / tree.extent) * (mesh.positions[vertex] - low));
  }
  for (const Triangle& t : welded) {
    tree.triangles.push_back({leaf_of[t[0]], leaf_of[t[1]], leaf_of[t[2]]});
  }
  tree.leaves = static_cast<std::uint32_t>(tree.sources.size());
}

/// Gives the leaves the planes of their triangles, and of borders. Returns the edges.
std::set<Edge> AddPlanes(ReferenceTree& tree, double border_weight) {
  tree.quadrics.resize(tree.leaves);
  std::map<Edge, int> edges;
  std::set<Edge> all;
  for (const Triangle& t : tree.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Edge edge = EdgeOf(t[k], t[(k + 1) % 3]);
      ++edges[edge];
      all.insert(edge);
    }
  }
  for (const Triangle& t : tree.triangles) {
    const Vector3d at[3] = {tree.positions[t[0]], tree.positions[t[1]], tree.positions[t[2]]};
    const Vector3d normal = Cross(at[1] - at[0], at[2] - at[0]);
    const double length = simplify::LengthOf(normal);
    if (!(length > 0)) continue;
    for (const std::uint32_t v : t) {
      tree.quadrics[v].AddPlane((1 / length) * normal, at[0], length / 2);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t next = (k + 1) % 3;
      if (edges[EdgeOf(t[k], t[next])] != 1) continue;
      const Vector3d along = at[next] - at[k];
      const Vector3d upright = Cross(normal, along);
      const double tall = simplify::LengthOf(upright);
      if (!(tall > 0)) continue;
      for (const std::uint32_t v : {t[k], t[next]}) {
        tree.quadrics[v].AddPlane((1 / tall) * upright, at[k], border_weight * Dot(along, along));
      }
    }
  }
  return all;
}

/// What a node has of its leaves.
struct Leaves {
  double count = 1;
  Vector3d sum, low, high;
};

/// Sums up the children of an inner node, and places it.
void Place(ReferenceTree& tree, std::vector<Leaves>& leaves, std::uint32_t node,
           const std::vector<std::uint32_t>& children) {
  Leaves& own = leaves[node];
  Quadric& quadric = tree.quadrics[node];
  for (const std::uint32_t child : children) {
    tree.parents[child] = node;
    quadric += tree.quadrics[child];
    tree.errors[node] = std::max(tree.errors[node], tree.errors[child]);
    tree.distances[node] = std::max(tree.distances[node], tree.distances[child]);
    const Leaves& other = leaves[child];
    own.count += other.count;
    own.sum = own.sum + other.sum;
    own.low = Least(own.low, other.low);
    own.high = Greatest(own.high, other.high);
  }
  const Vector3d mean = (1 / own.count) * own.sum;
  Vector3d place = quadric.Minimum(mean, kPull * quadric.weight);
  const double moved = simplify::LengthOf(place - mean);
  const double most = simplify::LengthOf(own.high - own.low) / 2;
  if (moved > most) place = mean + (most / moved) * (place - mean);
  tree.positions[node] = place;
  const double sum = quadric.At(place);
  // Ties are broken: nodes that are larger first, and then as by chance.
  const Vector3d size = own.high - own.low;
  const double chance = simplify::Mixed(node) / 4294967296.0;
  const double error = std::sqrt(sum) + 1e-6 * Dot(size, size) * (1 + chance);
  tree.errors[node] = std::max(tree.errors[node], static_cast<float>(error));
  const double mean_square = quadric.weight > 0 ? sum / quadric.weight : 0;
  tree.distances[node] = std::max(tree.distances[node], static_cast<float>(std::sqrt(mean_square)));
}

}  // namespace

std::uint64_t WideMortonCode(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return Spread(x) << 2 | Spread(y) << 1 | Spread(z);
}

std::uint32_t CommonAncestor(const ReferenceTree& tree, std::uint32_t a, std::uint32_t b) {
  while (a != b && a != kNoNode && b != kNoNode) {
    // Parents have greater numbers.
    std::uint32_t& lower = a < b ? a : b;
    lower = tree.parents[lower];
  }
  return a == b ? a : kNoNode;
}

ReferenceTree BuildReference(const SimpleMesh& mesh, double border_weight) {
  ReferenceTree tree;
  Weld(mesh, tree);
  std::vector<std::uint64_t> codes;
  for (const Vector3d& p : tree.positions) codes.push_back(CodeOf(p));
  const std::set<Edge> edges = AddPlanes(tree, border_weight);
  tree.parents.assign(tree.leaves, kNoNode);
  tree.errors.assign(tree.leaves, 0);
  tree.distances.assign(tree.leaves, 0);
  std::vector<Leaves> leaves;
  for (const Vector3d& p : tree.positions) leaves.push_back({1, p, p, p});
  // Components: each leaf names its component by the least leaf of it.
  std::vector<std::uint32_t> component(tree.leaves), node_of(tree.leaves);
  std::iota(component.begin(), component.end(), 0u);
  std::iota(node_of.begin(), node_of.end(), 0u);
  const auto find = [&](std::uint32_t leaf) {
    while (component[leaf] != leaf) leaf = component[leaf] = component[component[leaf]];
    return leaf;
  };
  for (std::uint32_t depth = kDeepest + 1; depth-- > 0;) {
    std::set<std::uint32_t> joined;  // components before
    for (const auto& [a, b] : edges) {
      if (CommonDepth(codes[a], codes[b]) != depth) continue;
      const std::uint32_t first = find(a), second = find(b);
      if (first == second) continue;
      joined.insert({first, second});
      component[std::max(first, second)] = std::min(first, second);
    }
    std::map<std::uint32_t, std::vector<std::uint32_t>> children;
    for (const std::uint32_t before : joined) children[find(before)].push_back(node_of[before]);
    for (auto& [least, own] : children) {
      std::sort(own.begin(), own.end());
      const std::uint32_t node = tree.Nodes();
      tree.parents.push_back(kNoNode);
      tree.errors.push_back(0);
      tree.distances.push_back(0);
      tree.positions.push_back({});
      tree.quadrics.push_back({});
      leaves.push_back({0, {0, 0, 0}, {kHuge, kHuge, kHuge}, {-kHuge, -kHuge, -kHuge}});
      Place(tree, leaves, node, own);
      node_of[least] = node;
    }
  }
  for (const Triangle& t : tree.triangles) {
    float key = std::numeric_limits<float>::infinity();
    for (std::size_t k = 0; k < 3; ++k) {
      key = std::min(key, tree.errors[CommonAncestor(tree, t[k], t[(k + 1) % 3])]);
    }
    tree.keys.push_back(key);
  }
  return tree;
}

}  // namespace warpyard::test_support
