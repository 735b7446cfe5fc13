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

  /// Each step must have positions of this many vertices: those that move.
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

/// What requests say of a mesh that is to be a scene, or each world of a set.
struct SceneRules {
  v1::GroupRule group_rule;
  std::span<const std::uint64_t> group_matrix;
  std::uint32_t static_vertices;
  ccd::HierarchyBuild build = ccd::HierarchyBuild::kMorton;
};

/// A mesh with its rules, with views into both. @errors INVALID_ARGUMENT
absl::StatusOr<collision::SceneDescription> ToScene(const v1::TriangleMesh& mesh,
                                                    const SceneRules& rules);

/// The group matrix of a request. @shape Request: with `group_matrix`
template <class Request>
std::span<const std::uint64_t> GroupMatrixOf(const Request& request) {
  return {request.group_matrix().data(), static_cast<std::size_t>(request.group_matrix_size())};
}

/// The vertices of a scene whose positions a step has.
std::size_t MovingVertices(const collision::SceneDescription& scene);

/// The step of a DetectRequest. @errors INVALID_ARGUMENT
absl::StatusOr<collision::StepDescription> ToStep(const v1::DetectRequest& request,
                                                  const collision::SceneDescription& scene);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_SCENE_REQUEST_H_
