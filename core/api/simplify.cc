// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/api/simplify.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>

#include "absl/time/clock.h"
#include "core/api/byte_goal.h"
#include "core/api/typed_jobs.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"
#include "core/workload/simplify/model/model.h"

namespace warpyard::simplify {
namespace {

using Runner = JobContext::Runner<SimplifyJob>;

constexpr char kTwoGoals[] =
    "max_bytes is set beside triangles, max_error, level or views, expected exactly one of them";

absl::StatusOr<SimplifiedMesh> ResultOf(JobContext& context, const Model& model,
                                        const ResultDescription& result) {
  Runner runner(context);
  SimplifyOptions options = result.options;
  const auto simplify = [&] { return model.Simplify(runner, options, context.token()); };
  // No model has more triangles. A goal of more would only overflow.
  if (options.triangles) options.triangles = std::min(*options.triangles, kMostTriangles);
  if (!result.max_bytes) return simplify();
  if (options.triangles || options.max_error || options.level || options.views) {
    return InvalidField("goal", kTwoGoals);
  }
  return SimplifyToBytes(*result.max_bytes, [&](std::uint64_t triangles) {
    options.triangles = std::min(triangles, kMostTriangles);
    return simplify();
  });
}

/// Adds phases to those of the same names, or behind all.
void AddPhases(const PhaseTimes& phases, PhaseTimes& sums) {
  for (const PhaseTime& phase : phases) {
    const auto same = std::find_if(sums.begin(), sums.end(),
                                   [&](const PhaseTime& sum) { return sum.phase == phase.phase; });
    if (same == sums.end()) {
      sums.push_back(phase);
    } else {
      same->duration += phase.duration;
    }
  }
}

/// Jobs whose goals are nearly equal are of one kind: a view takes a hundredth of the time that
/// collapses of a large model take.
JobOptions OfGoal(const JobOptions& job, const ResultDescription& result) {
  const SimplifyOptions& options = result.options;
  const auto size = std::bit_width(options.triangles.value_or(result.max_bytes.value_or(0)));
  const int error = std::ilogb(options.max_error.value_or(0));
  const std::size_t views = options.views.has_value() ? options.views->views.size() : 0;
  const int pixels = views == 0 ? 0 : std::ilogb(options.views->views.front().max_pixels);
  return api::OfKind(job, "simplify", options.finish, options.triangles.has_value(), size, error,
                     options.level.value_or(~0u), std::bit_width(views), pixels,
                     options.distance_samples != 0);
}

}  // namespace

absl::Time FinishBy(absl::Time deadline, absl::Time now) {
  // A large result takes longer to copy and to send, and a large model has a later deadline.
  constexpr absl::Duration kLeast = absl::Milliseconds(2), kMost = absl::Seconds(1);
  return deadline - std::clamp((deadline - now) / 8, kLeast, kMost);
}

JobId OpenModel(Engine& engine, const ModelDescription& model, const JobOptions& job,
                OpenDone done) {
  auto info = std::make_shared<ModelInfo>();
  return engine.OpenResident(
      job,
      [model, info](JobContext& context) -> absl::StatusOr<std::unique_ptr<Resident>> {
        info->phases.push_back({"queue", context.waited()});
        Runner runner(context);
        const ModelInput input = {model.positions, model.triangles, model.attributes,
                                  model.groups,    model.locked,    model.borders};
        WY_ASSIGN_OR_RETURN(
            std::unique_ptr<Model> opened,
            Model::Open(context.backend(), runner, input, context.token(), info->phases));
        const ModelView& view = opened->View();
        info->vertices = view.leaves;
        info->triangles = view.triangles;
        info->nodes = view.nodes;
        info->bytes = opened->Arrays().Bytes();
        info->build_bytes = opened->Arrays().facts.build_bytes;
        return std::make_unique<api::TypedResident<Model>>(std::move(opened),
                                                           Resident::Jobs::kTogether);
      },
      api::OpenCompletion(info, std::move(done)));
}

JobId Simplify(Engine& engine, ResidentId model, const ResultDescription& result,
               const JobOptions& job, SimplifyDone done) {
  auto mesh = std::make_shared<SimplifiedMesh>();
  // The best mesh until the deadline takes until the deadline.
  return engine.Run(
      model, result.best_effort ? job : OfGoal(job, result),
      [result, mesh, deadline = job.deadline](JobContext& context,
                                              Resident& resident) -> absl::Status {
        ResultDescription wanted = result;
        if (wanted.best_effort) wanted.options.finish_by = FinishBy(deadline, absl::Now());
        WY_ASSIGN_OR_RETURN(const Model* const opened, api::OpenedAs<Model>(resident, "model"));
        WY_ASSIGN_OR_RETURN(*mesh, ResultOf(context, *opened, wanted));
        PhaseTimes& phases = mesh->statistics.phases;
        phases.insert(phases.begin(), {"queue", context.waited()});
        return absl::OkStatus();
      },
      api::Completion(mesh, std::move(done)));
}

JobId SimplifyLevels(Engine& engine, ResidentId model, const LevelsDescription& levels,
                     const JobOptions& job, LevelsDone done) {
  auto info = std::make_shared<LevelsInfo>();
  return engine.Run(
      model, job,
      [levels, info, deadline = job.deadline](JobContext& context,
                                              Resident& resident) -> absl::Status {
        WY_ASSIGN_OR_RETURN(const Model* const opened, api::OpenedAs<Model>(resident, "model"));
        LevelOptions wanted = levels.options;
        if (levels.best_effort) wanted.finish_by = FinishBy(deadline, absl::Now());
        // No model has more triangles. A goal of more would only overflow.
        for (std::uint64_t& triangles : wanted.triangles) {
          triangles = std::min(triangles, kMostTriangles);
        }
        info->phases.push_back({"queue", context.waited()});
        wanted.take = [&](SimplifiedMesh mesh) {
          AddPhases(mesh.statistics.phases, info->phases);
          PhaseTimes& phases = mesh.statistics.phases;
          if (info->levels++ == 0) phases.insert(phases.begin(), {"queue", context.waited()});
          return levels.options.take(std::move(mesh));
        };
        Runner runner(context);
        return opened->SimplifyLevels(runner, wanted, context.token());
      },
      api::Completion(info, std::move(done)));
}

}  // namespace warpyard::simplify
