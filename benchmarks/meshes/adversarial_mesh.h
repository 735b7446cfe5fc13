// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Small meshes with which simplification often goes wrong: for tests that nothing crashes and no
// output is bad.
#ifndef WARPYARD_BENCHMARKS_MESHES_ADVERSARIAL_MESH_H_
#define WARPYARD_BENCHMARKS_MESHES_ADVERSARIAL_MESH_H_

#include <cstdint>
#include <vector>

#include "benchmarks/meshes/triangle_mesh.h"

namespace warpyard::meshes {

/// How many kinds of adversarial meshes there are: seeds 0 to kAdversarialKinds - 1 give each once.
inline constexpr std::uint64_t kAdversarialKinds = 24;

/// A mesh of at most some thousand triangles, of kind seed % kAdversarialKinds, of random size and
/// shape. Its name says the kind and the seed. All indices are valid and all coordinates finite, at
/// most 1e30 large; everything else may be wrong: no triangles at all, triangles without area or
/// with repeated corners, duplicates, edges with many triangles, unused or doubled vertices, huge
/// or tiny coordinates, all vertices in one point, line or plane.
TriangleMesh MakeAdversarialMesh(std::uint64_t seed);

/// Meshes that no job can take: coordinates that are not finite, indices without a vertex, sizes
/// that are no multiples of three. Names say what is wrong.
std::vector<TriangleMesh> MakeInvalidMeshes();

}  // namespace warpyard::meshes

#endif  // WARPYARD_BENCHMARKS_MESHES_ADVERSARIAL_MESH_H_
