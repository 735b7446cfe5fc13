// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Options and results of collision jobs: wire <-> core.
#ifndef WARPYARD_SERVER_COLLISION_CONVERT_H_
#define WARPYARD_SERVER_COLLISION_CONVERT_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/status/statusor.h"
#include "core/workload/ccd/collision_types.h"
#include "server/convert/job.h"
#include "warpyard/v1/collision_service.pb.h"

namespace warpyard::server {

inline constexpr double kDefaultTolerance = 1e-8;
inline constexpr double kMinTolerance = 1e-12;
inline constexpr double kMaxTolerance = 1e6;
inline constexpr std::uint32_t kDefaultMaxIntervals = 1'000'000;
inline constexpr std::uint32_t kLimitOfMaxIntervals = 100'000'000;

/// @errors INVALID_ARGUMENT
absl::StatusOr<ccd::CollisionOptions> ToCollisionOptions(const v1::CollisionOptions& options);

/// A part of a result: views of its lists, and the fields that are not lists.
struct ResultPart {
  std::span<const ccd::VertexFaceCollision> vertex_face;
  std::span<const ccd::EdgeEdgeCollision> edge_edge;
  bool has_times = false;
  /// @shape one entry for each pair of the lists above, or empty
  std::span<const ccd::VertexFaceGeometry> vertex_face_geometry;
  std::span<const ccd::EdgeEdgeGeometry> edge_edge_geometry;
  /// The fields that are not lists. Set in the last part only.
  v1::CollisionResult others;
  bool is_last = false;
};

/// Bytes of a pair of each kind, as messages contain it.
struct PairBytes {
  std::size_t vertex_face = 0;
  std::size_t edge_edge = 0;
};
PairBytes PairBytesOf(const ccd::CollisionResult& result, ccd::Report report);

/// Divides one result into parts of bounded size, or returns it as one part.
class ResultReader {
 public:
  /// The result must outlive the reader, and its parts.
  ResultReader(const ccd::CollisionResult& result, ccd::Report report);

  /// Size of all lists as messages contain them, in bytes.
  std::size_t list_bytes() const;

  /// The next part. Its lists take at most `max_bytes` and have at least one pair. Must not be
  /// called after the last part.
  ResultPart NextPart(std::size_t max_bytes);

 private:
  const ccd::CollisionResult& result_;
  const bool has_times_;
  const bool has_geometry_;
  const PairBytes pair_bytes_;
  std::size_t next_vertex_face_ = 0;
  std::size_t next_edge_edge_ = 0;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_CONVERT_H_
