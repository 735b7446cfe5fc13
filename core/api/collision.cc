// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/api/collision.h"

#include <bit>
#include <memory>
#include <utility>

#include "core/api/typed_jobs.h"
#include "core/base/macros.h"
#include "core/workload/ccd/scene/scene.h"

namespace warpyard::collision {
namespace {

using Runner = JobContext::Runner<ccd::CollisionJob>;

using SceneResident = api::TypedResident<ccd::Scene>;

absl::StatusOr<std::unique_ptr<ccd::Scene>> Open(JobContext& context,
                                                 const SceneDescription& description,
                                                 PhaseTimes& phases) {
  Runner runner(context);
  const ccd::SceneInput input = {.positions = description.positions,
                                 .triangles = description.triangles,
                                 .vertex_groups = description.vertex_groups,
                                 .group_rule = description.group_rule,
                                 .group_matrix = description.group_matrix,
                                 .build = description.build};
  return ccd::Scene::Open(context.backend(), runner, input, context.token(), phases);
}

absl::StatusOr<ccd::CollisionResult> StepOf(JobContext& context, ccd::Scene& scene,
                                            const StepDescription& step) {
  Runner runner(context);
  return scene.Step(runner, {step.end, step.start}, step.options, context.token());
}

/// Adds the phases of opening to the phases of the step. A phase of the same name gets the sum.
void AddPhases(const PhaseTimes& opening, PhaseTimes& phases) {
  for (auto opened = opening.rbegin(); opened != opening.rend(); ++opened) {
    PhaseTime* same = nullptr;
    for (PhaseTime& phase : phases) same = phase.phase == opened->phase ? &phase : same;
    if (same != nullptr) {
      same->duration += opened->duration;
    } else {
      phases.insert(phases.begin(), *opened);
    }
  }
}

}  // namespace

JobId OpenScene(Engine& engine, const SceneDescription& scene, const JobOptions& job,
                OpenDone done) {
  auto info = std::make_shared<SceneInfo>();
  return engine.OpenResident(
      job,
      [scene, info](JobContext& context) -> absl::StatusOr<std::unique_ptr<Resident>> {
        info->phases.push_back({"queue", context.waited()});
        WY_ASSIGN_OR_RETURN(std::unique_ptr<ccd::Scene> opened, Open(context, scene, info->phases));
        info->edges = opened->EdgeCount();
        info->bodies = opened->BodyCount();
        return std::make_unique<SceneResident>(std::move(opened));
      },
      api::OpenCompletion(info, std::move(done)));
}

JobId Step(Engine& engine, ResidentId scene, const StepDescription& step, const JobOptions& job,
           StepDone done) {
  auto result = std::make_shared<ccd::CollisionResult>();
  return engine.Run(
      scene,
      api::OfKind(job, step.options.report, step.options.traversal, step.options.root_finder,
                  step.options.with_geometry),
      [step, result](JobContext& context, Resident& resident) -> absl::Status {
        WY_ASSIGN_OR_RETURN(ccd::Scene* const opened, api::OpenedAs<ccd::Scene>(resident, "scene"));
        WY_ASSIGN_OR_RETURN(*result, StepOf(context, *opened, step));
        PhaseTimes& phases = result->statistics.phases;
        phases.insert(phases.begin(), {"queue", context.waited()});
        return absl::OkStatus();
      },
      api::Completion(result, std::move(done)));
}

JobId Detect(Engine& engine, const SceneDescription& scene, const StepDescription& step,
             const JobOptions& job, StepDone done) {
  auto result = std::make_shared<ccd::CollisionResult>();
  // Scenes of about the same size are alike.
  const auto size = std::bit_width(scene.triangles.size());
  return engine.Run(
      api::OfKind(job, "detect", size, step.options.report, step.options.traversal),
      [scene, step, result](JobContext& context) -> absl::Status {
        PhaseTimes opening = {{"queue", context.waited()}};
        WY_ASSIGN_OR_RETURN(const std::unique_ptr<ccd::Scene> opened,
                            Open(context, scene, opening));
        WY_ASSIGN_OR_RETURN(*result, StepOf(context, *opened, step));
        AddPhases(opening, result->statistics.phases);
        return absl::OkStatus();
      },
      api::Completion(result, std::move(done)));
}

}  // namespace warpyard::collision
