// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/support/simplify/reference_cut.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace warpyard::test_support {
namespace {

/// For each node: the topmost one that stands for it.
std::vector<std::uint32_t> Representatives(const ReferenceTree& tree, float error,
                                           const std::vector<bool>& expanded) {
  std::vector<std::uint32_t> stands(tree.Nodes());
  for (std::uint32_t node = tree.Nodes(); node-- > 0;) {
    const std::uint32_t parent = tree.parents[node];
    const bool hidden = parent != kNoNode && stands[parent] != parent;
    const bool collapses = parent != kNoNode && tree.errors[parent] <= error &&
                           (expanded.empty() || !expanded[parent]);
    stands[node] = hidden || collapses ? stands[parent] : node;
  }
  return stands;
}

/// The triangle with its least corner first, and whether the others are in falling order.
std::pair<Triangle, bool> Canonical(const Triangle& t) {
  const auto least = static_cast<std::size_t>(std::min_element(t.begin(), t.end()) - t.begin());
  const std::uint32_t second = t[(least + 1) % 3], third = t[(least + 2) % 3];
  return {{t[least], std::min(second, third), std::max(second, third)}, second > third};
}

}  // namespace

ReferenceCut CutAt(const ReferenceTree& tree, float error, const std::vector<bool>& expanded) {
  const std::vector<std::uint32_t> stands = Representatives(tree, error, expanded);
  std::map<Triangle, int> kept;  // how many more of one orientation than of the other
  for (const Triangle& t : tree.triangles) {
    const Triangle moved{stands[t[0]], stands[t[1]], stands[t[2]]};
    if (moved[0] == moved[1] || moved[1] == moved[2] || moved[2] == moved[0]) continue;
    const auto [corners, falls] = Canonical(moved);
    kept[corners] += falls ? -1 : 1;
  }
  ReferenceCut cut;
  std::map<std::uint32_t, std::uint32_t> numbers;
  for (const auto& [corners, surplus] : kept) {
    if (surplus == 0) continue;
    Triangle t = surplus > 0 ? corners : Triangle{corners[0], corners[2], corners[1]};
    for (std::uint32_t& corner : t) {
      const auto [place, is_new] =
          numbers.try_emplace(corner, static_cast<std::uint32_t>(cut.vertices.size()));
      if (is_new) cut.vertices.push_back(corner);
      corner = place->second;
    }
    cut.triangles.push_back(t);
  }
  return cut;
}

float ErrorFor(const ReferenceTree& tree, std::size_t triangles) {
  std::set<float> errors(tree.errors.begin(), tree.errors.end());
  errors.insert(-1);
  std::vector<float> sorted(errors.begin(), errors.end());
  // Cuts at greater errors have fewer triangles: what cancels, stays cancelled.
  std::size_t low = 0, high = sorted.size() - 1;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (CutAt(tree, sorted[middle]).triangles.size() <= triangles) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return sorted[low];
}

ReferenceCut CutToManifold(const ReferenceTree& tree, float error) {
  std::vector<bool> expanded(tree.Nodes());
  while (true) {
    const ReferenceCut cut = CutAt(tree, error, expanded);
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> around;
    for (const Triangle& t : cut.triangles) {
      for (std::size_t k = 0; k < 3; ++k) {
        ++around[std::minmax(t[k], t[(k + 1) % 3])];
      }
    }
    bool changed = false;
    for (const auto& [edge, triangles] : around) {
      if (triangles <= 2) continue;
      for (const std::uint32_t v : {edge.first, edge.second}) {
        const std::uint32_t node = cut.vertices[v];
        if (node < tree.leaves) continue;
        expanded[node] = changed = true;
      }
    }
    if (!changed) return cut;
  }
}

SimpleMesh MeshOf(const ReferenceTree& tree, const ReferenceCut& cut) {
  SimpleMesh mesh;
  for (const std::uint32_t node : cut.vertices) {
    mesh.positions.push_back(tree.low + tree.extent * tree.positions[node]);
  }
  mesh.triangles = cut.triangles;
  return mesh;
}

}  // namespace warpyard::test_support
