// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Which node of a cut stands for a leaf.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_CUT_STAND_IN_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_CUT_STAND_IN_H_

#include <cstdint>
#include <cstring>

#include "core/base/macros.h"
#include "core/workload/simplify/job/simplify_job.h"

namespace warpyard::simplify {

/// Whether a bit is set. @shape bits: [bit / 32]
WY_HD inline bool HasBit(const std::uint32_t* bits, std::uint32_t bit) {
  return (bits[bit / 32] >> bit % 32 & 1u) != 0;
}

/// The error at which a cut is made.
WY_HD inline float CutErrorOf(const SimplifyJob& job) {
  if (!job.cut.selects) return job.cut.error;
  float error;
  std::memcpy(&error, &job.counters->threshold, sizeof error);
  // Triangles with locked corners are in every cut.
  return error < kLocked ? error : kMostError;
}

/// Whether a node stands for all leaves below it.
WY_HD inline bool Stands(const SimplifyJob& job, std::uint32_t node) {
  const std::uint32_t leaves = job.model.leaves;
  if (job.cut.expanded != nullptr && node >= leaves && HasBit(job.cut.expanded, node - leaves)) {
    return false;
  }
  if (job.cut.rule == CutRule::kExpanded) return true;
  if (job.cut.rule == CutRule::kLevel) {
    return node < job.cut.level_end && job.model.errors[node] < kLocked;
  }
  const bool by_error = job.cut.rule == CutRule::kError;
  return (by_error ? job.model.errors : job.model.distances)[node] <= CutErrorOf(job);
}

/// Finds the topmost nodes that stand for three leaves. Those that stand for a leaf lie below all
/// that do not. The ways up are independent, so their loads are under way together.
WY_HD inline void MapCorners(const SimplifyJob& job, const std::uint32_t* leaves,
                             std::uint32_t* nodes) {
  bool climbs[3] = {true, true, true};
  std::uint32_t tops[3] = {leaves[0], leaves[1], leaves[2]}, parents[3];
  while (climbs[0] || climbs[1] || climbs[2]) {
    WY_UNROLLED
    for (int k = 0; k < 3; ++k) parents[k] = climbs[k] ? job.model.parents[tops[k]] : kNone;
    WY_UNROLLED
    for (int k = 0; k < 3; ++k) {
      climbs[k] = parents[k] != kNone && Stands(job, parents[k]);
      if (climbs[k]) tops[k] = parents[k];
    }
  }
  for (int k = 0; k < 3; ++k) nodes[k] = tops[k];
}

/// The topmost wedge of a leaf that lies within what its point's node stands for.
WY_HD inline std::uint32_t WedgeStandIn(const SimplifyJob& job, std::uint32_t leaf) {
  const WedgeView& wedges = job.model.wedges;
  std::uint32_t wedge = leaf;
  while (true) {
    const std::uint32_t parent = wedges.parents[wedge];
    if (parent == kNone || !Stands(job, wedges.owners[parent])) return wedge;
    wedge = parent;
  }
}

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_CUT_STAND_IN_H_
