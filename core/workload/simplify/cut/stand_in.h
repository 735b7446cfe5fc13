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

/// The topmost node that stands for a leaf. Those that stand for it lie below all that do not.
WY_HD inline std::uint32_t StandIn(const SimplifyJob& job, std::uint32_t leaf) {
  std::uint32_t node = leaf;
  while (true) {
    const std::uint32_t parent = job.model.parents[node];
    if (parent == kNone || !Stands(job, parent)) return node;
    node = parent;
  }
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
