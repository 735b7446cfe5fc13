// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/api/scene_set.h"

#include <bit>
#include <memory>
#include <utility>

#include "core/api/typed_jobs.h"
#include "core/base/macros.h"
#include "core/workload/ccd/scene/worlds/scene_set.h"

namespace warpyard::collision {
namespace {

using Runner = JobContext::Runner<ccd::CollisionJob>;

absl::StatusOr<std::unique_ptr<ccd::SceneSet>> Open(JobContext& context,
                                                    const SetDescription& description,
                                                    PhaseTimes& phases) {
  Runner runner(context);
  const SceneDescription& mesh = description.mesh;
  const ccd::SetInput input = {.mesh = {.positions = mesh.positions,
                                        .triangles = mesh.triangles,
                                        .vertex_groups = mesh.vertex_groups,
                                        .group_rule = mesh.group_rule,
                                        .group_matrix = mesh.group_matrix,
                                        .static_vertices = mesh.static_vertices},
                               .worlds = description.worlds,
                               .starts = description.starts};
  return ccd::SceneSet::Open(context.backend(), runner, input, context.token(), phases);
}

}  // namespace

JobId OpenSet(Engine& engine, const SetDescription& set, const JobOptions& job, OpenSetDone done) {
  auto info = std::make_shared<SetInfo>();
  return engine.OpenResident(
      job,
      [set, info](JobContext& context) -> absl::StatusOr<std::unique_ptr<Resident>> {
        info->phases.push_back({"queue", context.waited()});
        WY_ASSIGN_OR_RETURN(std::unique_ptr<ccd::SceneSet> opened,
                            Open(context, set, info->phases));
        info->edges = opened->EdgeCount();
        info->bodies = opened->BodyCount();
        return std::make_unique<api::TypedResident<ccd::SceneSet>>(std::move(opened));
      },
      api::OpenCompletion(info, std::move(done)));
}

JobId StepSet(Engine& engine, ResidentId set, const SetStepDescription& step, const JobOptions& job,
              SetStepDone done) {
  auto result = std::make_shared<ccd::SetResult>();
  // Steps of about as many worlds are alike.
  return engine.Run(
      set, api::OfKind(job, step.options.report, std::bit_width(step.step.rows.size())),
      [step, result](JobContext& context, Resident& resident) -> absl::Status {
        WY_ASSIGN_OR_RETURN(ccd::SceneSet* const opened,
                            api::OpenedAs<ccd::SceneSet>(resident, "set of scenes"));
        Runner runner(context);
        WY_ASSIGN_OR_RETURN(*result,
                            opened->Step(runner, step.step, step.options, context.token()));
        PhaseTimes& phases = result->all.statistics.phases;
        phases.insert(phases.begin(), {"queue", context.waited()});
        return absl::OkStatus();
      },
      api::Completion(result, std::move(done)));
}

}  // namespace warpyard::collision
