// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision/convert.h"

#include <algorithm>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/base/exact_text.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "core/workload/ccd/check_options.h"

namespace warpyard::server {
namespace {

template <class Pair, class Geometry>
std::size_t BytesPerPair(bool has_times, bool has_geometry) {
  return (has_times ? sizeof(Pair) : offsetof(Pair, time)) + (has_geometry ? sizeof(Geometry) : 0);
}

/// The next pairs that fit into `bytes`; moves `next` behind them and subtracts their size from
/// `bytes`.
template <class Pair>
std::span<const Pair> TakePairs(const memory::HostVector<Pair>& pairs, std::size_t bytes_per_pair,
                                std::size_t* next, std::size_t* bytes) {
  const std::size_t count = std::min(pairs.size() - *next, *bytes / bytes_per_pair);
  const std::span<const Pair> taken(pairs.data() + *next, count);
  *next += count;
  *bytes -= count * bytes_per_pair;
  return taken;
}

void SetStatistics(const ccd::CollisionStatistics& statistics, v1::CollisionStatistics* out) {
  out->set_vertices(statistics.vertices);
  out->set_edges(statistics.edges);
  out->set_triangles(statistics.triangles);
  out->set_vertex_face_candidates(statistics.vertex_face_candidates);
  out->set_edge_edge_candidates(statistics.edge_edge_candidates);
  out->set_vertex_face_collisions(statistics.vertex_face_collisions);
  out->set_edge_edge_collisions(statistics.edge_edge_collisions);
  out->set_capped_pairs(statistics.capped_pairs);
  ToProto(statistics.phases, out->mutable_phases());
  const ccd::TraversalStatistics& traversal = statistics.traversal;
  if (traversal.visited_pairs != 0) {
    v1::TraversalStatistics& to = *out->mutable_traversal();
    to.set_visited_node_pairs(traversal.visited_pairs);
    to.set_triangle_pairs(traversal.triangle_pairs);
    to.set_front_pairs(traversal.front_pairs);
    to.set_steals(traversal.steals);
    to.set_rounds(traversal.rounds);
    to.set_from_front(traversal.from_front);
  }
  v1::HierarchyStatistics& hierarchy = *out->mutable_hierarchy();
  hierarchy.set_size(statistics.hierarchy.size);
  hierarchy.set_growth(statistics.hierarchy.growth);
  hierarchy.set_rebuilds(statistics.hierarchy.rebuilds);
  hierarchy.set_rebuilt(statistics.hierarchy.rebuilt);
}

absl::StatusOr<ccd::Report> ToReport(v1::Report report) {
  switch (report) {
    case v1::REPORT_UNSPECIFIED:
    case v1::REPORT_COLLISIONS:
      return ccd::Report::kCollisions;
    case v1::REPORT_EARLIEST:
      return ccd::Report::kEarliest;
    case v1::REPORT_CANDIDATES:
      return ccd::Report::kCandidates;
    default:
      return InvalidField("collision.report",
                          absl::StrCat("unknown value ", static_cast<int>(report)));
  }
}

absl::StatusOr<ccd::RootFinder> ToRootFinder(v1::RootFinder root_finder) {
  switch (root_finder) {
    case v1::ROOT_FINDER_UNSPECIFIED:
    case v1::ROOT_FINDER_CONSERVATIVE:
      return ccd::RootFinder::kConservative;
    case v1::ROOT_FINDER_CUBIC:
      return ccd::RootFinder::kCubic;
    default:
      return InvalidField("collision.root_finder",
                          absl::StrCat("unknown value ", static_cast<int>(root_finder)));
  }
}

absl::StatusOr<ccd::Traversal> ToTraversal(v1::Traversal traversal) {
  switch (traversal) {
    case v1::TRAVERSAL_UNSPECIFIED:
    case v1::TRAVERSAL_CLUSTERS:
      return ccd::Traversal::kClusters;
    case v1::TRAVERSAL_INDEPENDENT:
      return ccd::Traversal::kIndependent;
    case v1::TRAVERSAL_WORK_QUEUE:
      return ccd::Traversal::kWorkQueue;
    case v1::TRAVERSAL_COMPACTION:
      return ccd::Traversal::kCompaction;
    case v1::TRAVERSAL_BALANCING:
      return ccd::Traversal::kBalancing;
    case v1::TRAVERSAL_STEALING:
      return ccd::Traversal::kStealing;
    case v1::TRAVERSAL_FRONT:
      return ccd::Traversal::kFront;
    default:
      return InvalidField("collision.traversal",
                          absl::StrCat("unknown value ", static_cast<int>(traversal)));
  }
}

absl::StatusOr<ccd::BoundingVolume> ToBoundingVolume(v1::BoundingVolume volume) {
  switch (volume) {
    case v1::BOUNDING_VOLUME_UNSPECIFIED:
    case v1::BOUNDING_VOLUME_AXIS_ALIGNED_BOXES:
      return ccd::BoundingVolume::kBoxes;
    case v1::BOUNDING_VOLUME_ORIENTED_BOXES:
      return ccd::BoundingVolume::kOrientedBoxes;
    default:
      return InvalidField("collision.bounding_volume",
                          absl::StrCat("unknown value ", static_cast<int>(volume)));
  }
}

}  // namespace

absl::StatusOr<ccd::CollisionOptions> ToCollisionOptions(const v1::CollisionOptions& options) {
  ccd::CollisionOptions core;
  WY_ASSIGN_OR_RETURN(core.report, ToReport(options.report()));
  WY_ASSIGN_OR_RETURN(core.root_finder, ToRootFinder(options.root_finder()));
  WY_ASSIGN_OR_RETURN(core.traversal, ToTraversal(options.traversal()));
  WY_ASSIGN_OR_RETURN(core.bounding_volume, ToBoundingVolume(options.bounding_volume()));
  core.tolerance = options.tolerance() == 0.0 ? kDefaultTolerance : options.tolerance();
  if (!(core.tolerance >= kMinTolerance && core.tolerance <= kMaxTolerance)) {
    return InvalidField("collision.tolerance",
                        absl::StrCat(ExactText(options.tolerance()), ", expected 0 or from ",
                                     kMinTolerance, " to ", kMaxTolerance));
  }
  core.max_intervals =
      options.max_intervals() == 0 ? kDefaultMaxIntervals : options.max_intervals();
  if (core.max_intervals > kLimitOfMaxIntervals) {
    return InvalidField("collision.max_intervals",
                        absl::StrCat(options.max_intervals(), ", at most ", kLimitOfMaxIntervals));
  }
  core.min_separation = options.min_separation();
  core.max_time = options.max_time() == 0.0 ? 1 : options.max_time();
  core.with_geometry = options.with_geometry();
  core.unsorted = options.unsorted();
  if (options.has_rebuild_factor()) core.rebuild_factor = options.rebuild_factor();
  if (const absl::Status status = ccd::CheckOptions(core); !status.ok()) {
    return InField("collision.", status);
  }
  return core;
}

PairBytes PairBytesOf(const ccd::CollisionResult& result, ccd::Report report) {
  const bool times = report != ccd::Report::kCandidates;
  const bool geometry = !result.vertex_face_geometry.empty() || !result.edge_edge_geometry.empty();
  return {BytesPerPair<ccd::VertexFaceCollision, ccd::VertexFaceGeometry>(times, geometry),
          BytesPerPair<ccd::EdgeEdgeCollision, ccd::EdgeEdgeGeometry>(times, geometry)};
}

ResultReader::ResultReader(const ccd::CollisionResult& result, ccd::Report report)
    : result_(result),
      has_times_(report != ccd::Report::kCandidates),
      has_geometry_(!result.vertex_face_geometry.empty() || !result.edge_edge_geometry.empty()),
      pair_bytes_(PairBytesOf(result, report)) {}

std::size_t ResultReader::list_bytes() const {
  return result_.vertex_face.size() * pair_bytes_.vertex_face +
         result_.edge_edge.size() * pair_bytes_.edge_edge;
}

ResultPart ResultReader::NextPart(std::size_t max_bytes) {
  std::size_t bytes = std::max({max_bytes, pair_bytes_.vertex_face, pair_bytes_.edge_edge});
  const std::size_t vertex_face = next_vertex_face_, edge_edge = next_edge_edge_;
  ResultPart part;
  part.has_times = has_times_;
  part.vertex_face =
      TakePairs(result_.vertex_face, pair_bytes_.vertex_face, &next_vertex_face_, &bytes);
  // Lists are ordered, so edge-edge pairs follow the last vertex-face pair, even where one would
  // fit now.
  if (next_vertex_face_ == result_.vertex_face.size()) {
    part.edge_edge = TakePairs(result_.edge_edge, pair_bytes_.edge_edge, &next_edge_edge_, &bytes);
  }
  if (has_geometry_) {
    part.vertex_face_geometry =
        std::span(result_.vertex_face_geometry).subspan(vertex_face, part.vertex_face.size());
    part.edge_edge_geometry =
        std::span(result_.edge_edge_geometry).subspan(edge_edge, part.edge_edge.size());
  }
  part.is_last = next_vertex_face_ == result_.vertex_face.size() &&
                 next_edge_edge_ == result_.edge_edge.size();
  if (!part.is_last) return part;
  if (result_.earliest_time) part.others.set_earliest_time(*result_.earliest_time);
  if (result_.path_deviation) part.others.set_path_deviation(*result_.path_deviation);
  SetStatistics(result_.statistics, part.others.mutable_statistics());
  return part;
}

}  // namespace warpyard::server
