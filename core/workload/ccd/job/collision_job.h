// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The job type of collision events.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_JOB_COLLISION_JOB_H_
#define WARPYARD_CORE_WORKLOAD_CCD_JOB_COLLISION_JOB_H_

#include <cstdint>

#include "core/workload/ccd/job/scene_view.h"

namespace warpyard::ccd {

/// What an event does: make keys, which then are sorted; arrange clusters in the order of the keys,
/// or link the hierarchy over them, with a refit at rest for the size of what was built; or a step.
/// A build from the top splits ranges of triangles, which makes keys and links, in place of the
/// first, and only refits in place of linking.
enum class CollisionTask : std::uint32_t {
  kMakeKeys,
  kArrangeClusters,
  kLinkHierarchy,
  kSplitTopDown,
  kRefitTopDown,
  kStep
};

/// Stages of a step. With StepView::samples pairs of a sample of clusters tell a time until which
/// the rest of the step need be looked at: kSampleClusters to kFindSampleRoots find it, and the
/// stages after them start again with boxes that end there.
enum class StepStage : std::uint32_t {
  kBoundVertices,
  kRefit,
  kSampleClusters,
  kMeetSample,
  kFindSampleRoots,
  kBoundVerticesAgain,
  kRefitAgain,
  kSearch,
  kTraverse,
  kWalkPairs,
  kFindRoots,
  kPlaceRows,
  kDealContacts,
  kRankContacts,
  kEnd
};

struct CollisionJob {
  CollisionTask task;
  SceneView scene;
  /// What comes before steps reads `start`, `end`, `sources`, `end_time`, `counters`, `spare_keys`.
  StepView step;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_JOB_COLLISION_JOB_H_
