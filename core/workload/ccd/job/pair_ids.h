// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A pair of features by its ids, in the forms in which lists store it.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_JOB_PAIR_IDS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_JOB_PAIR_IDS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/ccd/job/moving_pair.h"

namespace warpyard::ccd {

/// Ids of a pair of features: vertex and face, or two edges with the smaller first.
struct PairIds {
  std::uint32_t a;
  std::uint32_t b;
};

/// A pair of either kind: the top bit of the first id marks two edges.
struct MarkedPair {
  PairIds ids;
  static constexpr std::uint32_t kEdges = 0x80000000u;

  WY_HD static MarkedPair Of(PairKind kind, PairIds ids) {
    return {{ids.a | (kind == PairKind::kEdgeEdge ? kEdges : 0), ids.b}};
  }
  WY_HD PairKind Kind() const {
    return (ids.a & kEdges) != 0 ? PairKind::kEdgeEdge : PairKind::kVertexFace;
  }
  WY_HD PairIds Ids() const { return {ids.a & ~kEdges, ids.b}; }
};

/// A pair that a walk in floats could not prove free of contact for the whole step.
struct LeftPair {
  MarkedPair pair;
  float free_until;  ///< the walk proved it free before this time
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_JOB_PAIR_IDS_H_
