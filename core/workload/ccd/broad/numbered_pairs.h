// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The pairs of clusters of a small scene, by number instead of by a search. (docs/adr/0055)
//
// A search is a stage, and in a small step a stage takes longer than its work. So where a scene has
// few clusters, the workers that compare them find the overlapping pairs, too. Cluster c takes the
// pairs with the clusters c, c + 1, ... up to half of all clusters further on, after the last
// cluster the first one. So each pair belongs to one of its two clusters, and all clusters have
// equally many.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_BROAD_NUMBERED_PAIRS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_BROAD_NUMBERED_PAIRS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/workload/ccd/job/cluster.h"
#include "core/workload/ccd/job/pair_ids.h"
#include "core/workload/geometry/bounds.h"

namespace warpyard::ccd {

/// An index stands for a part of the pairs of one cluster: every kParts-th distance between the
/// two. Neighbours overlap more often than others, so each part gets some of them.
class NumberedPairs {
 public:
  static constexpr std::uint32_t kParts = 8;

  /// Where a group is in a range of indices.
  struct Cursor {
    std::uint32_t next, end;  ///< indices
    std::uint32_t turn;       ///< of the pairs of the next indices; a turn is one pair a lane
  };

  /// What a lane gets.
  struct Found {
    std::uint32_t lanes;  ///< that have an overlapping pair; 0 at the end of the range
    PairIds pair;         ///< of this lane
  };

  /// The most clusters. With more, a search takes less time, stage and all.
  static constexpr std::uint32_t kMostClusters = 256;

  WY_HD static std::uint32_t IndicesOf(const ClusterTree& tree) { return tree.clusters * kParts; }

  /// The next overlapping pairs, at most one for each lane. @scope the group
  template <exec::LaneScope Scope>
  WY_HD static Found Next(Scope& scope, const ClusterTree& tree, Cursor& cursor) {
    Found found{0, {0, 0}};
    while (cursor.next < cursor.end) {
      const Row row = RowOf(cursor);
      std::uint32_t first = row.first + cursor.turn * scope.Size() * row.step;
      for (; first <= Farthest(tree); first += scope.Size() * row.step) {
        ++cursor.turn;
        const std::uint32_t distance = first + scope.Rank() * row.step;
        found.lanes = scope.Ballot(Overlaps(tree, row, distance, found.pair));
        if (found.lanes != 0) return found;
      }
      cursor.next += row.parts_end - row.parts_begin;
      cursor.turn = 0;
    }
    return found;
  }

 private:
  /// Parts of one cluster: distances between the clusters of pairs, first, first + step, ...
  struct Row {
    std::uint32_t cluster;
    std::uint32_t first, step;
    std::uint32_t parts_begin, parts_end;
  };

  /// The largest distance.
  WY_HD static std::uint32_t Farthest(const ClusterTree& tree) { return tree.clusters / 2; }

  /// The next indices of one cluster.
  WY_HD static Row RowOf(const Cursor& cursor) {
    const std::uint32_t begin = cursor.next % kParts, left = cursor.end - cursor.next;
    const std::uint32_t end = left < kParts - begin ? begin + left : kParts;
    // The lanes would have little to do if they took the distances of one part from among all.
    const bool alone = end == begin + 1;
    return {cursor.next / kParts, alone ? begin : 0, alone ? kParts : 1, begin, end};
  }

  /// Whether a row has a pair with this distance, and the clusters overlap.
  WY_HD static bool Overlaps(const ClusterTree& tree, const Row& row, std::uint32_t distance,
                             PairIds& pair) {
    const std::uint32_t own = row.cluster, part = distance % kParts;
    if (distance > Farthest(tree) || part < row.parts_begin || part >= row.parts_end) return false;
    std::uint32_t other = own + distance;
    if (other >= tree.clusters) other -= tree.clusters;
    // Opposite clusters of the circle would find their pair twice: the lesser number takes it.
    if (2 * distance == tree.clusters && other < own) return false;
    if (own >= tree.MovingClusters() && other >= tree.MovingClusters()) return false;
    pair = {own, other};
    return geometry::Overlap(tree.boxes[other], tree.boxes[own]);
  }
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_BROAD_NUMBERED_PAIRS_H_
