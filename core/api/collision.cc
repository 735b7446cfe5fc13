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

/// Steps of scenes with more vertices have a thread of their own: copying their positions would
/// keep the other jobs of a carrier waiting.
constexpr std::size_t kMostCarriedVertices = 8192;

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
                                 .build = description.build,
                                 .static_vertices = description.static_vertices};
  return ccd::Scene::Open(context.backend(), runner, input, context.token(), phases);
}

Task<absl::StatusOr<ccd::CollisionResult>> StepOf(JobContext& context, ccd::Scene& scene,
                                                  const StepDescription& step) {
  Runner runner(context);
  const ccd::StepInput input = {step.end, step.start};
  co_return co_await scene.Step(runner, input, step.options, context.token());
}

/// Whether the host has little to do for a step. A pose does not tell how large its scene is, but
/// with the earliest time as the result the host does no more for a large scene.
bool IsSmall(const StepDescription& step) {
  const auto is_small = [&](const ccd::StepPositions& given) {
    const auto* const positions = std::get_if<geometry::PositionsView>(&given);
    return positions == nullptr ? step.options.report == ccd::Report::kEarliest
                                : positions->vertices <= kMostCarriedVertices;
  };
  return !step.options.with_geometry && is_small(step.end) &&
         (!step.start || is_small(*step.start));
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
  const JobOptions options = api::OfKind(job, step.options.report, step.options.traversal,
                                         step.options.root_finder, step.options.with_geometry);
  auto work = [step, result](JobContext& context, Resident& resident) -> Task<absl::Status> {
    WY_CO_ASSIGN_OR_RETURN(ccd::Scene* const opened, api::OpenedAs<ccd::Scene>(resident, "scene"));
    WY_CO_ASSIGN_OR_RETURN(*result, co_await StepOf(context, *opened, step));
    PhaseTimes& phases = result->statistics.phases;
    phases.insert(phases.begin(), {"queue", context.waited()});
    co_return absl::OkStatus();
  };
  Engine::Done completion = api::Completion(result, std::move(done));
  if (IsSmall(step)) {
    return engine.RunCarried(scene, options, std::move(work), std::move(completion));
  }
  return engine.Run(
      scene, options,
      [work = std::move(work)](JobContext& context, Resident& resident) {
        return work(context, resident).RunNow();
      },
      std::move(completion));
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
        WY_ASSIGN_OR_RETURN(*result, StepOf(context, *opened, step).RunNow());
        AddPhases(opening, result->statistics.phases);
        return absl::OkStatus();
      },
      api::Completion(result, std::move(done)));
}

}  // namespace warpyard::collision
