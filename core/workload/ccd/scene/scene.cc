// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/scene.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "core/base/macros.h"
#include "core/workload/ccd/check_options.h"
#include "core/workload/ccd/methods/traversals/traversal_traits.h"
#include "core/workload/ccd/scene/check_input.h"
#include "core/workload/ccd/scene/step/run_step.h"

namespace warpyard::ccd {

absl::StatusOr<std::unique_ptr<Scene>> Scene::Open(device::Backend& backend,
                                                   CollisionRunner& runner, const SceneInput& input,
                                                   const procedure::CancelToken& token,
                                                   PhaseTimes& phases) {
  const absl::Time begin = absl::Now();
  WY_ASSIGN_OR_RETURN(Topology topology, CheckedTopology(backend, input));
  std::unique_ptr<Scene> scene(new Scene(backend, runner.Workers()));
  WY_RETURN_IF_ERROR(scene->Allocate(input, std::move(topology)));
  const absl::Time uploaded = absl::Now();
  WY_RETURN_IF_ERROR(scene->parts_.hierarchy.Open({runner, token}, input.build));
  phases.push_back({"copy_in", uploaded - begin});
  phases.push_back({"build", absl::Now() - uploaded});
  return scene;
}

absl::Status Scene::Allocate(const SceneInput& input, Topology topology) {
  WY_RETURN_IF_ERROR(parts_.arrays.Open(input, topology));
  parts_.reader.Open(std::move(topology.edge_vertices));
  WY_RETURN_IF_ERROR(parts_.lists.Open());
  const std::vector<Vector3d> rest = ToDoubles(input.positions);
  WY_RETURN_IF_ERROR(parts_.upload.Open(rest, MovingGroups(input), 1, input.static_vertices));
  return parts_.upload.Bodies() == 0 ? absl::OkStatus() : parts_.arrays.KeepRest(rest);
}

Task<absl::StatusOr<CollisionResult>> Scene::Step(CollisionRunner& runner, const StepInput& input,
                                                  const CollisionOptions& options,
                                                  const procedure::CancelToken& token) {
  WY_CO_RETURN_IF_ERROR(CheckOptions(options));
  WY_CO_RETURN_IF_ERROR(parts_.upload.Check(input));
  WY_CO_RETURN_IF_ERROR(parts_.upload.CheckRow(input, 0));
  const JobRun run{runner, token};
  CollisionResult result;
  PhaseTimes& phases = result.statistics.phases;
  const HierarchyNeed need = {TraitsOf(options.traversal).hierarchy, options.rebuild_factor,
                              options.min_separation};
  const absl::Status ready = co_await parts_.hierarchy.MakeReady(run, need, result.statistics);
  WY_CO_RETURN_IF_ERROR(ready);
  const absl::Time begin = absl::Now();
  CollisionJob job = StepJobOf(parts_, options);
  WY_CO_RETURN_IF_ERROR(parts_.upload.Take(input, job.step));
  const absl::Time prepared = absl::Now();
  parts_.traversal.Begin(options, parts_.hierarchy.Order());
  StepCounters counters;
  StepTimes times;
  const absl::Status done = co_await RunUntilListsFit(parts_, run, job, counters, times);
  // A device that is lost, or whose workers are stuck, may still read the input.
  if (!absl::IsUnavailable(done) && !absl::IsInternal(done)) parts_.upload.Release();
  if (!done.ok()) {
    parts_.host_lists.Drop();
    co_return done;
  }
  const absl::Time ran = absl::Now();
  phases.push_back({"copy_in", prepared - begin + times.copy_in});
  phases.push_back({"refit", times.refit});
  phases.push_back({"broad", times.broad});
  phases.push_back({"narrow", times.narrow});
  result.path_deviation = parts_.upload.Deviation();
  WY_CO_RETURN_IF_ERROR(Read(job, options, counters, result));
  if (options.with_geometry && options.report == Report::kCollisions) {
    WY_CO_RETURN_IF_ERROR(parts_.reader.AddGeometry(job, token, result));
  }
  phases.push_back({"copy_out", absl::Now() - ran + times.sort + times.copy_out});
  if (token.Cancelled()) co_return absl::CancelledError("cancelled while the result was copied");
  constexpr std::uint32_t kMoved[] = {0};  // a scene is one world
  parts_.upload.Commit(kMoved);
  co_return result;
}

absl::Status Scene::Read(const CollisionJob& job, const CollisionOptions& options,
                         const StepCounters& counters, CollisionResult& result) {
  const HierarchyKind hierarchy = TraitsOf(options.traversal).hierarchy;
  parts_.hierarchy.Measure(hierarchy, counters, result.statistics.hierarchy);
  if (hierarchy == HierarchyKind::kNodes) {
    result.statistics.traversal = parts_.traversal.StatisticsOf(counters);
  }
  return parts_.reader.Read(job, counters, options.unsorted, result);
}

}  // namespace warpyard::ccd
