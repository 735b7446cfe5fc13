// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Checks requests for sets of scenes and their steps and converts them for the engine.
#ifndef WARPYARD_SERVER_COLLISION_BATCH_SET_REQUEST_H_
#define WARPYARD_SERVER_COLLISION_BATCH_SET_REQUEST_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/api/scene_set.h"
#include "server/collision/step_order.h"
#include "server/convert/job.h"
#include "server/jobs/resident_table.h"
#include "warpyard/v1/collision_batch_service.pb.h"

namespace warpyard::server {

/// What the checks of a step need to know of its set.
struct SetFacts {
  static constexpr const char* kNoun = "set";

  std::size_t vertices = 0;  ///< of each world
  std::uint32_t worlds = 0;
  std::uint32_t bodies = 0;  ///< matrices in the pose of a world
  std::shared_ptr<StepOrder> order = std::make_shared<StepOrder>();
};

using SetUse = ResidentTable::Use<SetFacts>;

/// A step of a set, with views into its request, which must outlive it.
struct SetStepRequest {
  SetUse set;
  collision::SetStepDescription step;
  std::vector<std::uint32_t> rows;    ///< of the step
  std::vector<absl::Status> refused;  ///< one a row: not OK for a row that the step skips
  JobOptions job;
};

/// The set of a request, with views into it. @shape most_worlds: --max-worlds
/// @errors INVALID_ARGUMENT
absl::StatusOr<collision::SetDescription> ToSet(const v1::OpenScenesRequest& request,
                                                std::uint32_t most_worlds);

/// @errors INVALID_ARGUMENT, NOT_FOUND: what concerns all worlds of the step
absl::StatusOr<SetStepRequest> ToSetStep(const v1::SetStep& request, const CallFacts& call,
                                         ResidentTable& residents);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_BATCH_SET_REQUEST_H_
