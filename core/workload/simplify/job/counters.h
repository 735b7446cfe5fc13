// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The numbers by which the stages of an event, and the host after it, know how much there is.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_COUNTERS_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_COUNTERS_H_

#include <cstdint>

namespace warpyard::simplify {

/// Depth of the smallest cells: they have a side of 2^-21 of the model's.
inline constexpr std::uint32_t kDeepest = 21;
inline constexpr std::uint32_t kDepths = kDeepest + 1;

/// What kCollapse counts in a pass.
struct PassCounters {
  std::uint32_t edges;      ///< those that may be considered
  std::uint32_t limit;      ///< the bin of costs from which on edges wait
  std::uint32_t last;       ///< the last bin of chosen edges that is applied
  std::uint32_t last_room;  ///< triangles that those of the last bin may remove
};

/// What the stages of a prefix sum tell each other.
struct ScanCounters {
  std::uint64_t total;
  std::uint32_t done;
};

/// What kJoin leaves.
struct JoinCounters {
  std::uint32_t roots;  ///< components that are left
  std::uint32_t made;   ///< nodes
};

/// What kWeld finds in the input.
struct InputCounters {
  std::uint32_t invalid;  ///< not 0: a position is not finite, or an index has no vertex
  /// The box around all positions. `greatest` has geometry::OrderedBits of the greatest
  /// coordinates, `least` the complement of geometry::OrderedBits of the least ones.
  std::uint32_t greatest[3], least[3];
};

/// Numbers that events leave for the host. @shape all 0 at the beginning of an event
struct Counters {
  ScanCounters scan;
  std::uint32_t leaves;     ///< kWeld
  std::uint32_t wedges;     ///< kWeld: leaves of the wedges' tree; kCut: wedges
  std::uint32_t triangles;  ///< kWeld, kCut, kResult, kCollapse: those that are left
  JoinCounters join;
  std::uint32_t survivors;  ///< kSelect: triangles with a greater key; cuts: those mapped
  std::uint32_t vertices;   ///< kCut, kEmit, kResult
  std::uint32_t expanded;   ///< kExpand: nodes
  std::uint32_t overflow;   ///< not 0: a list was too short
  std::uint32_t parts;      ///< kLink: roots
  /// kEmit, kResult: bits of the greatest root of a mean squared distance.
  std::uint32_t max_error;
  std::uint32_t threshold;  ///< kSelect: bits of the key
  PassCounters pass;
  union {
    std::uint32_t depths[kDepths];  ///< kEdges: not 0: there are edges of this depth
    InputCounters input;
  };
};

/// Bins of a histogram: kSelect, kCollapse.
inline constexpr std::uint32_t kBins = 2048;

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_COUNTERS_H_
