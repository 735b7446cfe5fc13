// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/model/model.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/time/clock.h"
#include "core/base/macros.h"
#include "core/workload/simplify/model/build_model.h"
#include "core/workload/simplify/model/check_input.h"
#include "core/workload/simplify/result/collapser.h"
#include "core/workload/simplify/result/cut_delta.h"
#include "core/workload/simplify/result/cut_result.h"
#include "core/workload/simplify/result/cutter.h"
#include "core/workload/simplify/result/edge_counts.h"
#include "core/workload/simplify/result/measure.h"

namespace warpyard::simplify {
namespace {

/// Collapses begin with a cut of so many times the triangles: more makes a better mesh, and takes
/// longer (docs/adr/0035-mesh-simplification.md). Cuts of many times are for small results.
constexpr std::uint64_t kLeastCutFactor = 3, kMostCutFactor = 5;
constexpr std::uint64_t kCutPercent = 30;  // of the model, between these
/// What a model keeps for its next jobs: so many bytes a triangle, and some more for small models.
constexpr std::uint64_t kKeptBytesPerTriangle = 4, kLeastKeptBytes = std::uint64_t{1} << 20;
/// Where an error bounds the result, the cut gets this part of it.
constexpr double kCutError = 0.5;

/// Appends the time since the last phase.
class PhaseClock {
 public:
  explicit PhaseClock(PhaseTimes& phases) : phases_(phases) {}
  void Mark(std::string_view phase) {
    const absl::Time now = absl::Now();
    phases_.push_back({phase, now - begin_});
    begin_ = now;
  }

 private:
  PhaseTimes& phases_;
  absl::Time begin_ = absl::Now();
};

/// Makes the cut from which a result is collapsed, or one with more triangles where that has none.
absl::Status MakeCut(Cutter& cutter, const SimplifyOptions& options, const MeshView& mesh,
                     SimplifyStatistics& statistics) {
  if (options.triangles.has_value()) {
    const std::uint64_t wanted = std::min<std::uint64_t>(*options.triangles, kMostTriangles);
    const std::uint64_t part = cutter.model().view.triangles * kCutPercent / 100;
    const std::uint64_t from = std::clamp(part, kLeastCutFactor * wanted, kMostCutFactor * wanted);
    WY_ASSIGN_OR_RETURN(statistics.expanded, cutter.CutFrom(from, wanted));
  } else {
    const ModelArrays& model = cutter.model();
    const CutAt at = options.max_error.has_value()
                         ? AtDistance(model, kCutError * *options.max_error)
                         : AtLevel(model, *options.level);
    WY_ASSIGN_OR_RETURN(statistics.expanded, cutter.CutToManifold(at));
  }
  if (mesh.triangles != 0) return absl::OkStatus();
  if (!options.max_error.has_value()) statistics.shortfall = Shortfall::kTopology;
  WY_ASSIGN_OR_RETURN(statistics.expanded, cutter.CutFrom(1, 1));
  return absl::OkStatus();
}

/// What collapses aim at. @shape extent: of the model; cut: triangles of the cut
CollapseGoal GoalOf(const SimplifyOptions& options, double extent, std::uint32_t cut) {
  CollapseGoal goal{cut, std::numeric_limits<double>::infinity(), options.finish_by};
  if (options.triangles.has_value()) {
    goal.triangles = static_cast<std::uint32_t>(std::min<std::uint64_t>(*options.triangles, cut));
  }
  if (options.max_error.has_value()) {
    const double distance = *options.max_error / extent;
    goal.triangles = 1;
    goal.bound = distance * distance;
  }
  return goal;
}

/// What each mesh of a chain should be.
std::vector<SimplifyOptions> OptionsOf(const LevelOptions& levels) {
  SimplifyOptions options;
  options.finish = levels.finish;
  options.finish_by = levels.finish_by;
  std::vector<SimplifyOptions> all;
  for (const std::uint64_t triangles : levels.triangles) {
    all.push_back(options);
    all.back().triangles = triangles;
  }
  for (const double max_error : levels.max_errors) {
    all.push_back(options);
    all.back().max_error = max_error;
  }
  return all;
}

/// Copies all that a cut has, but for the state.
void CopyLists(const SimplifiedMesh& from, SimplifiedMesh& to) {
  to.positions = from.positions;
  to.triangles = from.triangles;
  to.sources = from.sources;
  to.attributes = from.attributes;
  to.groups = from.groups;
  to.ids = from.ids;
  to.statistics.expanded = from.statistics.expanded;
  to.statistics.max_error = from.statistics.max_error;
}

/// Makes one result after another; collapses go on from the result before.
class Chain {
 public:
  Chain(TaskRun& run, const ModelArrays& model, JobMemory& memory, ModelMemo& memo)
      : run_(run),
        model_(model),
        memo_(memo),
        cuts_(run, model, memory.result, memo),
        cutter_(run, model, job_),
        collapser_(run, job_) {}

  absl::StatusOr<SimplifiedMesh> Next(const SimplifyOptions& options) {
    SimplifiedMesh result;
    SimplifyStatistics& statistics = result.statistics;
    PhaseClock clock(statistics.phases);
    statistics.input_triangles = model_.view.triangles;
    if (options.finish == Finish::kCut) {
      WY_RETURN_IF_ERROR(Cut(options, result, clock));
    } else {
      WY_RETURN_IF_ERROR(CutAndCollapse(options, result, clock));
    }
    result.origin = model_.facts.origin;
    clock.Mark("copy_out");
    if (options.counts_edges) statistics.edges = CountEdges(result);
    if (options.distance_samples != 0) {
      const absl::StatusOr<SurfaceDistance> distance =
          MeasureDistance(run_, model_, result, options.distance_samples);
      // A mesh that cannot be measured is a result all the same.
      if (!absl::IsFailedPrecondition(distance.status())) {
        WY_ASSIGN_OR_RETURN(statistics.distance, distance);
      }
    }
    if (options.counts_edges || options.distance_samples != 0) clock.Mark("measure");
    return result;
  }

 private:
  absl::Status Cut(const SimplifyOptions& options, SimplifiedMesh& result, PhaseClock& clock) {
    SimplifiedMesh previous;
    // A client without a state has no mesh, either.
    const bool returns_delta = options.views.has_value() && options.views->returns_delta;
    if (returns_delta && !options.views->previous.empty()) {
      WY_RETURN_IF_ERROR(cuts_.MakePrevious(*options.views, previous));
      WY_RETURN_IF_ERROR(ReadCut(options, previous));
    }
    WY_RETURN_IF_ERROR(cuts_.Make(options, result));
    clock.Mark("cut");
    WY_RETURN_IF_ERROR(ReadCut(options, result));
    const std::size_t triangles = result.triangles.size() / 3;
    result.statistics.cut_triangles = static_cast<std::uint32_t>(triangles);
    Miss(options, triangles, result.statistics);
    if (returns_delta) KeepDifference(previous, result);
    return absl::OkStatus();
  }

  /// Reads the cut, or one with more triangles where that has none at all.
  absl::Status ReadCut(const SimplifyOptions& options, SimplifiedMesh& result) {
    WY_RETURN_IF_ERROR(cuts_.Read(result));
    if (cuts_.Triangles() != 0) return absl::OkStatus();
    if (options.triangles.has_value()) {
      WY_RETURN_IF_ERROR(cutter_.CutFrom(*options.triangles, 1).status());
      return collapser_.Emit(result);
    }
    std::shared_ptr<const SimplifiedMesh> smallest = memo_.smallest.Find();
    if (smallest == nullptr) {
      auto made = std::make_shared<SimplifiedMesh>();
      WY_ASSIGN_OR_RETURN(made->statistics.expanded, cutter_.CutFrom(1, 1));
      WY_RETURN_IF_ERROR(collapser_.Emit(*made, true));
      memo_.smallest.Keep(made);
      smallest = std::move(made);
    }
    CopyLists(*smallest, result);
    if (options.views.has_value()) return absl::OkStatus();
    result.ids = {};
    // A cut with more triangles is within the error, too.
    if (!options.max_error.has_value()) result.statistics.shortfall = Shortfall::kTopology;
    return absl::OkStatus();
  }

  absl::Status CutAndCollapse(const SimplifyOptions& options, SimplifiedMesh& result,
                              PhaseClock& clock) {
    SimplifyStatistics& statistics = result.statistics;
    if (!has_cut_) {
      WY_RETURN_IF_ERROR(MakeCut(cutter_, options, job_.mesh, statistics));
      statistics.cut_triangles = job_.mesh.triangles;
      clock.Mark("cut");
      cut_ = statistics;
      has_cut_ = true;
    }
    statistics.expanded = cut_.expanded;
    statistics.cut_triangles = cut_.cut_triangles;
    WY_RETURN_IF_ERROR(Collapse(options, statistics));
    clock.Mark("collapse");
    Miss(options, job_.mesh.triangles, statistics);
    return collapser_.Emit(result);
  }

  static void Miss(const SimplifyOptions& options, std::uint64_t triangles,
                   SimplifyStatistics& statistics) {
    const bool missed = options.triangles.has_value() && triangles > *options.triangles;
    if (missed && statistics.shortfall == Shortfall::kNone) {
      statistics.shortfall = Shortfall::kTopology;
    }
  }

  absl::Status Collapse(const SimplifyOptions& options, SimplifyStatistics& statistics) {
    const CollapseGoal goal = GoalOf(options, model_.view.frame.extent, job_.mesh.triangles);
    WY_ASSIGN_OR_RETURN(const CollapseReport report, collapser_.Collapse(goal));
    statistics.passes = report.passes;
    // Collapses within an error go on for as long as they may.
    const bool has_target = options.triangles.has_value() || report.shortfall == Shortfall::kTime;
    if (has_target) statistics.shortfall = report.shortfall;
    return absl::OkStatus();
  }

  TaskRun& run_;
  const ModelArrays& model_;
  ModelMemo& memo_;
  CutResult cuts_;
  SimplifyJob job_{};  // of collapses
  Cutter cutter_;
  Collapser collapser_;
  bool has_cut_ = false;
  SimplifyStatistics cut_;  // of the last cut
};

}  // namespace

Model::Model(device::Backend& backend, ModelArrays arrays)
    : backend_(backend),
      arrays_(std::move(arrays)),
      memories_(kLeastKeptBytes + kKeptBytesPerTriangle * arrays_.view.triangles) {}

absl::StatusOr<std::unique_ptr<Model>> Model::Open(device::Backend& backend, SimplifyRunner& runner,
                                                   const ModelInput& input,
                                                   const procedure::CancelToken& token,
                                                   PhaseTimes& phases) {
  PhaseClock clock(phases);
  TaskMemory memory;
  TaskRun run(backend, runner, token, memory);
  WY_ASSIGN_OR_RETURN(ModelArrays arrays, BuildModel(run, input));
  clock.Mark("build");
  return std::unique_ptr<Model>(new Model(backend, std::move(arrays)));
}

absl::StatusOr<SimplifiedMesh> Model::Simplify(SimplifyRunner& runner,
                                               const SimplifyOptions& options,
                                               const procedure::CancelToken& token) const {
  WY_RETURN_IF_ERROR(CheckOptions(options));
  const BorrowedMemory memory(memories_);
  TaskRun run(backend_, runner, token, memory->tasks);
  return Chain(run, arrays_, *memory, memo_).Next(options);
}

absl::Status Model::SimplifyLevels(SimplifyRunner& runner, const LevelOptions& levels,
                                   const procedure::CancelToken& token) const {
  WY_RETURN_IF_ERROR(CheckLevels(levels));
  const std::vector<SimplifyOptions> all = OptionsOf(levels);
  for (const SimplifyOptions& options : all) WY_RETURN_IF_ERROR(CheckOptions(options));
  const BorrowedMemory memory(memories_);
  TaskRun run(backend_, runner, token, memory->tasks);
  Chain chain(run, arrays_, *memory, memo_);
  for (const SimplifyOptions& options : all) {
    WY_ASSIGN_OR_RETURN(SimplifiedMesh mesh, chain.Next(options));
    const bool in_time = mesh.statistics.shortfall != Shortfall::kTime;
    WY_RETURN_IF_ERROR(levels.take(std::move(mesh)));
    if (!in_time) break;
  }
  return absl::OkStatus();
}

}  // namespace warpyard::simplify
