// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The size of a hierarchy's boxes, compared with the size of its triangles' boxes. The comparison
// shows when triangles that lie together in the hierarchy have moved apart. A refit computes the
// sums.
//
// The size of a box is the sum of its extents, since flat boxes have no volume and thin boxes no
// area. Nodes are compared with triangles because a common motion, or a turn, enlarges both alike.
// The sums add fixed-point numbers, so that they do not depend on the order of adding.
// Source: ours; no paper that we follow measures its hierarchy.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_JOB_HIERARCHY_SIZE_H_
#define WARPYARD_CORE_WORKLOAD_CCD_JOB_HIERARCHY_SIZE_H_

#include <cstdint>

#include "core/base/macros.h"

namespace warpyard::ccd {

/// The two hierarchies of a scene.
enum class HierarchyKind : std::uint32_t { kClusters, kNodes };

/// Sums of sizes. @units of SceneView::size_scale
struct HierarchySize {
  std::uint64_t triangles;  ///< of clusters: eight times the first triangle of each
  std::uint64_t nodes;
};

/// The sum of the sizes that one thread has seen.
class SizeSum {
 public:
  WY_HD explicit SizeSum(float scale) : scale_(scale) {}

  template <class AnyBox>
  WY_HD void AddNode(const AnyBox& box) {
    sum_.nodes += SizeOf(box);
  }

  /// Adds a triangle that stands for `count` triangles.
  template <class AnyBox>
  WY_HD void AddTriangle(const AnyBox& box, std::uint32_t count) {
    sum_.triangles += count * SizeOf(box);
  }

  template <class Scope>
  WY_HD void AddTo(HierarchySize& total) const {
    Scope::Word(total.triangles).FetchAddRelaxed(sum_.triangles);
    Scope::Word(total.nodes).FetchAddRelaxed(sum_.nodes);
  }

 private:
  /// A larger box counts as this size: 128 times the size of the scene when it was built.
  static constexpr float kLargest = 0x1p33f;

  template <class AnyBox>
  WY_HD std::uint64_t SizeOf(const AnyBox& box) const {
    const float extents =
        (box.high[0] - box.low[0]) + (box.high[1] - box.low[1]) + (box.high[2] - box.low[2]);
    const float size = extents * scale_;
    return static_cast<std::uint64_t>(size < kLargest ? size : kLargest);
  }

  const float scale_;
  HierarchySize sum_{};
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_JOB_HIERARCHY_SIZE_H_
