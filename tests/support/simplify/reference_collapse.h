// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Collapses of edges in passes of independent ones, in the plainest way.
#ifndef WARPYARD_TESTS_SUPPORT_SIMPLIFY_REFERENCE_COLLAPSE_H_
#define WARPYARD_TESTS_SUPPORT_SIMPLIFY_REFERENCE_COLLAPSE_H_

#include <cstddef>
#include <vector>

#include "core/workload/simplify/quadric.h"
#include "tests/support/simplify/reference_tree.h"

namespace warpyard::test_support {

/// A mesh whose vertices have quadrics.
struct QuadricMesh {
  std::vector<Vector3d> positions;
  std::vector<Quadric> quadrics;
  std::vector<Triangle> triangles;
};

/// Collapses edges until there are at most so many triangles, or no edge may collapse. Each pass
/// collapses edges that are the cheapest ones around, of the cheapest 15 %. No collapse folds a
/// triangle over, or changes the topology. Returns the number of passes.
std::size_t CollapseTo(QuadricMesh& mesh, std::size_t triangles);

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_SIMPLIFY_REFERENCE_COLLAPSE_H_
