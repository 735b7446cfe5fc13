// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Cuts of a reference tree.
#ifndef WARPYARD_TESTS_SUPPORT_SIMPLIFY_REFERENCE_CUT_H_
#define WARPYARD_TESTS_SUPPORT_SIMPLIFY_REFERENCE_CUT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/support/simplify/reference_tree.h"

namespace warpyard::test_support {

/// What a cut leaves. @shape vertices: nodes of the tree; triangles: indices of vertices
struct ReferenceCut {
  std::vector<std::uint32_t> vertices;
  std::vector<Triangle> triangles;
};

/// The cut at an error: nodes with at most this error stand for all below them. Less than 0: the
/// welded mesh. @shape expanded: nodes that do not, and nor do those above them; may be empty
ReferenceCut CutAt(const ReferenceTree& tree, float error, const std::vector<bool>& expanded = {});

/// The least error whose cut has at most so many triangles.
float ErrorFor(const ReferenceTree& tree, std::size_t triangles);

/// The cut at an error, with nodes expanded until no edge has more than two triangles, but those of
/// the mesh itself.
ReferenceCut CutToManifold(const ReferenceTree& tree, float error);

/// The cut in the units of the mesh.
SimpleMesh MeshOf(const ReferenceTree& tree, const ReferenceCut& cut);

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_SIMPLIFY_REFERENCE_CUT_H_
