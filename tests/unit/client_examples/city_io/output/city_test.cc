// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/output/city.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/client_examples/city_io/sample_city.h"

namespace warpyard::city_io {
namespace {

TEST(CheckCity, NamesTheInstanceThatIsWrong) {
  EXPECT_EQ(CheckCity(SampleCity().city()), absl::OkStatus());
  SampleCity mesh, material, place;
  mesh.instances[3].mesh = 6;
  material.instances[4].material = 3;
  place.instances[5].size[1] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(CheckCity(mesh.city()).message(), "instance 3: no such mesh");
  EXPECT_EQ(CheckCity(material.city()).message(), "instance 4: no such material");
  EXPECT_EQ(CheckCity(place.city()).message(), "instance 5: a number that is not finite");
}

TEST(TrianglesOf, CountsAllInstances) {
  // Of each building: box, quad, cyl, prism, tri, tree, quad, tri and box.
  EXPECT_EQ(TrianglesOf(SampleCity().city()), 2u * (12 + 2 + 60 + 8 + 1 + 12 + 2 + 1 + 12));
}

TEST(TrianglesFromFiles, CountsMeshesWithAFileAlone) {
  SampleCity city;
  const std::uint64_t before = TrianglesFromFiles(city.city());
  city.names.meshes[kQuad].asset = "quad.obj";
  EXPECT_EQ(TrianglesFromFiles(city.city()), before + 2u * (2 + 2));
}

void ExpectNear(const Vector& a, const Vector& b) {
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], 1e-6);
}

TEST(Place, ScalesRotatesAndMoves) {
  const float half = std::sqrt(0.5F);
  Instance instance = InstanceOf(kQuad, 0, {10, 20, 30}, {2, 3, 0});
  instance.rotation = {0, half, 0, half};  // a quarter about y: z becomes x, x becomes -z
  PlacedMesh placed;
  Place(BuiltInMesh(kQuad), instance, placed);
  ExpectNear(placed.positions[0], {10, 20, 30});
  ExpectNear(placed.positions[1], {10, 20, 28});
  ExpectNear(placed.positions[2], {10, 23, 28});
  for (const Vector& normal : placed.normals) ExpectNear(normal, {1, 0, 0});
}

TEST(Place, TurnsTrianglesOfMirroredInstances) {
  for (const Vector size : {Vector{-2, 3, 1}, Vector{2, -3, 1}, Vector{-2, -3, 1}}) {
    PlacedMesh placed;
    Place(BuiltInMesh(kPrism), InstanceOf(kPrism, 0, {1, 1, 1}, size), placed);
    for (std::size_t i = 0; i < placed.triangles.size(); i += 3) {
      const Vector &a = placed.positions[placed.triangles[i]],
                   &b = placed.positions[placed.triangles[i + 1]],
                   &c = placed.positions[placed.triangles[i + 2]];
      const Vector& normal = placed.normals[placed.triangles[i]];
      Vector u{}, v{};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        u[axis] = b[axis] - a[axis];
        v[axis] = c[axis] - a[axis];
      }
      const float side = normal[0] * (u[1] * v[2] - u[2] * v[1]) +
                         normal[1] * (u[2] * v[0] - u[0] * v[2]) +
                         normal[2] * (u[0] * v[1] - u[1] * v[0]);
      EXPECT_GT(side, 0);
    }
  }
}

}  // namespace
}  // namespace warpyard::city_io
