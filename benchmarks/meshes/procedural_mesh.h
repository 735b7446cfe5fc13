// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Computed meshes for simplification, so that everybody has the same data.
//
// Only operations that IEEE 754 rounds correctly make them (sines are polynomials), so that a name
// and a seed give the same bits everywhere.
#ifndef WARPYARD_BENCHMARKS_MESHES_PROCEDURAL_MESH_H_
#define WARPYARD_BENCHMARKS_MESHES_PROCEDURAL_MESH_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "benchmarks/meshes/triangle_mesh.h"

namespace warpyard::meshes {

/// How large a mesh should be, and which one of its kind it is.
struct MeshSize {
  std::uint32_t triangles =
      10'000;  ///< the mesh has at most so many; from 10,000 on more than half
  std::uint64_t seed = 1;
};

/// Makes a mesh by its name: "noisy-sphere-N", "torus-knot-N", "terrain-N", "cad-part-N",
/// "many-parts-N" or "thin-sheets-N" with at most N triangles, where N may end in "k" or "m".
/// @errors INVALID_ARGUMENT: no such mesh, or it cannot have so few or so many triangles
absl::StatusOr<TriangleMesh> MakeMesh(absl::string_view name, std::uint64_t seed = 1);

/// A ball with hills and a fine roughness, like a scan: closed, genus 0. @shape at least 8
/// triangles
TriangleMesh MakeNoisySphere(const MeshSize& size);

/// A smooth tube around a (2, 3) torus knot, whose thickness varies: closed, genus 1, parts of it
/// close to each other. @shape at least 2,000 triangles
TriangleMesh MakeTorusKnot(const MeshSize& size);

/// Hills and mountains over a square: open, one border. @shape at least 2 triangles
TriangleMesh MakeTerrain(const MeshSize& size);

/// A plate with four rectangular holes and a block on it: flat faces in fine triangles, sharp
/// edges; closed, genus 4. The seed moves nothing. @shape at least 2,000 triangles
TriangleMesh MakeCadPart(const MeshSize& size);

/// Balls of 200 triangles, of random size and place, apart from each other or through one another:
/// closed, triangles / 200 parts. @shape at least 200 triangles
TriangleMesh MakeManyParts(const MeshSize& size);

/// Two curved sheets back to back, a thousandth of their length apart, that face away from each
/// other: open, two parts. @shape at least 4 triangles
TriangleMesh MakeThinSheets(const MeshSize& size);

}  // namespace warpyard::meshes

#endif  // WARPYARD_BENCHMARKS_MESHES_PROCEDURAL_MESH_H_
