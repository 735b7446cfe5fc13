// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_measure/surface_distance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/meshes/adversarial_mesh.h"
#include "benchmarks/meshes/procedural_mesh.h"

namespace warpyard::mesh_measure {
namespace {

using meshes::TriangleMesh;

MeshView View(const TriangleMesh& mesh) { return {mesh.positions, mesh.triangles}; }

/// A square from 0 to `side` at a height.
TriangleMesh Square(double side, double height) {
  TriangleMesh mesh;
  for (const auto& [x, y] : {std::pair{0.0, 0.0}, {side, 0.0}, {side, side}, {0.0, side}}) {
    mesh.AddVertex({x, y, height});
  }
  mesh.AddQuad({0, 1, 2, 3});
  return mesh;
}

SurfaceDistance Measure(const TriangleMesh& original, const TriangleMesh& simplified,
                        std::uint64_t samples = 20'000, unsigned threads = 0) {
  const auto distance = MeasureDistance(View(original), View(simplified), {samples, 1, threads});
  EXPECT_TRUE(distance.ok()) << distance.status();
  return distance.value_or(SurfaceDistance{});
}

TEST(SurfaceDistance, OfParallelSquaresIsTheirGap) {
  const SurfaceDistance distance = Measure(Square(3, 0), Square(3, 0.5));
  for (const OneWayDistance& way : {distance.from_original, distance.from_simplified}) {
    EXPECT_NEAR(way.rms, 0.5, 1e-12);
    EXPECT_NEAR(way.max, 0.5, 1e-12);
  }
  EXPECT_DOUBLE_EQ(distance.diagonal, std::sqrt(18.0));
  EXPECT_NEAR(distance.RmsPercent(), 50 / std::sqrt(18.0), 1e-9);
  EXPECT_EQ(distance.flipped, 0u);
}

// A quarter of the great square covers the small one; the distance elsewhere is analytic.
TEST(SurfaceDistance, DiffersByDirection) {
  const SurfaceDistance distance = Measure(Square(2, 0), Square(1, 0), 200'000);
  EXPECT_NEAR(distance.from_simplified.rms, 0, 1e-12);
  EXPECT_NEAR(distance.from_simplified.max, 0, 1e-12);
  // In the plane: the mean of max(0, x - 1)^2 + max(0, y - 1)^2 over [0, 2]^2 is 2 / 6.
  EXPECT_NEAR(distance.from_original.rms, std::sqrt(1.0 / 3), 1e-3);
  EXPECT_DOUBLE_EQ(distance.from_original.max, std::sqrt(2.0)) << "the corner is a vertex";
  EXPECT_NEAR(distance.RmsPercent(), 100 * std::sqrt(1.0 / 3) / 2 / std::sqrt(8.0), 0.02)
      << "the mean of both ways";
  EXPECT_DOUBLE_EQ(distance.HausdorffPercent(), 50.0) << "the greater of both ways";
}

TEST(SurfaceDistance, OfAMeshFromItselfIsRounding) {
  for (const char* name : {"noisy-sphere-2k", "cad-part-2k", "many-parts-2k"}) {
    const TriangleMesh mesh = *meshes::MakeMesh(name);
    const SurfaceDistance distance = Measure(mesh, mesh);
    EXPECT_LT(distance.HausdorffPercent(), 1e-10) << name;
    EXPECT_EQ(distance.flipped, name == std::string("many-parts-2k") ? distance.flipped : 0u)
        << name;
  }
}

/// A ball of radius 1 whose octants have n x n triangles.
TriangleMesh Ball(int n) {
  TriangleMesh mesh = meshes::MakeNoisySphere({static_cast<std::uint32_t>(8 * n * n), 1});
  for (std::size_t v = 0; v < mesh.Vertices(); ++v) {
    double squared = 0;
    for (std::size_t k = 0; k < 3; ++k) squared += std::pow(mesh.positions[3 * v + k], 2);
    for (std::size_t k = 0; k < 3; ++k) mesh.positions[3 * v + k] /= std::sqrt(squared);
  }
  return mesh;
}

// The octahedron's faces are 1 / sqrt(3) from the middle, and its corners are on the ball.
TEST(SurfaceDistance, OfABallFromItsOctahedronIsTheDepthOfTheFaces) {
  const SurfaceDistance distance = Measure(Ball(64), Ball(1), 100'000);
  const double depth = 1 - std::sqrt(1.0 / 3);
  EXPECT_NEAR(distance.from_original.max, depth, 0.001);
  EXPECT_NEAR(distance.from_simplified.max, depth, 0.001);
  EXPECT_LT(distance.from_original.rms, depth);
  EXPECT_GT(distance.from_original.rms, depth / 3);
  EXPECT_EQ(distance.flipped, 0u);
}

// The farthest point of a chord's arc: r (1 - cos(angle / 2)), with the widest angle of a side.
TEST(SurfaceDistance, OfFinerBallsFallsWithTheSquareOfTheSide) {
  const double coarse = Measure(Ball(96), Ball(8)).RmsPercent();
  const double fine = Measure(Ball(96), Ball(16)).RmsPercent();
  EXPECT_NEAR(coarse / fine, 4, 0.3);
}

TEST(SurfaceDistance, CountsFlippedTriangles) {
  const TriangleMesh original = Square(1, 0);
  TriangleMesh half = original, all = original;
  std::swap(half.triangles[0], half.triangles[1]);
  std::swap(all.triangles[0], all.triangles[1]);
  std::swap(all.triangles[3], all.triangles[4]);
  EXPECT_EQ(Measure(original, half).flipped, 1u);
  EXPECT_EQ(Measure(original, all).flipped, 2u);
}

TEST(SurfaceDistance, IgnoresVerticesThatNoTriangleUses) {
  TriangleMesh mesh = Square(1, 0), same = mesh;
  mesh.AddVertex({100, 100, 100});
  const SurfaceDistance distance = Measure(mesh, same);
  EXPECT_NEAR(distance.HausdorffPercent(), 0, 1e-12);
  EXPECT_DOUBLE_EQ(distance.diagonal, std::sqrt(2.0));
}

TEST(SurfaceDistance, DoesNotDependOnTheNumberOfThreads) {
  const TriangleMesh original = *meshes::MakeMesh("terrain-4k");
  const TriangleMesh other = *meshes::MakeMesh("terrain-1k");
  const SurfaceDistance one = Measure(original, other, 20'000, 1);
  const SurfaceDistance three = Measure(original, other, 20'000, 3);
  EXPECT_EQ(one.RmsPercent(), three.RmsPercent());
  EXPECT_EQ(one.HausdorffPercent(), three.HausdorffPercent());
  EXPECT_EQ(one.flipped, three.flipped);
}

TEST(SurfaceDistance, IsFiniteForEveryMeshThatHasAnExtent) {
  for (std::uint64_t seed = 0; seed < 2 * meshes::kAdversarialKinds; ++seed) {
    const TriangleMesh mesh = meshes::MakeAdversarialMesh(seed);
    const auto distance = MeasureDistance(View(mesh), View(mesh), {500, 1, 1});
    if (!distance.ok()) {
      EXPECT_TRUE(absl::IsInvalidArgument(distance.status())) << mesh.name;
      continue;
    }
    EXPECT_LT(distance->HausdorffPercent(), 1e-4) << mesh.name;
  }
}

TEST(SurfaceDistance, RefusesWhatItCannotMeasure) {
  const TriangleMesh good = Square(1, 0);
  std::vector<TriangleMesh> bad = meshes::MakeInvalidMeshes();
  bad.push_back({"no-triangle", good.positions, {}});
  for (const TriangleMesh& mesh : bad) {
    const auto as_original = MeasureDistance(View(mesh), View(good));
    const auto as_simplified = MeasureDistance(View(good), View(mesh));
    EXPECT_TRUE(absl::IsInvalidArgument(as_original.status())) << mesh.name;
    EXPECT_TRUE(absl::IsInvalidArgument(as_simplified.status())) << mesh.name;
  }
  const TriangleMesh point{"point", {1, 2, 3}, {0, 0, 0}};
  EXPECT_TRUE(absl::IsInvalidArgument(MeasureDistance(View(point), View(good)).status()));
  EXPECT_TRUE(MeasureDistance(View(good), View(point)).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(MeasureDistance(View(good), View(good), {0, 1, 1}).status()));
}

}  // namespace
}  // namespace warpyard::mesh_measure
