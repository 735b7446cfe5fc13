// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/cpp/simplify/verify.h"

#include <array>
#include <cstddef>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "client_examples/mesh_io/join.h"
#include "client_examples/mesh_measure/mesh_view.h"

namespace warpyard::cli {
namespace {

/// Makes vertices at exactly the same position one.
void Weld(mesh_io::Primitive& primitive) {
  absl::flat_hash_map<std::array<double, 3>, std::uint32_t> first;
  std::vector<std::uint32_t> welded(primitive.Vertices());
  for (std::uint32_t v = 0; v < welded.size(); ++v) {
    const double* const p = &primitive.positions[3 * v];
    // Adding 0 makes -0 and 0 the same key.
    welded[v] = first.try_emplace({p[0] + 0.0, p[1] + 0.0, p[2] + 0.0}, v).first->second;
  }
  for (std::uint32_t& corner : primitive.triangles) corner = welded[corner];
}

}  // namespace

absl::StatusOr<Verification> Verify(const mesh_io::Model& input, const mesh_io::Model& result) {
  absl::StatusOr<mesh_io::Primitive> before = mesh_io::JoinPrimitives(input);
  if (!before.ok()) return before.status();
  absl::StatusOr<mesh_io::Primitive> after = mesh_io::JoinPrimitives(result);
  if (!after.ok()) return after.status();
  Weld(*before);
  Weld(*after);
  const mesh_measure::MeshView original{before->positions, before->triangles};
  const mesh_measure::MeshView simplified{after->positions, after->triangles};
  mesh_measure::DistanceOptions options;
  options.samples = kVerifySamples;
  const absl::StatusOr<mesh_measure::SurfaceDistance> distance =
      mesh_measure::MeasureDistance(original, simplified, options);
  if (!distance.ok()) return distance.status();
  // The distance has checked both meshes.
  return Verification{*distance, *mesh_measure::CountTopology(original),
                      *mesh_measure::CountTopology(simplified)};
}

std::string TextOf(const Verification& v) {
  return absl::StrCat("distance from IN: RMS ", v.Rms(), " (", v.distance.RmsPercent(),
                      " % of the diagonal), largest ", v.Max(), " (", v.distance.HausdorffPercent(),
                      " %), by ", kVerifySamples, " samples of each surface; border edges ",
                      v.result.border_edges, " (IN ", v.input.border_edges,
                      "), non-manifold edges ", v.result.non_manifold_edges, " (IN ",
                      v.input.non_manifold_edges, "), degenerate triangles ", v.Degenerate());
}

}  // namespace warpyard::cli
