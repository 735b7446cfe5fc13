// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/unit_mesh.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <map>
#include <utility>

namespace warpyard::city_io {
namespace {

Vector Cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector Minus(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
float Dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

std::array<Vector, 3> CornersOf(const UnitMesh& mesh, std::size_t triangle) {
  std::array<Vector, 3> corners;
  for (std::size_t i = 0; i < 3; ++i) {
    corners[i] = mesh.positions[mesh.triangles[3 * triangle + i]];
  }
  return corners;
}

/// By the divergence theorem: positive where triangles face outside.
float VolumeOf(const UnitMesh& mesh) {
  float volume = 0;
  for (std::size_t i = 0; i < mesh.Triangles(); ++i) {
    const auto [a, b, c] = CornersOf(mesh, i);
    volume += Dot(a, Cross(b, c)) / 6;
  }
  return volume;
}

void ExpectNormalsOfTriangles(const UnitMesh& mesh) {
  for (std::size_t i = 0; i < mesh.Triangles(); ++i) {
    const auto [a, b, c] = CornersOf(mesh, i);
    const Vector direction = Cross(Minus(b, a), Minus(c, a));
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector& normal = mesh.normals[mesh.triangles[3 * i + k]];
      EXPECT_NEAR(Dot(normal, normal), 1, 1e-5);
      EXPECT_NEAR(Dot(normal, direction), std::sqrt(Dot(direction, direction)), 1e-5);
    }
  }
}

TEST(BuiltInMesh, HasItsSurfaceOutside) {
  const double circle = 8 * std::sin(2 * std::acos(-1) / 16) / 4;
  const std::pair<std::size_t, double> volumes[] = {
      {kBox, 1}, {kQuad, 0}, {kCylinder, circle}, {kPrism, 0.5}, {kTriangle, 0}};
  for (const auto& [number, volume] : volumes) {
    const UnitMesh mesh = BuiltInMesh(number);
    EXPECT_NEAR(VolumeOf(mesh), volume, 1e-5) << number;
    ExpectNormalsOfTriangles(mesh);
    for (const Vector& position : mesh.positions) {
      for (const float x : position) {
        EXPECT_GE(x, 0);
        EXPECT_LE(x, 1);
      }
    }
  }
  EXPECT_EQ(BuiltInMesh(kBox).Triangles(), 12u);
  EXPECT_EQ(BuiltInMesh(kPrism).Triangles(), 8u);
  EXPECT_EQ(BuiltInMesh(kCylinder).Triangles(), 60u);
}

TEST(BuiltInMesh, HasNoHoles) {
  for (const std::size_t number : {kBox, kCylinder, kPrism}) {
    std::map<std::pair<Vector, Vector>, int> edges;
    const UnitMesh mesh = BuiltInMesh(number);
    for (std::size_t i = 0; i < mesh.Triangles(); ++i) {
      const auto corners = CornersOf(mesh, i);
      for (std::size_t k = 0; k < 3; ++k) ++edges[{corners[k], corners[(k + 1) % 3]}];
    }
    for (const auto& [edge, count] : edges) {
      EXPECT_EQ(count, 1);
      EXPECT_EQ(edges.count({edge.second, edge.first}), 1u);
    }
  }
}

TEST(BuiltInMesh, FacesZWhereItIsFlat) {
  for (const std::size_t number : {kQuad, kTriangle}) {
    EXPECT_TRUE(IsFlat(BuiltInMesh(number)));
    for (const Vector& normal : BuiltInMesh(number).normals) EXPECT_EQ(normal, (Vector{0, 0, 1}));
  }
  EXPECT_FALSE(IsFlat(BuiltInMesh(kBox)));
}

TEST(Mirrored, StillFacesOutside) {
  const UnitMesh mesh = Mirrored(BuiltInMesh(kPrism));
  EXPECT_NEAR(VolumeOf(mesh), 0.5, 1e-5);
  ExpectNormalsOfTriangles(mesh);
}

/// The built-in meshes, and one of a file.
std::vector<MeshName> NamesWith(const std::string& asset) {
  return {{"box", ""}, {"quad", ""}, {"cyl", ""}, {"prism", ""}, {"tri", ""}, {"own", asset}};
}

TEST(ReadMeshes, StretchesFilesToTheUnitCube) {
  const std::string folder = ::testing::TempDir();
  std::ofstream(folder + "unit_mesh.obj") << "v -2 5 7\nv 4 5 7\nv 4 9 7\nf 1 2 3\n";
  const auto city = ReadMeshes(NamesWith("unit_mesh.obj"), folder);
  ASSERT_TRUE(city.ok()) << city.status();
  EXPECT_TRUE(city->notes.empty());
  ASSERT_EQ(city->meshes.size(), 6u);
  EXPECT_EQ(city->meshes[5].positions, (std::vector<Vector>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}));
}

TEST(ReadMeshes, TakesABoxForAMissingFile) {
  const auto city = ReadMeshes(NamesWith("missing.obj"), ::testing::TempDir());
  ASSERT_TRUE(city.ok()) << city.status();
  EXPECT_EQ(city->meshes[5].Triangles(), 12u);
  ASSERT_EQ(city->notes.size(), 1u);
  EXPECT_NE(city->notes[0].find("mesh own: there is no file"), std::string::npos);
  EXPECT_TRUE(ReadMeshes(NamesWith(""), "")->notes.empty());
}

TEST(ReadMeshes, RefusesBadFilesAndOtherFolders) {
  const std::string folder = ::testing::TempDir();
  std::ofstream(folder + "empty_mesh.obj") << "v 0 0 0\n";
  for (const char* const asset : {"empty_mesh.obj", "../unit_mesh.obj", "/etc/passwd"}) {
    EXPECT_EQ(ReadMeshes(NamesWith(asset), folder).status().code(),
              absl::StatusCode::kInvalidArgument)
        << asset;
  }
}

}  // namespace
}  // namespace warpyard::city_io
