// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Bytes that a collision step must move, computed from its counts: the roofline of
// benchmarks/README.md.
#ifndef WARPYARD_BENCHMARKS_SUPPORT_BYTES_MOVED_H_
#define WARPYARD_BENCHMARKS_SUPPORT_BYTES_MOVED_H_

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/workload/ccd/collision_types.h"

namespace warpyard::collision_bench {

/// The sizes from which the bytes follow.
struct StepSizes {
  ccd::CollisionStatistics counts;
  std::uint64_t position_bytes = 12;  ///< per vertex, as the caller sends it
  std::uint64_t vertex_face_listed = 0, edge_edge_listed = 0;
};

/// Bytes of a phase for the best and the worst cache.
struct PhaseBytes {
  const char* phase;
  std::uint64_t least;     ///< each datum once: no program moves fewer bytes
  std::uint64_t gathered;  ///< each pair reads its own data, as without a cache
  bool over_link;          ///< between host and device; else in the device's memory
};

/// A swept box is 6 floats. An edge has 2 indices, a face 3, a listed pair its ids and a time.
inline constexpr std::uint64_t kBoxBytes = 24, kEdgeBytes = 8, kFaceBytes = 12;
inline constexpr std::uint64_t kListedVertexFaceBytes = 16, kListedEdgeEdgeBytes = 24;

inline std::array<PhaseBytes, 5> BytesMoved(const StepSizes& sizes) {
  const ccd::CollisionStatistics& counts = sizes.counts;
  const std::uint64_t vertices = counts.vertices, edges = counts.edges, faces = counts.triangles;
  const std::uint64_t candidates = counts.vertex_face_candidates + counts.edge_edge_candidates;
  const std::uint64_t positions = vertices * sizes.position_bytes;
  const std::uint64_t topology = edges * kEdgeBytes + faces * kFaceBytes;
  const std::uint64_t boxes = (vertices + edges + faces) * kBoxBytes;
  const std::uint64_t listed = sizes.vertex_face_listed * kListedVertexFaceBytes +
                               sizes.edge_edge_listed * kListedEdgeEdgeBytes;
  // Edges and faces read the boxes of their vertices. A pair reads two boxes, then four vertices at
  // both ends of the step with their indices.
  const std::uint64_t corners = (2 * edges + 3 * faces) * kBoxBytes;
  const std::uint64_t points = candidates * (8 * sizes.position_bytes + 16);
  return {{{"copy_in", positions, positions, true},
           {"refit", 2 * positions + topology + boxes, 2 * positions + topology + boxes + corners,
            false},
           {"broad", boxes, boxes + 2 * candidates * kBoxBytes, false},
           {"narrow", std::min(2 * positions + topology, points) + listed, points + listed, false},
           {"copy_out", listed, listed, true}}};
}

}  // namespace warpyard::collision_bench

#endif  // WARPYARD_BENCHMARKS_SUPPORT_BYTES_MOVED_H_
