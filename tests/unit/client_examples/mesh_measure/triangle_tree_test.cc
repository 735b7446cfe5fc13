// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_measure/triangle_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "benchmarks/meshes/adversarial_mesh.h"
#include "benchmarks/scenes/shapes.h"

namespace warpyard::mesh_measure {
namespace {

double SquaredDistanceToSegment(const Vector3d& p, const Vector3d& a, const Vector3d& b) {
  const Vector3d ab = b - a;
  const double squared = Dot(ab, ab);
  const double t = squared > 0 ? std::clamp(Dot(p - a, ab) / squared, 0.0, 1.0) : 0;
  const Vector3d offset = p - (a + t * ab);
  return Dot(offset, offset);
}

/// Another way than that of the tree: the sides, and the plane if the foot of the perpendicular is
/// inside of all sides.
double SquaredDistanceTo(const Corners& c, const Vector3d& p) {
  double least = std::numeric_limits<double>::infinity();
  const Vector3d normal = NormalOf(c);
  const double squared = Dot(normal, normal);
  bool inside = squared > 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3d &a = c[k], &b = c[(k + 1) % 3];
    least = std::min(least, SquaredDistanceToSegment(p, a, b));
    inside &= Dot(Cross(b - a, p - a), normal) >= 0;
  }
  if (!inside) return least;
  const double height = Dot(p - c[0], normal);
  return std::min(least, height * height / squared);
}

TEST(TriangleTree, FindsTheDistancesOfBruteForce) {
  int meshes = 0;
  for (std::uint64_t seed = 0; seed < 2 * meshes::kAdversarialKinds; ++seed) {
    meshes::TriangleMesh mesh = meshes::MakeAdversarialMesh(seed);
    // Kinds with huge, tiny or squeezed coordinates are for robustness: here rounding would decide.
    double largest = 0;
    for (const double value : mesh.positions) largest = std::max(largest, std::fabs(value));
    const bool is_needles = mesh.name.rfind("slivers", 0) == 0;
    if (mesh.Triangles() == 0 || largest > 100 || largest < 0.01 || is_needles) continue;
    mesh.triangles.resize(3 * std::min<std::size_t>(mesh.Triangles(), 300));
    const MeshView view{mesh.positions, mesh.triangles};
    const TriangleTree tree(view);
    ++meshes;
    for (std::uint64_t i = 0; i < 50; ++i) {
      const Vector3d point{3 * scenes::Noise(seed, i, 0) - 1.5, 3 * scenes::Noise(seed, i, 1) - 1.5,
                           3 * scenes::Noise(seed, i, 2) - 1.5};
      double expected = std::numeric_limits<double>::infinity();
      for (std::size_t t = 0; t < view.Triangles(); ++t) {
        expected = std::min(expected, SquaredDistanceTo(view.CornersOf(t), point));
      }
      const auto hint = static_cast<std::uint32_t>(i % view.Triangles());
      const NearestTriangle nearest = tree.Nearest(point, hint);
      ASSERT_NEAR(nearest.squared_distance, expected, 1e-12 * (1 + expected)) << mesh.name;
      ASSERT_NEAR(SquaredDistanceTo(view.CornersOf(nearest.triangle), point), expected,
                  1e-12 * (1 + expected))
          << mesh.name;
    }
  }
  EXPECT_GT(meshes, 20);
}

}  // namespace
}  // namespace warpyard::mesh_measure
