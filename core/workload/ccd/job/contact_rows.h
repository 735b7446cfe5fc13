// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Memory in which a step sorts its lists of collisions: a counting sort by first ids.
//
// Collisions of one kind with the same first id are a row. The first id is the vertex of a vertex
// and a face, or the greater vertex of the first of two edges. Root finding counts the collisions
// of each row, and of each part, which is a number of rows. Later stages turn counts into places
// and deal the collisions out to their rows (contact_sort.h).
#ifndef WARPYARD_CORE_WORKLOAD_CCD_JOB_CONTACT_ROWS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_JOB_CONTACT_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/ccd/collision_types.h"

namespace warpyard::ccd {

/// A collision with its ids in the order in which they are compared: a vertex and a face, or of two
/// edges a1, a0, b1, b0.
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

/// Rows of vertices and faces, by vertex; then rows of edges. Null pointers: workers do not sort.
struct ContactRows {
  static constexpr std::uint32_t kMostParts = 1024, kLeastShift = 5;
  static constexpr std::uint32_t kMostVertices = 1u << 30;  // two rows each, counted in 32 bits

  std::uint32_t vertices;
  std::uint32_t shift;   ///< a part has 1 << shift rows
  std::uint32_t* ends;   ///< @shape [Rows()]: counts; then beginnings; when dealt out, ends
  std::uint32_t* parts;  ///< @shape [Parts()]: counts
  RowContact* dealt[2];  ///< by PairKind

  WY_HD std::uint32_t Rows() const { return 2 * vertices; }
  WY_HD std::uint32_t Parts() const { return ((Rows() - 1) >> shift) + 1; }

  /// @shape edges: whether the collision is of two edges, not of a vertex and a face
  WY_HD std::uint32_t RowOf(bool edges, std::uint32_t first_id) const {
    return (edges ? vertices : 0) + first_id;
  }

  /// When collisions are dealt out: where a row begins, and which row has a place.
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
  /// there are no more parts than vertices.
  WY_HD void Clear(std::uint32_t vertex) const {
    ends[vertex] = ends[vertices + vertex] = 0;
    if (vertex < Parts()) parts[vertex] = 0;
  }

  template <class Scope>
  WY_HD void Count(std::uint32_t row) const {
    Scope::Word(ends[row]).FetchAddRelaxed(1);
    Scope::Word(parts[row >> shift]).FetchAddRelaxed(1);
  }

  /// Words of memory that rows of a scene need. @shape vertices: 1 to kMostVertices
  static constexpr std::size_t WordsOf(std::uint32_t vertices) {
    return 2 * std::size_t{vertices} + ((2 * vertices - 1) >> ShiftOf(vertices)) + 1;
  }

  /// The smallest parts of which there are at most kMostParts, so that all workers get some.
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
