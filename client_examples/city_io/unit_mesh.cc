// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/unit_mesh.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "client_examples/mesh_io/mesh_io.h"

namespace warpyard::city_io {
namespace {

constexpr int kCylinderSides = 16;

Vector NormalOf(const Vector& a, const Vector& b, const Vector& c) {
  const std::array<double, 3> u{double{b[0]} - a[0], double{b[1]} - a[1], double{b[2]} - a[2]};
  const std::array<double, 3> v{double{c[0]} - a[0], double{c[1]} - a[1], double{c[2]} - a[2]};
  const std::array<double, 3> n{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                                u[0] * v[1] - u[1] * v[0]};
  const double length = std::hypot(n[0], n[1], n[2]);
  // Files may have triangles without a surface.
  if (!(length > 0)) return {0, 1, 0};
  return {static_cast<float>(n[0] / length), static_cast<float>(n[1] / length),
          static_cast<float>(n[2] / length)};
}

/// Adds a flat convex face. @shape corners: counterclockwise
void AddFace(const std::vector<Vector>& corners, UnitMesh& mesh) {
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  const Vector normal = NormalOf(corners[0], corners[1], corners[2]);
  for (const Vector& corner : corners) {
    mesh.positions.push_back(corner);
    mesh.normals.push_back(normal);
  }
  for (std::uint32_t i = 2; i < corners.size(); ++i) {
    for (const std::uint32_t vertex : {first, first + i - 1, first + i}) {
      mesh.triangles.push_back(vertex);
    }
  }
}

/// The faces between two equal sections and the sections themselves. @shape lower: clockwise where
/// it is seen from `upper`
UnitMesh Solid(const std::vector<Vector>& lower, const std::vector<Vector>& upper) {
  UnitMesh mesh;
  AddFace(lower, mesh);
  AddFace({upper.rbegin(), upper.rend()}, mesh);
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const std::size_t next = (i + 1) % lower.size();
    AddFace({lower[next], lower[i], upper[i], upper[next]}, mesh);
  }
  return mesh;
}

UnitMesh Cylinder() {
  std::vector<Vector> lower, upper;
  for (int i = 0; i < kCylinderSides; ++i) {
    const double angle = 2 * std::numbers::pi * i / kCylinderSides;
    const auto x = static_cast<float>(0.5 + 0.5 * std::cos(angle));
    const auto z = static_cast<float>(0.5 + 0.5 * std::sin(angle));
    lower.push_back({x, 0, z});
    upper.push_back({x, 1, z});
  }
  return Solid(lower, upper);
}

/// Stretches a mesh of a file to the unit cube; what is flat stays at 0.
UnitMesh Fitted(const mesh_io::Mesh& file) {
  std::array<double, 3> least{}, most{};
  for (std::size_t i = 0; i < file.positions.size(); ++i) {
    const double x = file.positions[i];
    least[i % 3] = i < 3 ? x : std::min(least[i % 3], x);
    most[i % 3] = i < 3 ? x : std::max(most[i % 3], x);
  }
  const auto corner = [&](std::uint32_t vertex) {
    Vector position{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double extent = most[axis] - least[axis];
      if (!(extent > 0)) continue;
      position[axis] =
          static_cast<float>((file.positions[3 * vertex + axis] - least[axis]) / extent);
    }
    return position;
  };
  UnitMesh mesh;
  for (std::size_t i = 0; i + 2 < file.triangles.size(); i += 3) {
    AddFace(
        {corner(file.triangles[i]), corner(file.triangles[i + 1]), corner(file.triangles[i + 2])},
        mesh);
  }
  return mesh;
}

}  // namespace

UnitMesh BuiltInMesh(std::size_t number) {
  UnitMesh mesh;
  switch (number) {
    case kQuad:
      AddFace({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, mesh);
      return mesh;
    case kCylinder:
      return Cylinder();
    case kPrism:
      return Solid({{0, 0, 0}, {0.5F, 1, 0}, {1, 0, 0}}, {{0, 0, 1}, {0.5F, 1, 1}, {1, 0, 1}});
    case kTriangle:
      AddFace({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, mesh);
      return mesh;
    default:
      return Solid({{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}},
                   {{0, 1, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}});
  }
}

bool IsFlat(const UnitMesh& mesh) {
  return std::all_of(mesh.positions.begin(), mesh.positions.end(),
                     [](const Vector& position) { return position[2] == 0; });
}

UnitMesh Mirrored(const UnitMesh& mesh) {
  UnitMesh mirrored = mesh;
  // 0 stays 0 and not -0, for the sake of files.
  for (Vector& position : mirrored.positions) position[0] = 0 - position[0];
  for (Vector& normal : mirrored.normals) normal[0] = -normal[0];
  for (std::size_t i = 0; i + 2 < mirrored.triangles.size(); i += 3) {
    std::swap(mirrored.triangles[i + 1], mirrored.triangles[i + 2]);
  }
  return mirrored;
}

bool StaysInFolder(const std::string& name) {
  const std::filesystem::path path(name);
  return !name.empty() && path.is_relative() &&
         std::none_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
}

absl::StatusOr<CityMeshes> ReadMeshes(const std::vector<MeshName>& names,
                                      const std::string& folder) {
  CityMeshes city;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& asset = names[i].asset;
    if (i < kBuiltInMeshes || asset.empty()) {
      city.meshes.push_back(BuiltInMesh(i < kBuiltInMeshes ? i : kBox));
      continue;
    }
    if (!StaysInFolder(asset)) {
      return absl::InvalidArgumentError(absl::StrCat("mesh ", names[i].name, ": \"", asset,
                                                     "\" is not in the folder of the grammar"));
    }
    const std::string path = (std::filesystem::path(folder) / asset).string();
    const absl::StatusOr<mesh_io::Mesh> file = mesh_io::ReadMesh(path);
    if (absl::IsNotFound(file.status())) {
      city.notes.push_back(absl::StrCat("mesh ", names[i].name, ": there is no file ", path,
                                        "; a box stands for it"));
      city.meshes.push_back(BuiltInMesh(kBox));
      continue;
    }
    if (!file.ok()) return file.status();
    city.meshes.push_back(Fitted(*file));
    if (city.meshes.back().Triangles() > 0) continue;
    return absl::InvalidArgumentError(absl::StrCat(path, ": no triangles"));
  }
  return city;
}

}  // namespace warpyard::city_io
