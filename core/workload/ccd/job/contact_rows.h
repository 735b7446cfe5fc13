// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Memory in which a step sorts its lists of collisions: a counting sort by first ids.
//
// Collisions of one kind with the same first id are a row. The first id of a vertex-face pair is
// the vertex; the first id of an edge-edge pair is the greater vertex of its first edge. Several
// rows are a part. Root finding counts the collisions of each row and of each part. Later stages
// turn counts into places and copy the collisions to their rows (contact_sort.h).
#ifndef WARPYARD_CORE_WORKLOAD_CCD_JOB_CONTACT_ROWS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_JOB_CONTACT_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/ccd/collision_types.h"

namespace warpyard::ccd {

/// A collision with its ids in the order of comparison: vertex, face for a vertex-face pair; a1,
/// a0, b1, b0 for two edges.
struct RowContact {
  std::uint32_t ids[4];
  double time;

  WY_HD static RowContact Of(const VertexFaceCollision& pair) {
    return {{pair.vertex, pair.face, 0, 0}, pair.time};
  }
  WY_HD static RowContact Of(const EdgeEdgeCollision& pair) {
    return {{pair.a1, pair.a0, pair.b1, pair.b0}, pair.time};
  }
  WY_HD VertexFaceCollision VertexFace() const { return {ids[0], ids[1], time}; }
  WY_HD EdgeEdgeCollision EdgeEdge() const { return {ids[1], ids[0], ids[3], ids[2], time}; }

  /// Whether this collision comes before another one of its row.
  WY_HD bool IsBefore(const RowContact& other) const {
    if (ids[1] != other.ids[1]) return ids[1] < other.ids[1];
    return (std::uint64_t{ids[2]} << 32 | ids[3]) <
           (std::uint64_t{other.ids[2]} << 32 | other.ids[3]);
  }
};

/// Rows of vertex-face pairs, by vertex; then rows of edge-edge pairs. Null pointers: workers do
/// not sort.
struct ContactRows {
  static constexpr std::uint32_t kMostParts = 1024, kLeastShift = 5;
  static constexpr std::uint32_t kMostVertices = 1u << 30;  // two rows each, counted in 32 bits

  std::uint32_t vertices;
  std::uint32_t shift;   ///< a part has 1 << shift rows
  std::uint32_t* ends;   ///< @shape [Rows()]: first counts, then begins, at last ends
  std::uint32_t* parts;  ///< @shape [Parts()]: counts
  RowContact* dealt[2];  ///< by PairKind

  WY_HD std::uint32_t Rows() const { return 2 * vertices; }
  WY_HD std::uint32_t Parts() const { return ((Rows() - 1) >> shift) + 1; }

  /// @shape edges: whether the collision is of two edges, else of a vertex and a face
  WY_HD std::uint32_t RowOf(bool edges, std::uint32_t first_id) const {
    return (edges ? vertices : 0) + first_id;
  }

  /// Valid once collisions were copied to their rows: where a row begins, and the row of a place.
  WY_HD std::uint32_t BeginOf(std::uint32_t row) const { return row == 0 ? 0 : ends[row - 1]; }
  WY_HD std::uint32_t RowAt(std::uint32_t place) const {
    std::uint32_t low = 0, high = Rows() - 1;
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (ends[middle] > place) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /// Empties the two rows of a vertex, and one part. Calls for all vertices empty all parts, since
  /// there are at most as many parts as vertices.
  WY_HD void Clear(std::uint32_t vertex) const {
    ends[vertex] = ends[vertices + vertex] = 0;
    if (vertex < Parts()) parts[vertex] = 0;
  }

  template <class Scope>
  WY_HD void Count(std::uint32_t row) const {
    Scope::Word(ends[row]).FetchAddRelaxed(1);
    Scope::Word(parts[row >> shift]).FetchAddRelaxed(1);
  }

  /// Words of memory for the rows of a scene. @shape vertices: 1 to kMostVertices
  static constexpr std::size_t WordsOf(std::uint32_t vertices) {
    return 2 * std::size_t{vertices} + ((2 * vertices - 1) >> ShiftOf(vertices)) + 1;
  }

  /// The smallest size of parts that gives at most kMostParts, so that all workers get some.
  static constexpr std::uint32_t ShiftOf(std::uint32_t vertices) {
    std::uint32_t shift = kLeastShift;
    while ((2 * vertices - 1) >> shift >= kMostParts) ++shift;
    return shift;
  }

  /// @shape words: [WordsOf(vertices)]
  static ContactRows In(std::uint32_t* words, std::uint32_t vertices) {
    return {vertices, ShiftOf(vertices), words, words + 2 * std::size_t{vertices}, {}};
  }
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_JOB_CONTACT_ROWS_H_
