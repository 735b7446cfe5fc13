// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_measure/surface_samples.h"

#include <algorithm>
#include <cmath>

#include "client_examples/mesh_measure/noise.h"

namespace warpyard::mesh_measure {

SurfaceSamples::SurfaceSamples(const MeshView& mesh, std::size_t count, std::uint64_t seed)
    : mesh_(mesh), count_(count), seed_(seed), area_up_to_(mesh.Triangles()) {
  double total = 0;
  for (std::size_t t = 0; t < mesh.Triangles(); ++t) {
    const Vector3d normal = NormalOf(mesh.CornersOf(t));
    total += std::sqrt(Dot(normal, normal)) / 2;
    area_up_to_[t] = total;
  }
  if (total > 0) return;
  for (std::size_t t = 0; t < mesh.Triangles(); ++t) area_up_to_[t] = static_cast<double>(t + 1);
}

Vector3d SurfaceSamples::Point(std::size_t sample) const {
  const double place = (static_cast<double>(sample) + Noise(seed_, sample, 0)) /
                       static_cast<double>(count_) * area_up_to_.back();
  const auto found = std::upper_bound(area_up_to_.begin(), area_up_to_.end(), place);
  const auto triangle = std::min<std::size_t>(static_cast<std::size_t>(found - area_up_to_.begin()),
                                              mesh_.Triangles() - 1);
  // The root makes points even over the triangle.
  const double root = std::sqrt(Noise(seed_, sample, 1));
  const double along = Noise(seed_, sample, 2);
  const Corners corners = mesh_.CornersOf(triangle);
  return (1 - root) * corners[0] + (root * (1 - along)) * corners[1] + (root * along) * corners[2];
}

}  // namespace warpyard::mesh_measure
