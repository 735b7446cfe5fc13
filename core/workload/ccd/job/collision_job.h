// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The job type of collision events.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_JOB_COLLISION_JOB_H_
#define WARPYARD_CORE_WORKLOAD_CCD_JOB_COLLISION_JOB_H_

#include <cstdint>

#include "core/workload/ccd/job/scene_view.h"
#include "core/workload/ccd/job/step_view.h"

namespace warpyard::ccd {

/// What an event does. A build takes two or three events. kMakeKeys makes Morton keys, which are
/// sorted after the event. Instead of it, kSplitTopDown splits ranges of triangles from the top,
/// which gives both keys and links. Then kArrangeClusters arranges clusters in the order of the
/// keys. Where there is a binary hierarchy, kLinkHierarchy links it, or kRefitTopDown refits what
/// kSplitTopDown has linked. Builds refit at rest, which measures the size of the new hierarchy.
enum class CollisionTask : std::uint32_t {
  kMakeKeys,
  kArrangeClusters,
  kBoundClusters,
  kLinkHierarchy,
  kSplitTopDown,
  kRefitTopDown,
  kStep
};

struct CollisionJob {
  CollisionTask task;
  std::uint32_t shares;  ///< number of shares of indices of equal cost; see SharesOf
  SceneView scene;
  /// Builds read only `start`, `end`, `sources`, `asked.end_time`, `counters` and `spare_keys`.
  StepView step;
};

/// CollisionJob::shares for a number of workers. @shape workers: as of EventRunner
constexpr std::uint32_t SharesOf(std::uint32_t workers) {
  // A worker of a device is a block of seven warps. There are slightly fewer shares than warps, so
  // that a warp that starts late leaves no share for a second turn.
  constexpr std::uint32_t kSharesOfHundredWorkers = 633;
  return workers * kSharesOfHundredWorkers / 100;
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_JOB_COLLISION_JOB_H_
