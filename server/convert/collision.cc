// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/convert/collision.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/base/macros.h"

namespace warpyard::server {
namespace {

constexpr std::size_t kTimeBytes = sizeof(double);

template <class Pair>
struct PairLayout;
template <>
struct PairLayout<ccd::VertexFaceCollision> {
  static constexpr std::size_t kIdBytes = 2 * sizeof(std::uint32_t);
};
template <>
struct PairLayout<ccd::EdgeEdgeCollision> {
  static constexpr std::size_t kIdBytes = 4 * sizeof(std::uint32_t);
};

template <class Pair>
std::size_t BytesPerPair(bool has_times) {
  return PairLayout<Pair>::kIdBytes + (has_times ? kTimeBytes : 0);
}

/// Appends the ids, which come first in a pair without padding, and the times.
template <class Pair>
void AppendPairs(std::span<const Pair> pairs, bool has_times, std::string* ids,
                 std::string* times) {
  constexpr std::size_t kIdBytes = PairLayout<Pair>::kIdBytes;
  static_assert(offsetof(Pair, time) == kIdBytes);
  ids->resize(pairs.size() * kIdBytes);
  char* id = ids->data();
  for (const Pair& pair : pairs) {
    std::memcpy(id, &pair, kIdBytes);
    id += kIdBytes;
  }
  if (!has_times) return;
  times->resize(pairs.size() * kTimeBytes);
  char* time = times->data();
  for (const Pair& pair : pairs) {
    std::memcpy(time, &pair.time, kTimeBytes);
    time += kTimeBytes;
  }
}

/// The next pairs that fit into `bytes`; moves `next` behind them and takes their size off `bytes`.
template <class Pair>
std::span<const Pair> TakePairs(const std::vector<Pair>& pairs, bool has_times, std::size_t* next,
                                std::size_t* bytes) {
  const std::size_t count = std::min(pairs.size() - *next, *bytes / BytesPerPair<Pair>(has_times));
  const std::span<const Pair> taken(pairs.data() + *next, count);
  *next += count;
  *bytes -= count * BytesPerPair<Pair>(has_times);
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
      return absl::InvalidArgumentError(
          absl::StrCat("collision.report: unknown value ", static_cast<int>(report)));
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
      return absl::InvalidArgumentError(
          absl::StrCat("collision.root_finder: unknown value ", static_cast<int>(root_finder)));
  }
}

}  // namespace

absl::StatusOr<ccd::CollisionOptions> ToCollisionOptions(const v1::CollisionOptions& options) {
  ccd::CollisionOptions core;
  WY_ASSIGN_OR_RETURN(core.report, ToReport(options.report()));
  WY_ASSIGN_OR_RETURN(core.root_finder, ToRootFinder(options.root_finder()));
  core.tolerance = options.tolerance() == 0.0 ? kDefaultTolerance : options.tolerance();
  if (!(core.tolerance >= kMinTolerance && core.tolerance <= kMaxTolerance)) {
    return absl::InvalidArgumentError(absl::StrCat("collision.tolerance: ", options.tolerance(),
                                                   ", expected 0 or from ", kMinTolerance, " to ",
                                                   kMaxTolerance));
  }
  core.max_intervals =
      options.max_intervals() == 0 ? kDefaultMaxIntervals : options.max_intervals();
  if (core.max_intervals > kLimitOfMaxIntervals) {
    return absl::InvalidArgumentError(absl::StrCat(
        "collision.max_intervals: ", options.max_intervals(), ", at most ", kLimitOfMaxIntervals));
  }
  return core;
}

ResultWriter::ResultWriter(const ccd::CollisionResult& result, ccd::Report report)
    : result_(result), has_times_(report != ccd::Report::kCandidates) {}

std::size_t ResultWriter::list_bytes() const {
  return result_.vertex_face.size() * BytesPerPair<ccd::VertexFaceCollision>(has_times_) +
         result_.edge_edge.size() * BytesPerPair<ccd::EdgeEdgeCollision>(has_times_);
}

bool ResultWriter::NextPart(std::size_t max_bytes, v1::CollisionResult* part) {
  std::size_t bytes = std::max(max_bytes, BytesPerPair<ccd::EdgeEdgeCollision>(has_times_));
  AppendPairs(TakePairs(result_.vertex_face, has_times_, &next_vertex_face_, &bytes), has_times_,
              part->mutable_vertex_face_ids(), part->mutable_vertex_face_times());
  // Only behind the last vertex-face pair, even where an edge-edge pair would fit: lists are
  // ordered.
  if (next_vertex_face_ == result_.vertex_face.size()) {
    AppendPairs(TakePairs(result_.edge_edge, has_times_, &next_edge_edge_, &bytes), has_times_,
                part->mutable_edge_edge_ids(), part->mutable_edge_edge_times());
  }
  if (next_vertex_face_ != result_.vertex_face.size() ||
      next_edge_edge_ != result_.edge_edge.size()) {
    return false;
  }
  if (result_.earliest_time) part->set_earliest_time(*result_.earliest_time);
  if (result_.path_deviation) part->set_path_deviation(*result_.path_deviation);
  SetStatistics(result_.statistics, part->mutable_statistics());
  return true;
}

}  // namespace warpyard::server
