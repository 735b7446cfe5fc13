// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The job type of collision events.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_COLLISION_JOB_H_
#define WARPYARD_CORE_WORKLOAD_CCD_COLLISION_JOB_H_

#include <cstdint>

#include "core/workload/ccd/scene_view.h"

namespace warpyard::ccd {

/// What an event does: the first or second half of building a hierarchy (keys are sorted between
/// them), or a step.
enum class CollisionTask : std::uint32_t { kMakeKeys, kLinkHierarchy, kStep };

struct CollisionJob {
  CollisionTask task;
  SceneView scene;
  StepView step;  ///< kMakeKeys reads `start`; kLinkHierarchy nothing
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_COLLISION_JOB_H_
