// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/mesh_measure/surface_distance.h"

#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client_examples/mesh_measure/parallel_chunks.h"
#include "client_examples/mesh_measure/surface_samples.h"
#include "client_examples/mesh_measure/triangle_tree.h"

namespace warpyard::mesh_measure {
namespace {

absl::Status CheckSurface(const MeshView& mesh, const char* name) {
  if (const absl::Status status = CheckMesh(mesh); !status.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(name, ": ", status.message()));
  }
  if (mesh.Triangles() > 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(name, ": there is no triangle"));
}

/// Length of the diagonal of the triangles' box.
double DiagonalOf(const MeshView& mesh) {
  const Vector3d first = mesh.Position(mesh.triangles[0]);
  Vector3d low = first, high = first;
  for (const std::uint32_t vertex : mesh.triangles) {
    const Vector3d position = mesh.Position(vertex);
    for (double Vector3d::*const axis : {&Vector3d::x, &Vector3d::y, &Vector3d::z}) {
      low.*axis = std::min(low.*axis, position.*axis);
      high.*axis = std::max(high.*axis, position.*axis);
    }
  }
  return std::sqrt(Dot(high - low, high - low));
}

/// Points of a chunk, and the triangle that was nearest to the last of them: a good hint for the
/// next.
class ChunkQueries {
 public:
  explicit ChunkQueries(const TriangleTree& tree) : tree_(tree) {}

  /// The squared distance of a point.
  double Ask(const Vector3d& point) {
    const NearestTriangle nearest = tree_.Nearest(point, hint_);
    hint_ = nearest.triangle;
    max_ = std::max(max_, nearest.squared_distance);
    return nearest.squared_distance;
  }
  double Max() const { return max_; }

 private:
  const TriangleTree& tree_;
  std::uint32_t hint_ = 0;
  double max_ = 0;
};

/// What the chunks found. @units squares of the positions'
struct Squares {
  explicit Squares(std::size_t count) : sums(Chunks(count)), maxima(Chunks(count)) {}
  std::vector<double> sums, maxima;

  double Sum() const {
    double total = 0;
    for (const double sum : sums) total += sum;
    return total;
  }
  double Max() const { return *std::max_element(maxima.begin(), maxima.end()); }
};

OneWayDistance MeasureOneWay(const MeshView& from, const TriangleTree& to,
                             const DistanceOptions& options) {
  const SurfaceSamples samples(from, options.samples, options.seed);
  Squares of_samples(samples.Count());
  ForEachChunk(samples.Count(), options.threads,
               [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                 ChunkQueries queries(to);
                 for (std::size_t i = begin; i < end; ++i) {
                   of_samples.sums[chunk] += queries.Ask(samples.Point(i));
                 }
                 of_samples.maxima[chunk] = queries.Max();
               });
  std::vector<std::uint32_t> vertices(from.triangles.begin(), from.triangles.end());
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  Squares of_vertices(vertices.size());
  ForEachChunk(vertices.size(), options.threads,
               [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                 ChunkQueries queries(to);
                 for (std::size_t i = begin; i < end; ++i) queries.Ask(from.Position(vertices[i]));
                 of_vertices.maxima[chunk] = queries.Max();
               });
  return {std::sqrt(of_samples.Sum() / static_cast<double>(samples.Count())),
          std::sqrt(std::max(of_samples.Max(), of_vertices.Max()))};
}

std::uint64_t CountFlipped(const MeshView& simplified, const TriangleTree& original,
                           unsigned threads) {
  std::vector<std::uint64_t> flipped(Chunks(simplified.Triangles()));
  ForEachChunk(simplified.Triangles(), threads,
               [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                 for (std::size_t t = begin; t < end; ++t) {
                   const Corners corners = simplified.CornersOf(t);
                   const Vector3d centroid = (1.0 / 3) * (corners[0] + corners[1] + corners[2]);
                   const std::uint32_t nearest = original.Nearest(centroid).triangle;
                   const Vector3d wanted = NormalOf(original.CornersOf(nearest));
                   flipped[chunk] += Dot(NormalOf(corners), wanted) < 0;
                 }
               });
  std::uint64_t total = 0;
  for (const std::uint64_t count : flipped) total += count;
  return total;
}

}  // namespace

absl::StatusOr<SurfaceDistance> MeasureDistance(const MeshView& original,
                                                const MeshView& simplified,
                                                const DistanceOptions& options) {
  absl::Status status = CheckSurface(original, "the original");
  if (status.ok()) status = CheckSurface(simplified, "the simplified mesh");
  if (!status.ok()) return status;
  if (options.samples == 0) return absl::InvalidArgumentError("there must be a sample");
  SurfaceDistance distance;
  distance.diagonal = DiagonalOf(original);
  if (!(distance.diagonal > 0)) {
    return absl::InvalidArgumentError("the original: all triangles are in one point");
  }
  const TriangleTree original_tree(original), simplified_tree(simplified);
  distance.from_original = MeasureOneWay(original, simplified_tree, options);
  distance.from_simplified = MeasureOneWay(simplified, original_tree, options);
  distance.flipped = CountFlipped(simplified, original_tree, options.threads);
  return distance;
}

}  // namespace warpyard::mesh_measure
