// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The vertices of a step: their positions at both ends, their boxes, and the data that later stages
// read. Bounding by clusters and bounding by leaves both start with it.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_BROAD_VERTEX_BOUNDS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_BROAD_VERTEX_BOUNDS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/job/moving_pair.h"
#include "core/workload/ccd/job/position_source.h"
#include "core/workload/geometry/bounds.h"

namespace warpyard::ccd {

/// A vertex at both ends of a step.
struct VertexPath {
  Vector3d start;
  Vector3d end;
};

/// Members are copies of what every vertex needs, because the job lies in memory that a device
/// would read again for each vertex.
class StepVertices {
 public:
  /// @shape are_converted: whether positions are doubles now, whatever form the input had;
  /// end_time: see EndTime
  WY_HD StepVertices(const CollisionJob& job, bool are_converted, double end_time)
      : rows_(job.step.lists.rows),
        starts_(job.step.sources[0], are_converted, job.scene.mesh.rest,
                job.scene.mesh.vertex_groups),
        ends_(job.step.sources[1], are_converted, job.scene.mesh.rest,
              job.scene.mesh.vertex_groups),
        points_(job.scene.clusters.points),
        tolerance_(job.step.asked.tolerance),
        half_separation_(0.5 * job.step.asked.min_separation *
                         (1 + 0x1p-50)),  // for the roundings of this product
        is_separated_(job.step.asked.min_separation > 0) {
    EndAt(end_time);
  }

  /// Another end time, for the vertices of another world.
  WY_HD void EndAt(double end_time) {
    end_time_ = end_time;
    is_cut_ = end_time < 1 || is_separated_;
  }

  WY_HD VertexPath PathOf(std::uint32_t vertex) const {
    return {starts_.At(vertex), ends_.At(vertex)};
  }

  /// Keeps what later stages read of a vertex: its positions as doubles, unless they are stored
  /// already; its points in floats; and empty rows of collisions, where the step sorts. Returns the
  /// path of the vertex.
  WY_HD VertexPath Keep(std::uint32_t vertex) const {
    const VertexPath path = PathOf(vertex);
    starts_.Keep(vertex, path.start);
    ends_.Keep(vertex, path.end);
    points_[vertex] = RoundedPoint(path.start, is_cut_ ? PlaceAtEnd(path) : path.end);
    ClearRows(vertex);
    return path;
  }

  /// For a vertex that never moves, whose positions and points are there already: empty rows of
  /// collisions. Returns its path.
  WY_HD VertexPath Stay(std::uint32_t vertex) const {
    ClearRows(vertex);
    return {starts_.Stored(vertex), ends_.Stored(vertex)};
  }

  /// Empty rows of collisions, where the step sorts.
  WY_HD void ClearRows(std::uint32_t vertex) const {
    if (rows_.ends != nullptr) rows_.Clear(vertex);
  }

  /// For a vertex of a world that does not move: empty rows of collisions, and for a world that
  /// rests, the end where the vertex is.
  WY_HD void Skip(const StepView& step, std::uint32_t vertex, WorldState state) const {
    if (state == WorldState::kRests) ends_.Put(vertex, step.worlds.committed[vertex]);
    ClearRows(vertex);
  }

  /// The box of a path up to the end time, with half the minimum separation around it, rounded
  /// outward.
  WY_HD geometry::Box BoxOf(const VertexPath& path) const {
    return is_cut_ ? CutBox(path) : geometry::SweptBox(path.start, path.end);
  }

 private:
  WY_HD Vector3d PlaceAtEnd(const VertexPath& path) const {
    return (1.0 - end_time_) * path.start + end_time_ * path.end;
  }

  /// The box of a vertex from the start to the end time, clipped to its box of the whole step. The
  /// tolerance is added around the path, since root finders report features within the tolerance.
  /// So the clipped boxes of two features overlap if the features come within the tolerance before
  /// the end time and their boxes of the whole step overlap. Both boxes also have half the minimum
  /// separation around them, so that boxes of features within that distance overlap.
  WY_HD geometry::Box CutBox(const VertexPath& path) const {
    const geometry::Box cut = BoxAround(path, PlaceAtEnd(path), tolerance_ + half_separation_);
    geometry::Box box = half_separation_ > 0 ? BoxAround(path, path.end, half_separation_)
                                             : geometry::SweptBox(path.start, path.end);
    for (int k = 0; k < 3; ++k) {
      if (cut.low[k] > box.low[k]) box.low[k] = cut.low[k];
      if (cut.high[k] < box.high[k]) box.high[k] = cut.high[k];
    }
    return box;
  }

  /// The box of all points within `near` of a path up to `at`.
  WY_HD static geometry::Box BoxAround(const VertexPath& path, const Vector3d& at, double near) {
    // `at` is rounded. Its error is less than four roundings of the sum of both magnitudes.
    const Vector3d margin{near + Margin(path.start.x, path.end.x),
                          near + Margin(path.start.y, path.end.y),
                          near + Margin(path.start.z, path.end.z)};
    return Union(geometry::SweptBox(path.start - margin, at - margin),
                 geometry::SweptBox(path.start + margin, at + margin));
  }

  WY_HD static double Margin(double start, double end) {
    const double size = (start < 0 ? -start : start) + (end < 0 ? -end : end);
    return size == 0 ? 0 : size * 0x1p-51 + 0x1p-1000;  // not 0 by underflow
  }

  const ContactRows& rows_;
  const PositionReader starts_, ends_;
  FloatPoint* const points_;
  const double tolerance_;
  const double half_separation_;
  const bool is_separated_;
  double end_time_;
  bool is_cut_;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_BROAD_VERTEX_BOUNDS_H_
