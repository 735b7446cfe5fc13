// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/scene.h"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "core/base/macros.h"
#include "core/workload/ccd/broad/cluster_search.h"
#include "core/workload/ccd/check_options.h"
#include "core/workload/ccd/group_matrix.h"
#include "core/workload/ccd/methods/traversals/traversal_traits.h"
#include "core/workload/ccd/scene/scene_memory.h"

namespace warpyard::ccd {
namespace {

/// A run in which a list overflows reports the length that this list needs, so a fifth run has room
/// for all lists. Levels of a traversal are different: each run reports only the first level that
/// overflowed, and the next run has room for four times as many pairs.
constexpr int kMostRuns = 6 + 16;

/// StepView::end_time for steps that end at `max_time`: the next double, so that contacts exactly
/// at that time count. If the next double is 1, it is `max_time` itself, because 1 means that there
/// is no end.
double EndAfter(double max_time) {
  const double next = std::nextafter(max_time, 2);
  return next < 1 ? next : max_time;
}

/// A scene is opened only if its first step has room, too.
absl::Status CheckOpenFits(const device::Backend& backend, const SceneSize& size) {
  const SceneBytes bytes = BytesOf(size);
  return CheckFits(backend, size, bytes.scene + bytes.lists);
}

/// Indices of vertices, edges and nodes must leave their top bits free for marks (kLeafBit and
/// others). Indices of features have 32 bits, and a triangle owns up to 7 features.
absl::Status CheckSizes(const SceneInput& input) {
  constexpr std::size_t kMostVertices = 0x7fffffff, kMostTriangles = 0xffffffff / 7;
  const std::size_t triangles = input.triangles.size() / 3;
  if (input.positions.vertices == 0 || input.positions.vertices > kMostVertices || triangles == 0 ||
      triangles > kMostTriangles || input.triangles.size() % 3 != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("a scene has 1 to ", kMostVertices, " vertices and 1 to ", kMostTriangles,
                     " triangles, this one ", input.positions.vertices, " and ", triangles));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Scene>> Scene::Open(device::Backend& backend,
                                                   CollisionRunner& runner, const SceneInput& input,
                                                   const procedure::CancelToken& token,
                                                   PhaseTimes& phases) {
  const absl::Time begin = absl::Now();
  WY_RETURN_IF_ERROR(CheckSizes(input));
  WY_RETURN_IF_ERROR(CheckGroupMatrix(input.group_rule, input.vertex_groups, input.group_matrix));
  // A scene that is far too large is refused before its edges are counted.
  SceneSize size{.vertices = input.positions.vertices,
                 .edges = 0,
                 .triangles = input.triangles.size() / 3,
                 .has_groups = !input.vertex_groups.empty(),
                 .has_bodies = CountBodies(input.vertex_groups) != 0};
  WY_RETURN_IF_ERROR(CheckOpenFits(backend, size));
  Topology topology =
      BuildTopology(input.triangles, static_cast<std::uint32_t>(input.positions.vertices));
  size.edges = topology.EdgeCount();
  WY_RETURN_IF_ERROR(CheckOpenFits(backend, size));
  std::unique_ptr<Scene> scene(new Scene(backend, runner.Workers()));
  WY_RETURN_IF_ERROR(scene->Allocate(input, std::move(topology)));
  const absl::Time uploaded = absl::Now();
  WY_RETURN_IF_ERROR(scene->hierarchy_.Open({runner, token}, input.build));
  phases.push_back({"copy_in", uploaded - begin});
  phases.push_back({"build", absl::Now() - uploaded});
  return scene;
}

absl::Status Scene::Allocate(const SceneInput& input, Topology topology) {
  WY_RETURN_IF_ERROR(arrays_.Open(input, topology));
  reader_.Open(std::move(topology.edge_vertices));
  WY_RETURN_IF_ERROR(lists_.Open());
  const std::vector<Vector3d> rest = ToDoubles(input.positions);
  WY_RETURN_IF_ERROR(upload_.Open(rest, input.vertex_groups));
  return upload_.Bodies() == 0 ? absl::OkStatus() : arrays_.KeepRest(rest);
}

absl::StatusOr<CollisionResult> Scene::Step(CollisionRunner& runner, const StepInput& input,
                                            const CollisionOptions& options,
                                            const procedure::CancelToken& token) {
  WY_RETURN_IF_ERROR(CheckOptions(options));
  WY_RETURN_IF_ERROR(upload_.Check(input));
  const JobRun run{runner, token};
  CollisionResult result;
  PhaseTimes& phases = result.statistics.phases;
  WY_RETURN_IF_ERROR(hierarchy_.MakeReady(
      run, {TraitsOf(options.traversal).hierarchy, options.rebuild_factor}, result.statistics));
  const absl::Time begin = absl::Now();
  CollisionJob job = JobOf(options);
  WY_RETURN_IF_ERROR(upload_.Take(input, job.step));
  const absl::Time prepared = absl::Now();
  traversal_.Begin(options, hierarchy_.Order());
  StepCounters counters;
  StepTimes times;
  if (const absl::Status ran = RunUntilListsFit(run, job, counters, times); !ran.ok()) {
    host_lists_.Drop();
    return ran;
  }
  LearnOfSample(job.step, counters);
  const absl::Time ran = absl::Now();
  phases.push_back({"copy_in", prepared - begin + times.copy_in});
  phases.push_back({"refit", times.refit});
  phases.push_back({"broad", times.broad});
  phases.push_back({"narrow", times.narrow});
  result.path_deviation = upload_.Deviation();
  WY_RETURN_IF_ERROR(Read(job, options, counters, result));
  if (options.with_geometry && options.report == Report::kCollisions) {
    WY_RETURN_IF_ERROR(reader_.AddGeometry(job, token, result));
  }
  phases.push_back({"copy_out", absl::Now() - ran + times.sort + times.copy_out});
  if (token.Cancelled()) return absl::CancelledError("cancelled while the result was copied");
  upload_.Commit();
  return result;
}

CollisionJob Scene::JobOf(const CollisionOptions& options) const {
  CollisionJob job{CollisionTask::kStep, SharesOf(workers_), arrays_.View(), {}};
  job.step.asked = {.report = options.report,
                    .root_finder = options.root_finder,
                    .tolerance = options.tolerance,
                    .max_intervals = options.max_intervals,
                    .min_separation = options.min_separation,
                    .end_time = EndAfter(options.max_time),
                    .sorted = options.report == Report::kCollisions && !options.unsorted};
  job.step.traversal = options.traversal;
  job.step.samples = options.report == Report::kEarliest && TraitsOf(options.traversal).samples &&
                     sample_rule_.Samples();
  return job;
}

absl::Status Scene::RunUntilListsFit(const JobRun& run, CollisionJob& job, StepCounters& counters,
                                     StepTimes& times) {
  const MeshView& mesh = job.scene.mesh;
  StepCounters needed = FirstListLengths(mesh.triangles);
  for (int runs = 0; runs < kMostRuns; ++runs) {
    WY_RETURN_IF_ERROR(lists_.Reserve(needed, mesh.vertices, job.step));
    counters = {};
    counters.earliest_bits = kNoContactBits;
    WY_RETURN_IF_ERROR(traversal_.Prepare(workers_, mesh.triangles, job.step, counters));
    host_lists_.Place(run.runner.CallsFinish(), job.step);
    const absl::Time begin = absl::Now();
    WY_RETURN_IF_ERROR(upload_.CopyIn({lists_.Counters(), &counters, sizeof counters}));
    times.copy_in += absl::Now() - begin;
    WY_RETURN_IF_ERROR(RunAllRounds(run, job, counters, times));
    WY_ASSIGN_OR_RETURN(bool fit, traversal_.Fits(counters));
    fit = fit && lists_.Fit(job.step, counters);
    host_lists_.Learn(job.step, counters, fit);
    WY_RETURN_IF_ERROR(CheckPairs(counters));
    if (fit) {
      traversal_.Finish(counters);
      return absl::OkStatus();
    }
    needed = counters;
  }
  return absl::InternalError("pair lists overflow again and again");
}

/// Runs all events of a step; traversals in rounds take several.
absl::Status Scene::RunAllRounds(const JobRun& run, CollisionJob& job, StepCounters& counters,
                                 StepTimes& times) {
  job.step.resumed = false;
  do {
    WY_ASSIGN_OR_RETURN(const procedure::StageTimes stages, hierarchy_.Run(run, job));
    const absl::Time begin = absl::Now();
    WY_RETURN_IF_ERROR(host_lists_.ReadCounters(job.step, counters));
    times.copy_out += absl::Now() - begin;
    times.Add(stages, PhasesOf(job.step.traversal), counters);
    job.step.resumed = true;
  } while (counters.traversal.pending != 0);
  return absl::OkStatus();
}

void Scene::LearnOfSample(const StepView& step, const StepCounters& counters) {
  if (step.asked.report != Report::kEarliest || !TraitsOf(step.traversal).samples) return;
  const std::uint64_t candidates = counters.candidates[0] + counters.candidates[1];
  const std::uint64_t least = SampleRule::LeastSpared(workers_, TriangleCount());
  if (step.samples) {
    sample_rule_.TakeSampled(SampleClusters::kStride * counters.sampled, candidates, least);
  } else {
    sample_rule_.TakeWhole(candidates, least);
  }
}

absl::Status Scene::Read(const CollisionJob& job, const CollisionOptions& options,
                         const StepCounters& counters, CollisionResult& result) {
  const HierarchyKind hierarchy = TraitsOf(options.traversal).hierarchy;
  hierarchy_.Measure(hierarchy, counters, result.statistics.hierarchy);
  if (hierarchy == HierarchyKind::kNodes) {
    result.statistics.traversal = traversal_.StatisticsOf(counters);
  }
  return reader_.Read(job, counters, options.unsorted, result);
}

}  // namespace warpyard::ccd
