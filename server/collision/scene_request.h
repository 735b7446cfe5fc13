// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Checks requests for scenes and steps and converts them for the engine; keeps facts of open
// scenes.
#ifndef WARPYARD_SERVER_COLLISION_SCENE_REQUEST_H_
#define WARPYARD_SERVER_COLLISION_SCENE_REQUEST_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "absl/status/statusor.h"
#include "core/api/collision.h"
#include "server/collision/step_order.h"
#include "server/convert/job.h"
#include "server/jobs/resident_table.h"
#include "warpyard/v1/collision_service.pb.h"

namespace warpyard::server {

/// What the checks of a step need to know of its scene.
struct SceneFacts {
  static constexpr const char* kNoun = "scene";

  /// Each step must have positions of this many vertices.
  std::size_t vertices = 0;
  /// Each pose must have this many matrices; 0: steps have positions instead.
  std::uint32_t bodies = 0;
  std::shared_ptr<StepOrder> order = std::make_shared<StepOrder>();
};

using SceneUse = ResidentTable::Use<SceneFacts>;

/// A step with views into its request, which must outlive it.
struct StepRequest {
  SceneUse scene;
  collision::StepDescription step;
  JobOptions job;
};

/// @errors INVALID_ARGUMENT, NOT_FOUND
absl::StatusOr<StepRequest> ToStep(const v1::StepRequest& request, const CallFacts& call,
                                   ResidentTable& residents);

/// The scene of an OpenSceneRequest or a DetectRequest, with views into it.
/// @errors INVALID_ARGUMENT
absl::StatusOr<collision::SceneDescription> ToScene(const v1::OpenSceneRequest& request);
absl::StatusOr<collision::SceneDescription> ToScene(const v1::DetectRequest& request);

/// A mesh with its group rule, with views into both. @errors INVALID_ARGUMENT
absl::StatusOr<collision::SceneDescription> ToScene(const v1::TriangleMesh& mesh,
                                                    v1::GroupRule rule,
                                                    std::span<const std::uint64_t> group_matrix);

/// The step of a DetectRequest. @errors INVALID_ARGUMENT
absl::StatusOr<collision::StepDescription> ToStep(const v1::DetectRequest& request,
                                                  const collision::SceneDescription& scene);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_SCENE_REQUEST_H_
