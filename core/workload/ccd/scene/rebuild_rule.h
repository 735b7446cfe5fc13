// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Decides when the hierarchy of a scene is rebuilt.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_REBUILD_RULE_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_REBUILD_RULE_H_

#include <array>
#include <cstdint>

#include "core/workload/ccd/job/hierarchy_size.h"

namespace warpyard::ccd {

/// The size of nodes divided by the size of triangles; 1 for a scene in one point.
double RatioOf(const HierarchySize& size);

/// Compares the ratio of nodes to triangles (RatioOf) with the ratio when the hierarchy was built.
/// A rebuild is due when the ratio has grown by more than a factor in two steps in a row, so that a
/// single wild step does not count. After a rebuild there is a pause, so that rebuilds always take
/// a small part of the time. Each rebuild starts a new comparison: if it did not help, no further
/// rebuild follows. @scope one caller at a time
class RebuildRule {
 public:
  /// Steps after a rebuild in which no other is due.
  static constexpr std::uint32_t kRest = 16;
  /// Scenes with fewer triangles are not rebuilt, since a rebuild would gain little.
  static constexpr std::uint32_t kLeastTriangles = 512;

  /// Call this when a hierarchy was built. Its boxes, at rest, have these sizes. @shape by
  /// HierarchyKind; zeros for nodes that are linked later
  void Built(const HierarchySize (&sizes)[2]);

  /// Call this when nodes were linked over a built scene. The sizes that they have now are their
  /// reference.
  void Linked(const HierarchySize& nodes);

  /// Takes the sizes of a step; returns by how much the ratio has grown.
  double Take(HierarchyKind kind, const HierarchySize& size);

  /// A rebuild was due and failed: no rebuild is due for a while.
  void PutOff() { rest_ = kRest; }

  /// @shape factor: 0 for never; triangles: of the scene, those that move
  bool IsDue(double factor, std::uint32_t triangles) const;

  std::uint64_t Rebuilds() const { return builds_ < 2 ? 0 : builds_ - 1; }

 private:
  std::array<double, 2> built_{1, 1};   // nodes against triangles, at the last build
  std::array<double, 2> growth_{1, 1};  // in the last two steps
  std::uint32_t rest_ = 0;
  std::uint64_t builds_ = 0;
};

/// A power of two that turns extents into the fixed-point units of HierarchySize.
/// @shape extents: of the scene, summed over the axes, when it is built
float SizeScale(double extents);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_REBUILD_RULE_H_
