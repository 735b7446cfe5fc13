// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Meshes with an attribute and seams, for tests.
#ifndef WARPYARD_TESTS_SUPPORT_SIMPLIFY_ATTRIBUTED_MESH_H_
#define WARPYARD_TESTS_SUPPORT_SIMPLIFY_ATTRIBUTED_MESH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "tests/support/simplify/simplify_driver.h"

namespace warpyard::test_support {

using Point = std::array<float, 3>;

inline Point PointAt(std::span<const float> positions, std::size_t v) {
  return {positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]};
}

/// A mesh whose vertices have one attribute, and a group that says which part of it they are in.
struct Attributed {
  FloatMesh mesh;
  std::vector<float> values;
  std::vector<std::uint32_t> groups;
  simplify::AttributeInput attribute{{}, 1, 0.1f, false};
  bool sends_groups = false;

  simplify::ModelInput Input() {
    attribute.values = values;
    simplify::ModelInput input = mesh.Input();
    input.attributes = {&attribute, 1};
    if (sends_groups) input.groups = groups;
    return input;
  }
};

/// What the attribute of a part is at a point.
using Function = std::function<std::vector<float>(std::uint32_t part, const Point& at)>;

/// Splits a mesh into parts by the middles of its triangles. Vertices where parts meet are there
/// once for each.
inline Attributed Split(const FloatMesh& mesh,
                        const std::function<std::uint32_t(const Point&)>& part_of,
                        const Function& function, std::uint32_t components) {
  Attributed split{{{}, {}}, {}, {}};
  split.attribute.components = components;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> vertices;
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
    Point middle{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Point p = PointAt(mesh.positions, mesh.triangles[t + k]);
      for (std::size_t i = 0; i < 3; ++i) middle[i] += p[i] / 3;
    }
    const std::uint32_t part = part_of(middle);
    for (std::size_t k = 0; k < 3; ++k) {
      const auto number = static_cast<std::uint32_t>(split.groups.size());
      const auto [found, is_new] = vertices.try_emplace({mesh.triangles[t + k], part}, number);
      split.mesh.triangles.push_back(found->second);
      if (!is_new) continue;
      const Point at = PointAt(mesh.positions, mesh.triangles[t + k]);
      split.mesh.positions.insert(split.mesh.positions.end(), at.begin(), at.end());
      const std::vector<float> values = function(part, at);
      split.values.insert(split.values.end(), values.begin(), values.end());
      split.groups.push_back(part);
    }
  }
  return split;
}

/// Two numbers that are linear in the position; parts are 10 apart.
inline std::vector<float> LinearAt(std::uint32_t part, const Point& at) {
  return {10.0f * static_cast<float>(part) + at[0] - 0.5f * at[2], at[1] + 2 * at[0]};
}
inline std::uint32_t Octant(const Point& at) {
  return (at[0] > 0 ? 1u : 0u) | (at[1] > 0 ? 2u : 0u) | (at[2] > 0 ? 4u : 0u);
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_SIMPLIFY_ATTRIBUTED_MESH_H_
