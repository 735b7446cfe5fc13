// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/worlds/scene_set.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "core/base/macros.h"
#include "core/base/no_index.h"
#include "core/workload/ccd/check_options.h"
#include "core/workload/ccd/scene/check_input.h"
#include "core/workload/ccd/scene/step/run_step.h"
#include "core/workload/ccd/scene/worlds/world_lists.h"

namespace warpyard::ccd {
namespace {

/// The mesh's positions, once for each world.
std::vector<Vector3d> RepeatedPositions(const PositionsView& positions, std::uint32_t worlds) {
  const std::vector<Vector3d> one = ToDoubles(positions);
  std::vector<Vector3d> all;
  all.reserve(one.size() * worlds);
  for (std::uint32_t w = 0; w < worlds; ++w) all.insert(all.end(), one.begin(), one.end());
  return all;
}

}  // namespace

absl::StatusOr<std::unique_ptr<SceneSet>> SceneSet::Open(device::Backend& backend,
                                                         CollisionRunner& runner,
                                                         const SetInput& input,
                                                         const procedure::CancelToken& token,
                                                         PhaseTimes& phases) {
  const absl::Time begin = absl::Now();
  WY_ASSIGN_OR_RETURN(Topology topology, CheckedTopology(backend, input.mesh, input.worlds));
  const std::size_t moving = input.mesh.positions.vertices - input.mesh.static_vertices;
  if (input.starts && input.starts->vertices != moving * input.worlds) {
    return absl::InvalidArgumentError(absl::StrCat("starts of ", input.starts->vertices,
                                                   " vertices, expected ", moving * input.worlds,
                                                   ": those that move in all worlds"));
  }
  std::unique_ptr<SceneSet> set(new SceneSet(backend, runner.Workers()));
  WY_RETURN_IF_ERROR(set->Allocate(input, std::move(topology)));
  const absl::Time uploaded = absl::Now();
  const JobRun run{runner, token};
  WY_RETURN_IF_ERROR(set->parts_.hierarchy.Open(run, HierarchyBuild::kMorton));
  WY_RETURN_IF_ERROR(set->parts_.arrays.RepeatFirstWorld());
  if (input.starts) WY_RETURN_IF_ERROR(set->parts_.upload.Place(ToDoubles(*input.starts)));
  WY_RETURN_IF_ERROR(set->parts_.hierarchy.BoundStatic(run, 0).RunNow());
  phases.push_back({"copy_in", uploaded - begin});
  phases.push_back({"build", absl::Now() - uploaded});
  return set;
}

absl::Status SceneSet::Allocate(const SetInput& input, Topology topology) {
  WY_RETURN_IF_ERROR(parts_.arrays.Open(input.mesh, topology, input.worlds));
  parts_.reader.Open(std::move(topology.edge_vertices));
  WY_RETURN_IF_ERROR(parts_.lists.Open());
  WY_RETURN_IF_ERROR(memory_.Open(input.worlds));
  const std::vector<Vector3d> rest = RepeatedPositions(input.mesh.positions, input.worlds);
  WY_RETURN_IF_ERROR(
      parts_.upload.Open(rest, MovingGroups(input.mesh), input.worlds, input.mesh.static_vertices));
  return parts_.upload.Bodies() == 0 ? absl::OkStatus() : parts_.arrays.KeepRest(rest);
}

absl::Status SceneSet::CheckRows(std::span<const std::uint32_t> rows) const {
  std::uint32_t least = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row] == kNoIndex) continue;
    if (rows[row] < least || rows[row] >= WorldCount()) {
      return absl::InvalidArgumentError(absl::StrCat("row ", row, " is for world ", rows[row],
                                                     "; the worlds of rows ascend and are below ",
                                                     WorldCount()));
    }
    least = rows[row] + 1;
  }
  return absl::OkStatus();
}

/// The worlds that move, and the rows of the input. A row whose poses are out of reach fails alone.
void SceneSet::TakeRows(const SetStep& step, Running& running) const {
  running.input = {step.end, step.start, {}};
  running.input_rows.assign(step.rows.begin(), step.rows.end());
  std::vector<std::uint32_t>& rows = running.input_rows;
  for (std::uint32_t w = 0; step.rows.empty() && w < WorldCount(); ++w) rows.push_back(w);
  running.result.worlds.resize(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row] == kNoIndex) continue;
    absl::Status& status = running.result.worlds[row].status;
    status = parts_.upload.CheckRow(running.input, row);
    if (!status.ok()) {
      rows[row] = kNoIndex;
      continue;
    }
    running.moving.push_back(rows[row]);
    running.rows.push_back(row);
  }
  running.input.rows = rows;
}

absl::StatusOr<SetResult> SceneSet::Step(CollisionRunner& runner, const SetStep& step,
                                         const CollisionOptions& options,
                                         const procedure::CancelToken& token) {
  WY_RETURN_IF_ERROR(CheckSetOptions(options));
  WY_RETURN_IF_ERROR(CheckRows(step.rows));
  WY_RETURN_IF_ERROR(parts_.upload.Check({step.end, step.start, step.rows}));
  CollisionOptions own = options;
  own.unsorted = false;  // worlds are told apart by the order
  const JobRun run{runner, token};
  Running running{run, own, StepJobOf(parts_, own), {}, {}, {}, {}, {}, {}, {}};
  const HierarchyNeed need = {HierarchyKind::kClusters, 0, own.min_separation};
  WY_RETURN_IF_ERROR(parts_.hierarchy.MakeReady(run, need, running.result.all.statistics).RunNow());
  const absl::Time begin = absl::Now();
  TakeRows(step, running);
  WY_RETURN_IF_ERROR(parts_.upload.Take(running.input, running.job.step));
  const absl::Duration prepared = absl::Now() - begin;
  parts_.traversal.Begin(own, parts_.hierarchy.Order());
  const absl::Status ran = RunTurns(running);
  parts_.host_lists.Drop();
  parts_.upload.Release();
  WY_RETURN_IF_ERROR(ran);
  const StepTimes& times = running.times;
  PhaseTimes& phases = running.result.all.statistics.phases;
  phases.push_back({"copy_in", prepared + times.copy_in});
  phases.push_back({"refit", times.refit});
  phases.push_back({"broad", times.broad});
  phases.push_back({"narrow", times.narrow});
  phases.push_back({"copy_out", times.sort + times.copy_out});
  WY_RETURN_IF_ERROR(Commit(running));
  return std::move(running.result);
}

/// Leaves the worlds at the end of the step, but those that failed where they were.
absl::Status SceneSet::Commit(const Running& step) {
  for (const std::uint32_t world : step.failed) {
    WY_RETURN_IF_ERROR(parts_.upload.Withdraw(world));
  }
  if (step.run.token.Cancelled()) {
    return absl::CancelledError("cancelled while the result was copied");
  }
  std::vector<std::uint32_t> moved;
  std::set_difference(step.moving.begin(), step.moving.end(), step.failed.begin(),
                      step.failed.end(), std::back_inserter(moved));
  // If all have failed, perhaps no event ran, and the worlds that rest have no end.
  if (!moved.empty()) parts_.upload.Commit(moved);
  return absl::OkStatus();
}

/// Gives all worlds a turn; divides a turn that finds no room.
absl::Status SceneSet::RunTurns(Running& step) {
  struct Turn {
    std::size_t first, count;
  };
  std::vector<Turn> turns;
  if (!step.moving.empty()) turns.push_back({0, step.moving.size()});
  while (!turns.empty()) {
    const Turn turn = turns.back();
    turns.pop_back();
    const absl::Status status = RunTurn(step, turn.first, turn.count);
    if (status.ok()) continue;
    if (!absl::IsResourceExhausted(status)) return status;
    if (turn.count == 1) {
      step.result.worlds[step.rows[turn.first]].status = status;
      step.failed.push_back(step.moving[turn.first]);
      continue;
    }
    const std::size_t half = turn.count / 2;
    turns.push_back({turn.first + half, turn.count - half});
    turns.push_back({turn.first, half});  // first, because results are in the order of worlds
  }
  return absl::OkStatus();
}

/// @shape first, count: of the moving worlds
absl::Status SceneSet::RunTurn(Running& step, std::size_t first, std::size_t count) {
  const std::span<const std::uint32_t> moving = step.moving;
  memory_.Place(moving, moving.subspan(first, count), step.job.step, parts_.upload);
  StepCounters counters;
  WY_RETURN_IF_ERROR(RunUntilListsFit(parts_, step.run, step.job, counters, step.times).RunNow());
  const absl::Time ran = absl::Now();
  const absl::Status read = ReadTurn(step, counters, first, count);
  step.times.copy_out += absl::Now() - ran;
  return read;
}

absl::Status SceneSet::ReadTurn(Running& step, const StepCounters& counters, std::size_t first,
                                std::size_t count) {
  CollisionResult turn;
  parts_.hierarchy.Measure(HierarchyKind::kClusters, counters, turn.statistics.hierarchy);
  WY_RETURN_IF_ERROR(parts_.reader.Read(step.job, counters, false, turn));
  if (step.options.with_geometry && step.options.report == Report::kCollisions) {
    WY_RETURN_IF_ERROR(parts_.reader.AddGeometry(step.job, step.run.token, turn));
  }
  WY_RETURN_IF_ERROR(memory_.ReadEarliest());
  const WorldCounts counts = SplitByWorld(step.job.scene.worlds, turn);
  std::optional<double>& earliest = step.result.all.earliest_time;
  for (std::size_t i = first; i < first + count; ++i) {
    const std::uint32_t world = step.moving[i];
    WorldResult& result = step.result.worlds[step.rows[i]];
    result.earliest_time = memory_.EarliestOf(world);
    result.vertex_faces = counts.vertex_faces[world];
    result.edge_edges = counts.edge_edges[world];
    result.path_deviation = parts_.upload.Deviation(world);
    if (result.earliest_time && (!earliest || *result.earliest_time < *earliest)) {
      earliest = result.earliest_time;
    }
  }
  AppendLists(std::move(turn), step.result.all);
  return absl::OkStatus();
}

}  // namespace warpyard::ccd
