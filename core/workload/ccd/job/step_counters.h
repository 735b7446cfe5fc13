// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a step counts while it runs, in backend memory.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_JOB_STEP_COUNTERS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_JOB_STEP_COUNTERS_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/ccd/job/hierarchy_size.h"
#include "core/workload/ccd/job/traversal_view.h"

namespace warpyard::ccd {

/// Counters of one step. All are zero before the step starts, except `earliest_bits`, and `pending`
/// of traversals in rounds.
struct StepCounters {
  std::uint64_t meetings;       ///< pairs of clusters, or of triangles
  std::uint64_t candidates[2];  ///< by PairKind
  std::uint64_t survivors[2];   ///< pairs that the filters left (or candidates to report)
  std::uint64_t left;           ///< survivors that a walk in floats left, if it was a stage
  std::uint64_t contacts[2];
  std::uint64_t listed_contacts[2];
  std::uint64_t capped_pairs;
  std::uint64_t unranked;         ///< not 0: a row of the sort was too long (contact_sort.h)
  std::uint64_t sample_part;      ///< SamplePart (sample_part.h)
  std::uint64_t sampled;          ///< candidates of the sample
  std::uint64_t earliest_bits;    ///< the earliest time's bits as a double, which sort like times
  std::uint64_t traverse_cycles;  ///< of all groups of workers in the traversal
  std::uint64_t filter_cycles;    ///< the part of them spent in the narrow phase's filters
  HierarchySize sizes[2];         ///< by HierarchyKind; of the boxes of the whole step
  TraversalCounters traversal;
};

/// Initial `earliest_bits`, the bits of 2.0: later than any time of impact.
inline constexpr std::uint64_t kNoContactBits = 0x4000000000000000ull;

/// What most steps start with.
WY_HD inline StepCounters ClearCounters() {
  StepCounters counters{};
  counters.earliest_bits = kNoContactBits;
  return counters;
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_JOB_STEP_COUNTERS_H_
