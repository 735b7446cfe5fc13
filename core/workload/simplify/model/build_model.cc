// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/model/build_model.h"

#include <algorithm>
#include <random>
#include <utility>

#include "core/base/macros.h"
#include "core/device/host_copy.h"
#include "core/workload/simplify/model/build_bytes.h"
#include "core/workload/simplify/model/build_wedges.h"
#include "core/workload/simplify/model/check_input.h"
#include "core/workload/simplify/model/input_points.h"
#include "core/workload/simplify/model/upload.h"

namespace warpyard::simplify {
namespace {

/// What only the build needs.
struct BuildArrays {
  Array<FloatPoint> positions;
  Array<std::uint32_t> indices, locks, edges, counts, offsets, items;
  WeldArrays weld;
  ComponentArrays components;
  Array<NodeLeaves> below;
};

class Builder {
 public:
  explicit Builder(TaskRun& run)
      : run_(run), backend_(run.backend()), wedges_(backend_, model_.wedges, job_) {}

  absl::StatusOr<ModelArrays> Build(const ModelInput& input) {
    WY_RETURN_IF_ERROR(Weld(input));
    const WeldedCounts counts = {job_.model.leaves, job_.model.wedges.leaves, job_.model.triangles};
    const std::uint64_t bytes = TreeBytes(input, counts);
    WY_RETURN_IF_ERROR(CheckFits(backend_, input, bytes, HeldBytes(input, counts)));
    model_.facts.build_bytes = std::max(bytes, WeldBytes(input));
    WY_RETURN_IF_ERROR(FindEdges());
    WY_RETURN_IF_ERROR(JoinComponents());
    WY_RETURN_IF_ERROR(SumNodes());
    model_.view = job_.model;
    std::copy(std::begin(job_.build.depth_begins), std::end(job_.build.depth_begins),
              std::begin(model_.depth_begins));
    return std::move(model_);
  }

 private:
  template <class T>
  absl::Status Take(Array<T>& array, std::size_t size, T*& view) {
    return simplify::Take(backend_, size, array, view);
  }

  absl::Status Upload(const ModelInput& input) {
    const std::size_t vertices = input.positions.vertices, corners = input.triangles.size();
    WY_RETURN_IF_ERROR(arrays_.positions.Reserve(backend_, vertices));
    BuildView& build = job_.build;
    WY_RETURN_IF_ERROR(Take(arrays_.indices, corners, build.input.indices));
    build.input.positions = arrays_.positions.data();
    build.input.vertices = static_cast<std::uint32_t>(vertices);
    build.input.triangles = static_cast<std::uint32_t>(corners / 3);
    build.input.seed = std::random_device()();
    build.input.finds_box = AreStored(input.positions);
    if (!build.input.finds_box) WY_RETURN_IF_ERROR(UploadRelative(input));
    const device::HostCopy positions = {arrays_.positions.data(), input.positions.data,
                                        vertices * sizeof(FloatPoint)};
    const device::HostCopy copies[] = {
        {arrays_.indices.data(), input.triangles.data(), input.triangles.size_bytes()},
        build.input.finds_box ? positions : device::HostCopy{}};
    WY_RETURN_IF_ERROR(UploadAll(backend_, copies));
    if (HasWedges(input)) WY_RETURN_IF_ERROR(wedges_.Upload(input));
    return UploadLocks(input);
  }

  /// Positions of which the device gets others: only the host can find their box.
  absl::Status UploadRelative(const ModelInput& input) {
    const absl::StatusOr<PointBox> box = FindBox(input.positions);
    if (!box.ok()) return IndexErrorOr(input, box.status());
    model_.facts.origin = box->low;
    const absl::StatusOr<Frame> frame = FrameOf(*box, model_.facts.origin);
    if (!frame.ok()) return IndexErrorOr(input, frame.status());
    job_.model.frame = *frame;
    return UploadPoints(backend_, input.positions, model_.facts.origin, arrays_.positions.data());
  }

  absl::Status UploadLocks(const ModelInput& input) {
    job_.build.input.locks_borders = input.borders == Borders::kLocked;
    job_.build.input.frees_borders = input.borders == Borders::kFree;
    if (input.locked.empty()) return absl::OkStatus();
    WY_RETURN_IF_ERROR(Take(arrays_.locks, input.locked.size(), job_.build.input.locks));
    return UploadMade(backend_, input.locked.size(), arrays_.locks.data(),
                      [&](std::size_t begin, std::size_t end, std::uint32_t* out) {
                        std::copy(input.locked.data() + begin, input.locked.data() + end, out);
                      });
  }

  absl::Status Weld(const ModelInput& input) {
    WY_RETURN_IF_ERROR(Upload(input));
    BuildView& build = job_.build;
    WY_RETURN_IF_ERROR(TakeWeld(backend_, build.input.vertices, arrays_.weld, build.input.points));
    WY_RETURN_IF_ERROR(
        Take(model_.corners, 3 * std::size_t{build.input.triangles}, job_.model.corners));
    WY_RETURN_IF_ERROR(run_.Reserve(std::max(2 * build.input.vertices, build.input.triangles)));
    WY_ASSIGN_OR_RETURN(const Counters counters, run_(SimplifyTask::kWeld, job_));
    if (counters.input.invalid != 0) return ErrorOf(input);
    if (build.input.finds_box) {
      WY_ASSIGN_OR_RETURN(job_.model.frame, FrameOf(BoxOf(counters.input), model_.facts.origin));
    }
    if (counters.triangles == 0) {
      return InvalidField("triangles", "none has three corners at different positions");
    }
    job_.model.leaves = counters.leaves;
    job_.model.triangles = counters.triangles;
    arrays_.weld.table = {};
    arrays_.indices = {};
    arrays_.weld.leaves = {};
    if (HasWedges(input)) WY_RETURN_IF_ERROR(wedges_.BeginTree(counters.wedges));
    return absl::OkStatus();
  }

  /// Of input in which kWeld found something invalid.
  static absl::Status ErrorOf(const ModelInput& input) {
    const absl::Status error = IndexErrorOr(input, FindBox(input.positions).status());
    return error.ok() ? absl::InternalError("the input changed while it was read") : error;
  }

  absl::Status FindEdges() {
    const std::size_t leaves = job_.model.leaves, triangles = job_.model.triangles;
    BuildView& build = job_.build;
    WY_RETURN_IF_ERROR(Take(arrays_.edges, triangles, build.edges));
    WY_RETURN_IF_ERROR(Take(arrays_.counts, leaves, build.around.counts));
    WY_RETURN_IF_ERROR(Take(arrays_.offsets, leaves + 1, build.around.offsets));
    // Later for the children of nodes.
    WY_RETURN_IF_ERROR(
        Take(arrays_.items, std::max(3 * triangles, 2 * leaves), build.around.items));
    WY_RETURN_IF_ERROR(TakeComponents(backend_, leaves, arrays_.components, build.points));
    WY_RETURN_IF_ERROR(Take(model_.parents, 2 * leaves, job_.model.parents));
    build.points.corners = job_.model.corners;
    build.points.parents = job_.model.parents;
    WY_RETURN_IF_ERROR(
        run_.Reserve(std::max({2 * leaves, std::size_t{job_.model.wedges.leaves}, triangles})));
    WY_ASSIGN_OR_RETURN(const Counters counters, run_(SimplifyTask::kEdges, job_));
    std::copy(std::begin(counters.depths), std::end(counters.depths), depths_);
    return absl::OkStatus();
  }

  /// From the deepest cells on upwards.
  absl::Status JoinComponents() {
    BuildView& build = job_.build;
    build.points.root_count = build.points.first_node = job_.model.leaves;
    for (std::uint32_t k = 0; k < kDepths; ++k) {
      build.depth = kDeepest - k;
      build.depth_begins[k] = build.points.first_node;
      if (depths_[build.depth] == 0) continue;
      WY_RETURN_IF_ERROR(Join(build.points));
      if (job_.model.wedges.leaves != 0) WY_RETURN_IF_ERROR(Join(build.wedges));
    }
    build.depth_begins[kDepths] = job_.model.nodes = build.points.first_node;
    return absl::OkStatus();
  }

  absl::Status Join(ComponentsView& components) {
    job_.build.joins_wedges = &components == &job_.build.wedges;
    WY_ASSIGN_OR_RETURN(const Counters counters, run_(SimplifyTask::kJoin, job_));
    components.root_count = counters.join.roots;
    components.first_node += counters.join.made;
    std::swap(components.roots, components.next);
    return absl::OkStatus();
  }

  absl::Status SumNodes() {
    ModelView& model = job_.model;
    WY_RETURN_IF_ERROR(Take(model_.joints, model.triangles, model.joints));
    WY_RETURN_IF_ERROR(Take(model_.keys, model.triangles, model.keys));
    WY_RETURN_IF_ERROR(Take(model_.errors, model.nodes, model.errors));
    WY_RETURN_IF_ERROR(Take(model_.distances, model.nodes, model.distances));
    WY_RETURN_IF_ERROR(Take(model_.places, model.nodes, model.places));
    WY_RETURN_IF_ERROR(Take(model_.quadrics, model.nodes, model.quadrics));
    WY_RETURN_IF_ERROR(Take(model_.sources, model.nodes, model.sources));
    WY_RETURN_IF_ERROR(Take(model_.radii, model.nodes, model.bounds.radii));
    WY_RETURN_IF_ERROR(Take(model_.cones, model.nodes, model.bounds.cones));
    WY_RETURN_IF_ERROR(Take(arrays_.below, model.nodes, job_.build.below));
    if (model.wedges.leaves != 0) {
      WY_RETURN_IF_ERROR(wedges_.BeginFields(job_.build.wedges.first_node));
    }
    return run_(SimplifyTask::kNodes, job_).status();
  }

  TaskRun& run_;
  device::Backend& backend_;
  SimplifyJob job_{};
  ModelArrays model_;
  BuildArrays arrays_;
  WedgeBuilder wedges_;
  std::uint32_t depths_[kDepths] = {};
};

}  // namespace

absl::StatusOr<ModelArrays> BuildModel(TaskRun& run, const ModelInput& input) {
  WY_RETURN_IF_ERROR(CheckInput(input));
  absl::Status fits = CheckFits(run.backend(), input, WeldBytes(input), 0);
  if (!fits.ok()) return IndexErrorOr(input, std::move(fits));
  return Builder(run).Build(input);
}

}  // namespace warpyard::simplify
