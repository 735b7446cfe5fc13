// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Patches of a moving mesh: triangles that lie together in Morton order. Continuous normal cones
// may prove that a patch does not touch itself in a step.
#ifndef WARPYARD_RESEARCH_NORMAL_CONES_PATCH_H_
#define WARPYARD_RESEARCH_NORMAL_CONES_PATCH_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/workload/ccd/job/scene_view.h"
#include "core/workload/geometry/vector3.h"
#include "research/normal_cones/contour.h"
#include "research/normal_cones/moving_normals.h"

namespace warpyard::normal_cones {

using geometry::Vector3d;

enum class Order {
  kMorton,   ///< the order of a scene's hierarchies
  kSurface,  ///< ours, for patches that are connected: halves by the way across common edges
};

/// A mesh at both ends of a step, its triangles in an order.
struct OrderedMesh {
  std::vector<Vector3d> start, end;
  std::vector<ccd::Triangle> triangles;
  std::vector<std::uint64_t> keys;  ///< of the triangles, ascending; none in kSurface
  std::vector<std::array<std::uint32_t, 2>> edges;
  std::vector<std::optional<MovingNormal>> normals;
};

/// @shape start, end: x y z a vertex; triangles: 3 vertices each, all of them there
OrderedMesh OrderMesh(std::span<const double> start, std::span<const double> end,
                      std::span<const std::uint32_t> triangles, Order order);

/// Places of triangles in order.
struct Range {
  std::uint32_t begin, end;
  std::uint32_t Size() const { return end - begin; }
};

/// One range, or two ranges of which each has a vertex of the other.
using Patch = std::vector<Range>;

/// Properties of a patch that do not depend on its motion.
struct Surface {
  /// Each edge has one or two triangles; two triangles use their common edge in opposite
  /// directions; and all triangles are connected by common vertices.
  bool is_connected = false;
  std::vector<ContourEdge> contour;
};
Surface SurfaceOf(const OrderedMesh& mesh, const Patch& patch);

/// A direction such that all moving normals of a patch are on its side, if one is found.
std::optional<Vector3d> DirectionOf(const OrderedMesh& mesh, const Patch& patch);

}  // namespace warpyard::normal_cones

#endif  // WARPYARD_RESEARCH_NORMAL_CONES_PATCH_H_
