// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Small moving meshes for collision tests. The same seed gives the same mesh on every platform.
#ifndef WARPYARD_TESTS_SUPPORT_MESH_FIXTURES_H_
#define WARPYARD_TESTS_SUPPORT_MESH_FIXTURES_H_

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/support/motion.h"

namespace warpyard::test_support {

/// Random numbers that do not depend on the standard library's distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// A double in [low, high).
  double Uniform(double low, double high);
  /// An integer in [0, count).
  std::uint32_t Below(std::uint32_t count);
  /// A point in a cube around the origin.
  Vec3 Point(double half_side);

 private:
  std::mt19937_64 engine_;
};

/// The shape of a soup: triangles of similar size in a cube of side 2; each vertex moves up to
/// `travel` along each axis.
struct SoupShape {
  std::uint32_t triangles = 100;
  double size = 0.2;
  double travel = 0.2;
  /// Moves coordinates to a grid of 2^-bits, so that features meet exactly; 0 leaves them.
  int grid_bits = 0;
};

/// Triangles without common vertices; each is its own group.
Motion TriangleSoup(std::uint64_t seed, const SoupShape& shape);

/// A square cloth of rows x columns vertices in the plane z = 0, that folds over itself.
Motion FoldingCloth(std::uint64_t seed, std::uint32_t rows, std::uint32_t columns);

/// Closed tetrahedra that move through one another; each is its own group.
Motion Tetrahedra(std::uint64_t seed, std::uint32_t count);

/// The motion among so many triangles far away, which never meet anything, that a step searches for
/// pairs of clusters instead of numbering them (core/workload/ccd/broad/numbered_pairs.h).
Motion AmongMany(Motion motion);

/// A mesh with a name for test output.
struct NamedMotion {
  std::string name;
  Motion motion;
};

/// Shapes with which root finders and hierarchies often go wrong: no motion, motion in one plane,
/// features that touch all the time, triangles without area, one triangle, huge and tiny
/// coordinates.
std::vector<NamedMotion> DegenerateMotions();

/// Random queries of a kind with coordinates on a coarse grid: many of them degenerate, touching at
/// 0 or 1, parallel, or in one plane.
Query GridQuery(Random& random, PairKind kind);

/// Appends a mesh to another: one mesh with both, and separate groups.
void Append(const Motion& other, Motion& motion);

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_MESH_FIXTURES_H_
