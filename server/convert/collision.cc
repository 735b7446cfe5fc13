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
#include "core/workload/ccd/check_options.h"

namespace warpyard::server {
namespace {

constexpr std::size_t kTimeBytes = sizeof(double);

template <class Pair>
struct PairLayout;
template <>
struct PairLayout<ccd::VertexFaceCollision> {
  static constexpr std::size_t kIdBytes = 2 * sizeof(std::uint32_t);
  static constexpr std::size_t kGeometryBytes = sizeof(ccd::VertexFaceGeometry);
};
template <>
struct PairLayout<ccd::EdgeEdgeCollision> {
  static constexpr std::size_t kIdBytes = 4 * sizeof(std::uint32_t);
  static constexpr std::size_t kGeometryBytes = sizeof(ccd::EdgeEdgeGeometry);
};

template <class Pair>
std::size_t BytesPerPair(bool has_times, bool has_geometry) {
  return PairLayout<Pair>::kIdBytes + (has_times ? kTimeBytes : 0) +
         (has_geometry ? PairLayout<Pair>::kGeometryBytes : 0);
}

/// Sets `bytes` to the `kSize` bytes at `offset` of each pair. They go through a block that stays
/// in the cache: a string that is resized first would be written twice.
template <std::size_t kSize, class Pair>
void SetColumn(std::span<const Pair> pairs, std::size_t offset, std::string* bytes) {
  constexpr std::size_t kPairsPerBlock = 256;
  char block[kPairsPerBlock * kSize];
  bytes->clear();
  bytes->reserve(pairs.size() * kSize);
  while (!pairs.empty()) {
    const auto some = pairs.first(std::min(pairs.size(), kPairsPerBlock));
    char* next = block;
    for (const Pair& pair : some) {
      std::memcpy(next, reinterpret_cast<const char*>(&pair) + offset, kSize);
      next += kSize;
    }
    bytes->append(block, some.size() * kSize);
    pairs = pairs.subspan(some.size());
  }
}

/// Sets the ids, which come first in a pair without padding, and the times.
template <class Pair>
void SetPairs(std::span<const Pair> pairs, bool has_times, std::string* ids, std::string* times) {
  constexpr std::size_t kIdBytes = PairLayout<Pair>::kIdBytes;
  static_assert(offsetof(Pair, time) == kIdBytes);
  SetColumn<kIdBytes>(pairs, 0, ids);
  if (has_times) SetColumn<kTimeBytes>(pairs, offsetof(Pair, time), times);
}

/// Sets what lies before the normals, and the normals.
template <class Geometry>
void SetGeometry(std::span<const Geometry> geometry, std::string* places, std::string* normals) {
  constexpr std::size_t kNormal = offsetof(Geometry, normal);
  static_assert(kNormal + 3 * sizeof(double) == sizeof(Geometry));
  SetColumn<kNormal>(geometry, 0, places);
  SetColumn<3 * sizeof(double)>(geometry, kNormal, normals);
}

/// The next pairs that fit into `bytes` at so many a pair; moves `next` behind them and takes their
/// size off `bytes`.
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
  core.min_separation = options.min_separation();
  core.max_time = options.max_time() == 0.0 ? 1 : options.max_time();
  core.with_geometry = options.with_geometry();
  core.unsorted = options.unsorted();
  if (const absl::Status status = ccd::CheckOptions(core); !status.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("collision.", status.message()));
  }
  return core;
}

ResultWriter::ResultWriter(const ccd::CollisionResult& result, ccd::Report report)
    : result_(result),
      has_times_(report != ccd::Report::kCandidates),
      has_geometry_(!result.vertex_face_geometry.empty() || !result.edge_edge_geometry.empty()) {}

std::size_t ResultWriter::list_bytes() const {
  return result_.vertex_face.size() * VertexFaceBytes() +
         result_.edge_edge.size() * EdgeEdgeBytes();
}

std::size_t ResultWriter::VertexFaceBytes() const {
  return BytesPerPair<ccd::VertexFaceCollision>(has_times_, has_geometry_);
}

std::size_t ResultWriter::EdgeEdgeBytes() const {
  return BytesPerPair<ccd::EdgeEdgeCollision>(has_times_, has_geometry_);
}

bool ResultWriter::NextPart(std::size_t max_bytes, v1::CollisionResult* part) {
  std::size_t bytes = std::max({max_bytes, VertexFaceBytes(), EdgeEdgeBytes()});
  const std::size_t vertex_face = next_vertex_face_, edge_edge = next_edge_edge_;
  SetPairs(TakePairs(result_.vertex_face, VertexFaceBytes(), &next_vertex_face_, &bytes),
           has_times_, part->mutable_vertex_face_ids(), part->mutable_vertex_face_times());
  // Only behind the last vertex-face pair, even where an edge-edge pair would fit: lists are
  // ordered.
  if (next_vertex_face_ == result_.vertex_face.size()) {
    SetPairs(TakePairs(result_.edge_edge, EdgeEdgeBytes(), &next_edge_edge_, &bytes), has_times_,
             part->mutable_edge_edge_ids(), part->mutable_edge_edge_times());
  }
  if (has_geometry_) {
    SetGeometry(std::span(result_.vertex_face_geometry)
                    .subspan(vertex_face, next_vertex_face_ - vertex_face),
                part->mutable_vertex_face_weights(), part->mutable_vertex_face_normals());
    SetGeometry(
        std::span(result_.edge_edge_geometry).subspan(edge_edge, next_edge_edge_ - edge_edge),
        part->mutable_edge_edge_parameters(), part->mutable_edge_edge_normals());
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
