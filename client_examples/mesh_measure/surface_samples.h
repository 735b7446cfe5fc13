// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Points on the surface of a mesh, spread evenly by area.
#ifndef WARPYARD_CLIENT_EXAMPLES_MESH_MEASURE_SURFACE_SAMPLES_H_
#define WARPYARD_CLIENT_EXAMPLES_MESH_MEASURE_SURFACE_SAMPLES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "client_examples/mesh_measure/mesh_view.h"

namespace warpyard::mesh_measure {

/// A fixed number of random points. The surface, laid out by area, is cut into as many equal parts
/// as there are points; each part has one point at a random place. That spreads points better than
/// independent choices do. A point depends on the mesh, the number and the seed only.
class SurfaceSamples {
 public:
  /// Where the whole mesh has no area, triangles count alike.
  /// @shape mesh: at least one triangle, and as CheckMesh demands; it must outlive the samples
  SurfaceSamples(const MeshView& mesh, std::size_t count, std::uint64_t seed);

  std::size_t Count() const { return count_; }

  /// @shape sample: below Count(); neighbours are on the same triangle or on one near it in the
  /// list
  Vector3d Point(std::size_t sample) const;

 private:
  MeshView mesh_;
  std::size_t count_;
  std::uint64_t seed_;
  std::vector<double> area_up_to_;  ///< of each triangle: the area of it and all before it
};

}  // namespace warpyard::mesh_measure

#endif  // WARPYARD_CLIENT_EXAMPLES_MESH_MEASURE_SURFACE_SAMPLES_H_
