// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/output/city.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "client_examples/city_io/groups.h"

namespace warpyard::city_io {
namespace {

template <std::size_t kWidth>
bool AreFinite(const std::array<float, kWidth>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](float x) { return std::isfinite(x); });
}

Vector Rotated(const std::array<float, 4>& q, const Vector& v) {
  // t = 2 q x v; v' = v + w t + q x t
  const Vector t{2 * (q[1] * v[2] - q[2] * v[1]), 2 * (q[2] * v[0] - q[0] * v[2]),
                 2 * (q[0] * v[1] - q[1] * v[0])};
  return {v[0] + q[3] * t[0] + q[1] * t[2] - q[2] * t[1],
          v[1] + q[3] * t[1] + q[2] * t[0] - q[0] * t[2],
          v[2] + q[3] * t[2] + q[0] * t[1] - q[1] * t[0]};
}

}  // namespace

absl::Status CheckCity(const City& city) {
  for (std::size_t i = 0; i < city.instances.size(); ++i) {
    const Instance& instance = city.instances[i];
    const char* problem = nullptr;
    if (instance.mesh >= city.meshes.size()) problem = "no such mesh";
    if (instance.material >= city.names.materials.size()) problem = "no such material";
    if (!AreFinite(instance.position) || !AreFinite(instance.rotation) ||
        !AreFinite(instance.size)) {
      problem = "a number that is not finite";
    }
    if (problem == nullptr) continue;
    return absl::InvalidArgumentError(absl::StrCat("instance ", i, ": ", problem));
  }
  return absl::OkStatus();
}

std::uint64_t TrianglesOf(const City& city) {
  std::uint64_t triangles = 0;
  for (const Instance& instance : city.instances) triangles += city.MeshOf(instance).Triangles();
  return triangles;
}

std::uint64_t TrianglesFromFiles(const City& city) {
  std::uint64_t triangles = 0;
  for (const Instance& instance : city.instances) {
    const bool has_file = !city.names.meshes[instance.mesh].asset.empty();
    if (has_file) triangles += city.MeshOf(instance).Triangles();
  }
  return triangles;
}

void Place(const UnitMesh& mesh, const Instance& instance, PlacedMesh& placed) {
  // Mirrored ones get a positive x, so that corners and normals are mirrored here.
  const Instance drawable = Drawable(instance, IsFlat(mesh));
  const float mirror = IsMirrored(instance) ? -1 : 1;
  placed.positions.resize(mesh.positions.size());
  placed.normals.resize(mesh.positions.size());
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const Vector &corner = mesh.positions[i], &normal = mesh.normals[i];
    const Vector& size = drawable.size;
    const Vector place = Rotated(drawable.rotation, {mirror * size[0] * corner[0],
                                                     size[1] * corner[1], size[2] * corner[2]});
    Vector direction{mirror * normal[0] / size[0], normal[1] / size[1], normal[2] / size[2]};
    const float length = std::hypot(direction[0], direction[1], direction[2]);
    for (float& x : direction) x /= length;
    placed.normals[i] = Rotated(drawable.rotation, direction);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      placed.positions[i][axis] = drawable.position[axis] + place[axis];
    }
  }
  placed.triangles = mesh.triangles;
  if (mirror > 0) return;
  for (std::size_t i = 0; i + 2 < placed.triangles.size(); i += 3) {
    std::swap(placed.triangles[i + 1], placed.triangles[i + 2]);
  }
}

}  // namespace warpyard::city_io
