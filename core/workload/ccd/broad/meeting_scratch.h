// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The memory of a group that compares clusters. It is one structure, because separate parts would
// need padding, and a device would keep an address for each part.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_BROAD_MEETING_SCRATCH_H_
#define WARPYARD_CORE_WORKLOAD_CCD_BROAD_MEETING_SCRATCH_H_

#include <cstdint>

#include "core/procedure/lane_buffer.h"
#include "core/workload/ccd/job/cluster.h"
#include "core/workload/ccd/job/pair_ids.h"

namespace warpyard::ccd {

struct MeetingScratch {
  using Pairs = procedure::LaneBuffer<MarkedPair, 96>;
  using NearPairs = procedure::LaneBuffer<MarkedPair, 64>;

  Feature own[kClusterFeatures];       ///< features of the first cluster
  Feature other[kClusterFeatures];     ///< features of the second cluster in the first one's box
  std::uint8_t met[kClusterFeatures];  ///< places in `own` that meet the box of the other
  Pairs::Memory candidates;
  NearPairs::Memory near;
  NearPairs::Memory survivors;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_BROAD_MEETING_SCRATCH_H_
