// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The job type of collision events.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_JOB_COLLISION_JOB_H_
#define WARPYARD_CORE_WORKLOAD_CCD_JOB_COLLISION_JOB_H_

#include <cstdint>

#include "core/workload/ccd/job/scene_view.h"
#include "core/workload/ccd/job/step_view.h"

namespace warpyard::ccd {

/// What an event does. A build is two or three events: the first one makes keys, which are sorted
/// after it, or splits ranges of triangles from the top, which both makes keys and links; the next
/// one arranges clusters in the order of the keys; the last one links the binary hierarchy, where
/// there is one, or only refits what a build from the top has linked. Builds refit at rest, which
/// tells the size of what was built.
enum class CollisionTask : std::uint32_t {
  kMakeKeys,
  kArrangeClusters,
  kLinkHierarchy,
  kSplitTopDown,
  kRefitTopDown,
  kStep
};

struct CollisionJob {
  CollisionTask task;
  std::uint32_t shares;  ///< in how many shares to deal out indices of like work; see SharesOf
  SceneView scene;
  /// Builds read `start`, `end`, `sources`, `asked.end_time`, `counters` and `spare_keys` alone.
  StepView step;
};

/// CollisionJob::shares for so many workers. @shape workers: as of EventRunner
constexpr std::uint32_t SharesOf(std::uint32_t workers) {
  // A worker of a device is a block of seven warps. Somewhat fewer shares than warps, so that a
  // warp that begins late leaves no share for a second turn.
  constexpr std::uint32_t kSharesOfHundredWorkers = 633;
  return workers * kSharesOfHundredWorkers / 100;
}

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_JOB_COLLISION_JOB_H_
