// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/scene.h"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "core/base/macros.h"
#include "core/workload/ccd/broad/cluster_search.h"
#include "core/workload/ccd/check_options.h"
#include "core/workload/ccd/group_matrix.h"
#include "core/workload/ccd/scene/scene_memory.h"

namespace warpyard::ccd {
namespace {

/// Each run has room for four times as many pairs of a level as the last one had too many.
constexpr int kMostLevelRuns = 16;

/// Coordinates as doubles, widen(coordinate, axis) each; `from` need not be aligned.
template <class Scalar, class Widen>
void ConvertAll(const void* from, Widen widen, std::vector<Vector3d>& to) {
  const char* bytes = static_cast<const char*>(from);
  for (Vector3d& position : to) {
    Scalar xyz[3];
    std::memcpy(xyz, bytes, sizeof xyz);
    position = {widen(xyz[0], 0), widen(xyz[1], 1), widen(xyz[2], 2)};
    bytes += sizeof xyz;
  }
}

/// What PositionReader makes of them on a device.
std::vector<Vector3d> ToDoubles(const PositionsView& positions) {
  std::vector<Vector3d> doubles(positions.vertices);
  const auto widen = [](auto coordinate, int) { return static_cast<double>(coordinate); };
  switch (positions.scalar_type) {
    case ScalarType::kFloat32:
      ConvertAll<float>(positions.data, widen, doubles);
      break;
    case ScalarType::kFloat64:
      ConvertAll<double>(positions.data, widen, doubles);
      break;
    case ScalarType::kQuantized16:
      ConvertAll<std::uint16_t>(
          positions.data,
          [&box = positions.box](std::uint16_t q, int axis) {
            return Dequantized(box.low[axis], SpacingOf(box, axis), q);
          },
          doubles);
      break;
  }
  return doubles;
}

template <class T>
absl::Status Fill(device::Backend& backend, std::span<const T> from, memory::DeviceArray<T>& to) {
  WY_RETURN_IF_ERROR(to.Reserve(backend, from.size()));
  return backend.CopyIn(to.data(), from.data(), from.size_bytes());
}

/// Adds the phases of a run. The traversal's stages cover broad and narrow phase; their wall time
/// is divided in proportion to the time that the workers spent in either.
void AddRun(const procedure::StageTimes& times, const StepView& step, const StepCounters& counters,
            StepTimes& sums) {
  const auto between = [&](StepStage from, StepStage to) {
    return static_cast<double>(
        times.Between(static_cast<std::size_t>(from), static_cast<std::size_t>(to)));
  };
  double refit = between(StepStage::kBoundVertices, StepStage::kSampleClusters);
  double meet = between(StepStage::kTraverse, StepStage::kWalkPairs);
  double roots = between(StepStage::kWalkPairs, StepStage::kPlaceRows);
  double search = between(StepStage::kSearch, StepStage::kTraverse);
  if (step.traversal == Traversal::kClusters) {
    search += between(StepStage::kSampleClusters, StepStage::kMeetSample);
    meet += between(StepStage::kMeetSample, StepStage::kFindSampleRoots);
    roots += between(StepStage::kFindSampleRoots, StepStage::kBoundVerticesAgain);
    refit += between(StepStage::kBoundVerticesAgain, StepStage::kSearch);
  } else {
    // Oriented boxes are fitted there, or rounds of a traversal go on.
    double& phase = step.work.oriented != nullptr ? refit : search;
    phase += between(StepStage::kSampleClusters, StepStage::kSearch);
  }
  const double share = counters.traverse_cycles == 0
                           ? 0
                           : static_cast<double>(counters.filter_cycles) /
                                 static_cast<double>(counters.traverse_cycles);
  sums.refit += absl::Nanoseconds(refit);
  sums.broad += absl::Nanoseconds(search + meet * (1 - share));
  sums.narrow += absl::Nanoseconds(meet * share + roots);
  sums.sort += absl::Nanoseconds(between(StepStage::kPlaceRows, StepStage::kEnd));
}

/// StepView::end_time for steps that end at `max_time`: the next double, so that what is at that
/// time itself counts. 1 would not be an end.
double EndAfter(double max_time) {
  const double next = std::nextafter(max_time, 2);
  return next < 1 ? next : max_time;
}

/// A scene is opened only if its first step finds room, too.
absl::Status CheckOpenFits(const device::Backend& backend, const SceneSize& size) {
  const SceneBytes bytes = BytesOf(size);
  return CheckFits(backend, size, bytes.scene + bytes.lists);
}

/// Indices of vertices, edges and nodes leave their top bits to marks (kLeafBit and others); those
/// of features are of 32 bits, and a triangle owns up to 7.
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
  // What is too large by far is refused before its edges are counted.
  SceneSize size{input.positions.vertices, 0, input.triangles.size() / 3,
                 !input.vertex_groups.empty(), CountBodies(input.vertex_groups) != 0};
  WY_RETURN_IF_ERROR(CheckOpenFits(backend, size));
  std::unique_ptr<Scene> scene(new Scene(backend));
  scene->workers_ = runner.Workers();
  scene->build_ = input.build;
  Topology topology =
      BuildTopology(input.triangles, static_cast<std::uint32_t>(input.positions.vertices));
  size.edges = topology.EdgeCount();
  WY_RETURN_IF_ERROR(CheckOpenFits(backend, size));
  WY_RETURN_IF_ERROR(scene->Allocate(input, topology));
  WY_RETURN_IF_ERROR(scene->PlaceAtRest(input));
  scene->edge_vertices_ = std::move(topology.edge_vertices);
  const absl::Time uploaded = absl::Now();
  WY_RETURN_IF_ERROR(scene->Build(runner, token));
  phases.push_back({"copy_in", uploaded - begin});
  phases.push_back({"build", absl::Now() - uploaded});
  return scene;
}

absl::Status Scene::Allocate(const SceneInput& input, const Topology& topology) {
  const std::size_t vertices = input.positions.vertices, triangles = topology.triangles.size();
  WY_RETURN_IF_ERROR(
      Fill(backend_, std::span<const Triangle>(topology.triangles), triangle_records_));
  WY_RETURN_IF_ERROR(Fill(backend_, std::span<const std::uint32_t>(topology.edge_vertices),
                          device_edge_vertices_));
  if (!input.vertex_groups.empty()) {
    WY_RETURN_IF_ERROR(Fill(backend_, input.vertex_groups, vertex_groups_));
  }
  if (!input.group_matrix.empty()) {
    WY_RETURN_IF_ERROR(Fill(backend_, input.group_matrix, group_matrix_));
  }
  WY_RETURN_IF_ERROR(ordered_bounds_.Reserve(backend_, kBoundWords));
  for (Array<Vector3d>& positions : positions_) {
    WY_RETURN_IF_ERROR(positions.Reserve(backend_, vertices));
  }
  WY_RETURN_IF_ERROR(leaves_.Reserve(backend_, triangles));
  WY_RETURN_IF_ERROR(vertex_points_.Reserve(backend_, vertices));
  const std::size_t clusters = (triangles - 1) / kClusterTriangles + 1;
  ClusterTree tree = ClusterTreeOf(static_cast<std::uint32_t>(clusters));
  const std::size_t features = vertices + topology.EdgeCount() + triangles;
  WY_RETURN_IF_ERROR(features_.Reserve(backend_, features));
  WY_RETURN_IF_ERROR(feature_corners_.Reserve(backend_, features));
  WY_RETURN_IF_ERROR(feature_spans_.Reserve(backend_, clusters));
  WY_RETURN_IF_ERROR(cluster_vertices_.Reserve(backend_, clusters * kClusterVertices));
  WY_RETURN_IF_ERROR(tree_boxes_.Reserve(backend_, tree.first[tree.levels]));
  WY_RETURN_IF_ERROR(tree_arrivals_.Reserve(backend_, tree.first[tree.levels]));
  tree.boxes = tree_boxes_.data();
  tree.arrivals = tree_arrivals_.data();
  WY_RETURN_IF_ERROR(counters_.Reserve(backend_, 1));
  view_ = {static_cast<std::uint32_t>(vertices),
           topology.EdgeCount(),
           static_cast<std::uint32_t>(triangles),
           input.group_rule,
           triangle_records_.data(),
           vertex_groups_.data(),
           group_matrix_.data(),
           device_edge_vertices_.data(),
           ordered_bounds_.data(),
           nullptr,
           leaves_.data(),
           nullptr,
           nullptr,
           nullptr,
           nullptr,
           nullptr,
           nullptr,
           nullptr,
           vertex_points_.data(),
           features_.data(),
           feature_corners_.data(),
           feature_spans_.data(),
           cluster_vertices_.data(),
           tree,
           1,
           nullptr};
  return absl::OkStatus();
}

absl::Status Scene::PlaceAtRest(const SceneInput& input) {
  const std::vector<Vector3d> rest = ToDoubles(input.positions);
  WY_RETURN_IF_ERROR(Fill(backend_, std::span<const Vector3d>(rest), positions_[committed_]));
  const std::uint32_t bodies = CountBodies(input.vertex_groups);
  if (bodies == 0) return absl::OkStatus();
  WY_RETURN_IF_ERROR(Fill(backend_, std::span<const Vector3d>(rest), rest_));
  view_.rest = rest_.data();
  balls_ = BallsOf(rest, input.vertex_groups, bodies);
  committed_pose_.assign(bodies, {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}});
  return absl::OkStatus();
}

absl::Status Scene::CheckSize(const StepPositions& given) const {
  if (const auto* positions = std::get_if<PositionsView>(&given)) {
    if (positions->vertices == view_.vertices) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat(positions->vertices, " vertices; the scene has ", view_.vertices));
  }
  const std::size_t bodies = std::get<PoseView>(given).bodies;
  if (bodies == balls_.size() && bodies != 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("a pose of ", bodies, " bodies; the scene has ", balls_.size()));
}

/// What is given must stay until the uploads are made.
absl::Status Scene::Upload(const StepPositions& given, Incoming& incoming, PositionSource& source) {
  incoming.pose.clear();
  const auto* positions = std::get_if<PositionsView>(&given);
  if (positions == nullptr) return UploadPose(std::get<PoseView>(given), incoming, source);
  if (positions->scalar_type == ScalarType::kFloat64) {
    source.format = PositionFormat::kConverted;
    uploads_.push_back({source.to, positions->data, positions->vertices * sizeof(Vector3d)});
    return absl::OkStatus();
  }
  const bool is_float = positions->scalar_type == ScalarType::kFloat32;
  const std::size_t size =
      positions->vertices * 3 * (is_float ? sizeof(float) : sizeof(std::uint16_t));
  WY_RETURN_IF_ERROR(incoming.bytes.Reserve(backend_, size));
  source.format = is_float ? PositionFormat::kFloat32 : PositionFormat::kQuantized16;
  source.data = incoming.bytes.data();
  for (int axis = 0; axis < 3; ++axis) {
    source.low[axis] = positions->box.low[axis];
    source.spacing[axis] = SpacingOf(positions->box, axis);
  }
  uploads_.push_back({incoming.bytes.data(), positions->data, size});
  return absl::OkStatus();
}

absl::Status Scene::UploadPose(const PoseView& given, Incoming& incoming, PositionSource& source) {
  const std::size_t size = given.bodies * sizeof(geometry::RigidTransform);
  incoming.pose.resize(given.bodies);
  std::memcpy(incoming.pose.data(), given.matrices, size);
  WY_RETURN_IF_ERROR(CheckReach(balls_, incoming.pose));
  WY_RETURN_IF_ERROR(incoming.bytes.Reserve(backend_, size));
  source.format = PositionFormat::kPose;
  source.data = incoming.bytes.data();
  uploads_.push_back({incoming.bytes.data(), incoming.pose.data(), size});
  return absl::OkStatus();
}

std::optional<double> Scene::DeviationOf(const StepInput& input) const {
  const auto& start = input.start ? incoming_[0].pose : committed_pose_;
  const auto& end = incoming_[1].pose;
  if (start.empty() || end.empty()) return std::nullopt;
  return PathDeviation(balls_, start, end);
}

absl::StatusOr<CollisionResult> Scene::Step(CollisionRunner& runner, const StepInput& input,
                                            const CollisionOptions& options,
                                            const procedure::CancelToken& token) {
  WY_RETURN_IF_ERROR(CheckOptions(options));
  WY_RETURN_IF_ERROR(CheckSize(input.end));
  if (input.start) WY_RETURN_IF_ERROR(CheckSize(*input.start));
  CollisionResult result;
  WY_RETURN_IF_ERROR(ReadyHierarchy(runner, token, options, result.statistics));
  const absl::Time begin = absl::Now();
  const std::size_t end = (committed_ + 1) % 3;
  const std::size_t start = input.start ? (committed_ + 2) % 3 : committed_;
  CollisionJob job{CollisionTask::kStep, view_, {}};
  job.step.start = positions_[start].data();
  job.step.end = positions_[end].data();
  job.step.sources[0].to = &positions_[start].data()->x;
  job.step.sources[1].to = &positions_[end].data()->x;
  uploads_.clear();
  WY_RETURN_IF_ERROR(Upload(input.end, incoming_[1], job.step.sources[1]));
  if (input.start) WY_RETURN_IF_ERROR(Upload(*input.start, incoming_[0], job.step.sources[0]));
  const absl::Time prepared = absl::Now();

  job.step.report = options.report;
  job.step.samples = options.report == Report::kEarliest &&
                     options.traversal == Traversal::kClusters && sample_rule_.Samples();
  job.step.sorted = options.report == Report::kCollisions && !options.unsorted;
  job.step.traversal = options.traversal;
  job.step.bounding_volume = options.bounding_volume;
  job.step.root_finder = options.root_finder;
  job.step.tolerance = options.tolerance;
  job.step.max_intervals = options.max_intervals;
  job.step.min_separation = options.min_separation;
  job.step.end_time = EndAfter(options.max_time);
  traversal_.SetTuning(options.tuning);
  StepCounters counters;
  StepTimes times;
  if (const absl::Status ran = RunUntilListsFit(runner, token, job, counters, times); !ran.ok()) {
    DropHostLists();
    return ran;
  }
  LearnOfSample(job.step, counters);
  const absl::Time ran = absl::Now();
  result.statistics.phases.push_back({"copy_in", prepared - begin + times.copy_in});
  result.statistics.phases.push_back({"refit", times.refit});
  result.statistics.phases.push_back({"broad", times.broad});
  result.statistics.phases.push_back({"narrow", times.narrow});
  result.path_deviation = DeviationOf(input);
  WY_RETURN_IF_ERROR(ReadResult(job, options, counters, result));
  if (options.with_geometry && options.report == Report::kCollisions) {
    WY_RETURN_IF_ERROR(AddGeometry(job.step, token, result));
  }
  result.statistics.phases.push_back({"copy_out", absl::Now() - ran + times.sort + times.copy_out});
  if (token.Cancelled()) return absl::CancelledError("cancelled while the result was copied");
  committed_ = end;
  committed_pose_.swap(incoming_[1].pose);
  return result;
}

void Scene::LearnOfSample(const StepView& step, const StepCounters& counters) {
  if (step.report != Report::kEarliest || step.traversal != Traversal::kClusters) return;
  const std::uint64_t candidates = counters.candidates[0] + counters.candidates[1];
  const std::uint64_t least = SampleRule::LeastSpared(workers_, view_.triangles);
  if (step.samples) {
    sample_rule_.TakeSampled(SampleClusters::kStride * counters.sampled, candidates, least);
  } else {
    sample_rule_.TakeWhole(candidates, least);
  }
}

absl::Status Scene::Reserve(StepView& step, const StepCounters& needed) {
  if (needed.meetings > meetings_.size()) {
    WY_RETURN_IF_ERROR(meetings_.Reserve(backend_, WithSlack(needed.meetings)));
  }
  step.meetings = {meetings_.data(), meetings_.size(), &counters_.data()->meetings};
  for (std::size_t kind = 0; kind < 2; ++kind) {
    if (needed.survivors[kind] > survivors_[kind].size()) {
      WY_RETURN_IF_ERROR(survivors_[kind].Reserve(backend_, WithSlack(needed.survivors[kind])));
    }
    StepCounters* counters = counters_.data();
    step.survivors[kind] = {survivors_[kind].data(), survivors_[kind].size(),
                            &counters->survivors[kind]};
    step.counters = counters;
  }
  if (needed.left > left_.size()) {
    WY_RETURN_IF_ERROR(left_.Reserve(backend_, WithSlack(needed.left)));
  }
  step.left = {left_.data(), left_.size(), &counters_.data()->left};
  const std::uint64_t* const listed = needed.listed_contacts;
  if (listed[0] > vertex_face_.size()) {
    WY_RETURN_IF_ERROR(vertex_face_.Reserve(backend_, WithSlack(listed[0])));
  }
  if (listed[1] > edge_edge_.size()) {
    WY_RETURN_IF_ERROR(edge_edge_.Reserve(backend_, WithSlack(listed[1])));
  }
  std::uint64_t* const counts = counters_.data()->listed_contacts;
  step.vertex_face = {vertex_face_.data(), vertex_face_.size(), counts};
  step.edge_edge = {edge_edge_.data(), edge_edge_.size(), counts + 1};
  return ReserveRows(step);
}

absl::Status Scene::ReserveRows(StepView& step) {
  step.rows = {};
  if (!step.sorted || view_.vertices > ContactRows::kMostVertices) return absl::OkStatus();
  WY_RETURN_IF_ERROR(row_words_.Reserve(backend_, ContactRows::WordsOf(view_.vertices)));
  step.rows = ContactRows::In(row_words_.data(), view_.vertices);
  // Root finding is done with the survivors when collisions are dealt out to their memory.
  const std::size_t listed[] = {vertex_face_.size(), edge_edge_.size()};
  for (std::size_t kind = 0; kind < 2; ++kind) {
    Array<PairIds>& memory = survivors_[kind];
    const std::size_t before = memory.size();
    const absl::Status reserved = memory.Reserve(backend_, kSurvivorsToDeal * listed[kind]);
    if (!reserved.ok()) {  // then the host sorts, in its own memory
      WY_RETURN_IF_ERROR(memory.Reserve(backend_, before));
      step.rows = {};
      if (!absl::IsResourceExhausted(reserved)) return reserved;
    }
    step.survivors[kind].items = memory.data();
    step.survivors[kind].capacity = memory.size();
    if (!reserved.ok()) return absl::OkStatus();
    step.rows.dealt[kind] = reinterpret_cast<RowContact*>(memory.data());
  }
  return absl::OkStatus();
}

absl::Status Scene::RunOnce(CollisionRunner& runner, const procedure::CancelToken& token,
                            CollisionJob& job, StepCounters& counters, StepTimes& times) {
  job.step.resumed = false;
  do {
    WY_ASSIGN_OR_RETURN(const procedure::StageTimes stages, RunFromNoArrivals(runner, token, job));
    const absl::Time begin = absl::Now();
    WY_RETURN_IF_ERROR(ReadCounters(job.step, counters));
    times.copy_out += absl::Now() - begin;
    AddRun(stages, job.step, counters, times);
    job.step.resumed = true;
  } while (counters.traversal.pending != 0);
  return absl::OkStatus();
}

absl::Status Scene::RunUntilListsFit(CollisionRunner& runner, const procedure::CancelToken& token,
                                     CollisionJob& job, StepCounters& counters, StepTimes& times) {
  StepCounters needed = FirstListLengths(view_.triangles);
  // A run that overflows one list tells how long that one gets, so a fifth run is the last; unless
  // levels of a traversal ran over, of which each tells of the first only.
  for (int run = 0; run < 6 + kMostLevelRuns; ++run) {
    WY_RETURN_IF_ERROR(Reserve(job.step, needed));
    counters = {};
    counters.earliest_bits = kNoContactBits;
    WY_RETURN_IF_ERROR(traversal_.Prepare(runner, view_.triangles, job.step, counters));
    PlaceHostLists(runner, job.step);
    const absl::Time begin = absl::Now();
    uploads_.push_back({counters_.data(), &counters, sizeof counters});
    WY_RETURN_IF_ERROR(backend_.CopyAllIn(uploads_));
    uploads_.clear();
    times.copy_in += absl::Now() - begin;
    WY_RETURN_IF_ERROR(RunOnce(runner, token, job, counters, times));
    WY_ASSIGN_OR_RETURN(bool fits, traversal_.Fits(counters));
    fits = fits && counters.meetings <= meetings_.size() && counters.left <= left_.size() &&
           counters.listed_contacts[0] <= job.step.vertex_face.capacity &&
           counters.listed_contacts[1] <= job.step.edge_edge.capacity;
    for (std::size_t kind = 0; kind < 2; ++kind) {
      fits &= counters.survivors[kind] <= survivors_[kind].size();
    }
    LearnLengths(job.step, counters, fits);
    if (counters.meetings > kMostPairs) {
      return absl::ResourceExhaustedError(
          absl::StrCat("the step has ", counters.meetings,
                       " pairs of clusters or triangles to examine; the limit is ", kMostPairs));
    }
    if (counters.survivors[0] + counters.survivors[1] > kMostPairs) {
      return absl::ResourceExhaustedError(
          absl::StrCat("the step has ", counters.survivors[0] + counters.survivors[1],
                       " pairs to examine; the limit is ", kMostPairs));
    }
    if (fits) {
      traversal_.Finish(counters);
      return absl::OkStatus();
    }
    needed = counters;
  }
  return absl::InternalError("pair lists overflow again and again");
}

}  // namespace warpyard::ccd
