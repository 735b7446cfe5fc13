// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/step/run_step.h"

#include <cmath>

#include "absl/time/clock.h"
#include "core/base/macros.h"
#include "core/workload/ccd/broad/cluster_search.h"
#include "core/workload/ccd/broad/numbered_pairs.h"
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

/// Runs all events of a step; traversals in rounds take several.
Task<absl::Status> RunAllRounds(SceneParts& parts, const JobRun& run, CollisionJob& job,
                                StepCounters& counters, StepTimes& times) {
  job.step.resumed = false;
  do {
    WY_CO_ASSIGN_OR_RETURN(const procedure::StageTimes stages,
                           co_await parts.hierarchy.Await(run, job));
    const absl::Time begin = absl::Now();
    WY_CO_RETURN_IF_ERROR(parts.host_lists.ReadCounters(job.step, counters));
    times.copy_out += absl::Now() - begin;
    times.Add(stages, PhasesOf(job.step.traversal), counters);
    job.step.resumed = true;
  } while (counters.traversal.pending != 0);
  co_return absl::OkStatus();
}

/// Whether a step may take several events, which continue with the counters of the one before.
bool HasRounds(const TraversalTraits& traits) {
  return traits.level || traits.stacks || traits.deques;
}

void LearnOfSample(SceneParts& parts, const StepView& step, const StepCounters& counters) {
  if (step.asked.report != Report::kEarliest || !TraitsOf(step.traversal).samples) return;
  const std::uint64_t candidates = counters.candidates[0] + counters.candidates[1];
  const std::uint64_t least =
      SampleRule::LeastSpared(parts.workers, parts.arrays.View().MovingTriangles());
  if (step.samples) {
    parts.sample_rule.TakeSampled(SampleClusters::kStride * counters.sampled, candidates, least);
  } else {
    parts.sample_rule.TakeWhole(candidates, least);
  }
}

}  // namespace

CollisionJob StepJobOf(const SceneParts& parts, const CollisionOptions& options) {
  CollisionJob job{CollisionTask::kStep, SharesOf(parts.workers), parts.arrays.View(), {}};
  job.step.asked = {.report = options.report,
                    .root_finder = options.root_finder,
                    .tolerance = options.tolerance,
                    .max_intervals = options.max_intervals,
                    .min_separation = options.min_separation,
                    .end_time = EndAfter(options.max_time),
                    .sorted = options.report == Report::kCollisions && !options.unsorted};
  job.step.traversal = options.traversal;
  job.step.by_number = options.traversal == Traversal::kClusters &&
                       !job.scene.worlds.AreSeveral() &&
                       job.scene.clusters.tree.clusters <= NumberedPairs::kMostClusters;
  job.step.samples = options.report == Report::kEarliest && TraitsOf(options.traversal).samples &&
                     !job.step.by_number && parts.sample_rule.Samples();
  return job;
}

Task<absl::Status> RunUntilListsFit(SceneParts& parts, const JobRun& run, CollisionJob& job,
                                    StepCounters& counters, StepTimes& times) {
  const MeshView& mesh = job.scene.mesh;
  const bool has_rounds = HasRounds(TraitsOf(job.step.traversal));
  StepCounters needed = FirstListLengths(job.scene.MovingTriangles());
  for (int runs = 0; runs < kMostRuns; ++runs) {
    WY_CO_RETURN_IF_ERROR(parts.lists.Reserve(needed, mesh.vertices, job.step));
    counters = ClearCounters();
    WY_CO_RETURN_IF_ERROR(
        parts.traversal.Prepare(parts.workers, mesh.triangles, job.step, counters));
    parts.host_lists.Place(run.runner.CallsFinish(), job.step);
    job.step.clears_counters = job.step.host_counters != nullptr && !has_rounds;
    const absl::Time begin = absl::Now();
    if (!parts.lists.TakeClearCounters() || has_rounds) {
      parts.upload.Also({parts.lists.Counters(), &counters, sizeof counters});
    }
    WY_CO_RETURN_IF_ERROR(parts.upload.CopyIn());
    times.copy_in += absl::Now() - begin;
    const absl::Status ran = co_await RunAllRounds(parts, run, job, counters, times);
    WY_CO_RETURN_IF_ERROR(ran);
    if (job.step.clears_counters) parts.lists.CountersAreClear();
    WY_CO_ASSIGN_OR_RETURN(bool fit, parts.traversal.Fits(counters));
    fit = fit && parts.lists.Fit(job.step, counters);
    parts.host_lists.Learn(job.step, counters, fit);
    WY_CO_RETURN_IF_ERROR(CheckPairs(counters));
    if (fit) {
      parts.traversal.Finish(counters);
      LearnOfSample(parts, job.step, counters);
      co_return absl::OkStatus();
    }
    needed = counters;
  }
  co_return absl::InternalError("pair lists overflow again and again");
}

}  // namespace warpyard::ccd
