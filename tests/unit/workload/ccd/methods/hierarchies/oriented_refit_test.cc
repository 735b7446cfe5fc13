// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/methods/hierarchies/oriented_refit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/mesh_fixtures.h"
#include "tests/support/oracles/exact_box.h"
#include "tests/support/serial_sorts.h"
#include "tests/unit/workload/ccd/broad/hierarchy_fixture.h"
#include "tests/unit/workload/ccd/stage_runners.h"

namespace warpyard::test_support {
namespace {

using Boxes = std::vector<geometry::OrientedBox>;

template <class Run>
Boxes Refit(HostHierarchy& hierarchy, Run run) {
  hierarchy.job.step.asked.tolerance = 0.01;
  hierarchy.BuildAndRefit(run);
  Boxes boxes(2 * std::size_t{hierarchy.job.scene.mesh.triangles});
  hierarchy.job.step.work.oriented = boxes.data();
  run.template operator()<ccd::RefitOriented>(hierarchy.job.scene.mesh.triangles);
  return boxes;
}

/// Counts vertices of leaves that are outside the boxes of places above them; also tests points
/// slightly beside the vertices.
int CountOutside(const HostHierarchy& hierarchy, const Boxes& boxes) {
  const ccd::SceneView& scene = hierarchy.job.scene;
  int outside = 0;
  for (std::uint32_t leaf = 0; leaf < scene.mesh.triangles; ++leaf) {
    for (std::uint32_t up = scene.hierarchy.leaf_parent[leaf]; up != kNoIndex;
         up = scene.hierarchy.node_parent[up >> 1]) {
      for (const std::uint32_t v : scene.order.leaves[leaf].vertex) {
        const geometry::Vector3d end = hierarchy.job.step.end[v];
        const bool is_near = std::abs(end.x) + std::abs(end.y) + std::abs(end.z) < 1e6;
        const double way = is_near ? 0.005 : 0;  // less than the tolerance, and not rounded off
        outside += Contains(boxes[up], hierarchy.job.step.start[v]) ? 0 : 1;
        outside += Contains(boxes[up], end) ? 0 : 1;
        outside += Contains(boxes[up], end + geometry::Vector3d{way, -way, way}) ? 0 : 1;
      }
    }
  }
  return outside;
}

TEST(RefitOriented, PutsTrianglesIntoAllBoxesAboveThem) {
  std::vector<NamedMotion> motions = DegenerateMotions();
  motions.push_back({"soup", TriangleSoup(1, {50, 0.2, 0.3})});
  motions.push_back({"cloth", FoldingCloth(2, 5, 6)});
  motions.push_back({"bodies", Tetrahedra(3, 12)});
  motions.push_back({"two", TriangleSoup(4, {2, 0.2, 0.3})});
  for (const NamedMotion& named : motions) {
    HostHierarchy hierarchy(named.motion);
    if (hierarchy.job.scene.mesh.triangles < 2) continue;
    const Boxes boxes = Refit(hierarchy, InRandomOrder(1, hierarchy));
    EXPECT_EQ(CountOutside(hierarchy, boxes), 0) << named.name;
  }
}

TEST(RefitOriented, GivesTheSameBoxesInAnyOrder) {
  const Motion motion = TriangleSoup(5, {150, 0.1, 0.3});
  HostHierarchy first(motion);
  const Boxes expected = Refit(first, InRandomOrder(1, first));
  for (std::uint64_t seed = 2; seed < 4; ++seed) {
    HostHierarchy shuffled(motion), threaded(motion);
    // All places except the two of the last node, which does not exist.
    const std::size_t bytes = (expected.size() - 2) * sizeof expected[0];
    const Boxes a = Refit(shuffled, InRandomOrder(seed, shuffled));
    const Boxes b = Refit(threaded, OnThreads{threaded});
    EXPECT_EQ(std::memcmp(a.data(), expected.data(), bytes), 0);
    EXPECT_EQ(std::memcmp(b.data(), expected.data(), bytes), 0);
  }
}

}  // namespace
}  // namespace warpyard::test_support
