// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/collision/scene_request.h"

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "core/workload/ccd/group_matrix.h"
#include "core/workload/ccd/static_vertices.h"
#include "server/collision/convert.h"
#include "server/collision/pose.h"
#include "server/convert/mesh.h"

namespace warpyard::server {
namespace {

absl::StatusOr<ccd::GroupRule> ToGroupRule(v1::GroupRule rule) {
  switch (rule) {
    case v1::GROUP_RULE_UNSPECIFIED:
    case v1::GROUP_RULE_ALL:
      return ccd::GroupRule::kAll;
    case v1::GROUP_RULE_DIFFERENT:
      return ccd::GroupRule::kDifferent;
    case v1::GROUP_RULE_SAME:
      return ccd::GroupRule::kSame;
    case v1::GROUP_RULE_MATRIX:
      return ccd::GroupRule::kMatrix;
    default:
      return InvalidField("group_rule", absl::StrCat("unknown value ", static_cast<int>(rule)));
  }
}

absl::StatusOr<ccd::HierarchyBuild> ToHierarchyBuild(v1::HierarchyBuild build) {
  switch (build) {
    case v1::HIERARCHY_BUILD_UNSPECIFIED:
    case v1::HIERARCHY_BUILD_MORTON:
      return ccd::HierarchyBuild::kMorton;
    case v1::HIERARCHY_BUILD_TOP_DOWN:
      return ccd::HierarchyBuild::kTopDown;
    default:
      return InvalidField("hierarchy_build",
                          absl::StrCat("unknown value ", static_cast<int>(build)));
  }
}

/// @shape Request: with the fields of SceneRules
template <class Request>
absl::StatusOr<collision::SceneDescription> SceneOf(const Request& request) {
  SceneRules rules = {request.group_rule(), GroupMatrixOf(request), request.static_vertices()};
  WY_ASSIGN_OR_RETURN(rules.build, ToHierarchyBuild(request.hierarchy_build()));
  return ToScene(request.mesh(), rules);
}

}  // namespace

absl::StatusOr<collision::SceneDescription> ToScene(const v1::TriangleMesh& mesh,
                                                    const SceneRules& rules) {
  collision::SceneDescription scene;
  WY_ASSIGN_OR_RETURN(scene.group_rule, ToGroupRule(rules.group_rule));
  WY_ASSIGN_OR_RETURN(const MeshView checked, ToMesh(mesh));
  scene.positions = checked.positions;
  scene.triangles = checked.triangles;
  scene.vertex_groups = checked.vertex_groups;
  scene.group_matrix = rules.group_matrix;
  scene.build = rules.build;
  scene.static_vertices = rules.static_vertices;
  WY_RETURN_IF_ERROR(
      ccd::CheckGroupMatrix(scene.group_rule, scene.vertex_groups, scene.group_matrix));
  WY_RETURN_IF_ERROR(ccd::CheckStaticVertices({scene.positions.vertices, scene.static_vertices},
                                              scene.triangles, scene.build));
  return scene;
}

std::size_t MovingVertices(const collision::SceneDescription& scene) {
  return scene.positions.vertices - scene.static_vertices;
}

absl::StatusOr<StepRequest> ToStep(const v1::StepRequest& request, const CallFacts& call,
                                   ResidentTable& residents) {
  StepRequest checked;
  WY_ASSIGN_OR_RETURN(checked.scene,
                      residents.Find<SceneFacts>(request.scene(), call.caller.owner()));
  const SceneFacts& facts = checked.scene->facts;
  collision::StepDescription& step = checked.step;
  if (request.has_end_pose()) {
    WY_ASSIGN_OR_RETURN(step.end, ToPose(request.end_pose(), "end_pose", facts.bodies));
  } else if (request.has_end()) {
    WY_ASSIGN_OR_RETURN(step.end, ToPositions(request.end(), "end", facts.vertices));
  } else {
    return InvalidField("end", "missing; a step needs end or end_pose");
  }
  if (request.has_start_pose()) {
    WY_ASSIGN_OR_RETURN(step.start, ToPose(request.start_pose(), "start_pose", facts.bodies));
  } else if (request.has_start()) {
    WY_ASSIGN_OR_RETURN(step.start, ToPositions(request.start(), "start", facts.vertices));
  }
  WY_ASSIGN_OR_RETURN(step.options, ToCollisionOptions(request.collision()));
  WY_ASSIGN_OR_RETURN(checked.job, ToJobOptions(request.job(), call));
  return checked;
}

absl::StatusOr<collision::SceneDescription> ToScene(const v1::OpenSceneRequest& request) {
  return SceneOf(request);
}

absl::StatusOr<collision::SceneDescription> ToScene(const v1::DetectRequest& request) {
  return SceneOf(request);
}

absl::StatusOr<collision::StepDescription> ToStep(const v1::DetectRequest& request,
                                                  const collision::SceneDescription& scene) {
  if (!request.has_end()) return InvalidField("end", "missing");
  collision::StepDescription step;
  WY_ASSIGN_OR_RETURN(step.end, ToPositions(request.end(), "end", MovingVertices(scene)));
  WY_ASSIGN_OR_RETURN(step.options, ToCollisionOptions(request.collision()));
  return step;
}

}  // namespace warpyard::server
