// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/result/cutter.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <random>
#include <vector>

#include "core/base/macros.h"
#include "core/workload/simplify/wedges/field.h"

namespace warpyard::simplify {
namespace {

constexpr int kMostExpansions = 100;  // rounds; each expands nodes, so they end

}  // namespace

CutAt AtDistance(const ModelArrays& model, double distance) {
  // Infinity is for locked vertices.
  const double relative = std::min<double>(distance / model.view.frame.extent, kMostError);
  return {.rule = CutRule::kDistance, .error = static_cast<float>(relative)};
}

CutAt AtLevel(const ModelArrays& model, std::uint32_t level) {
  // Nodes of the deepest cells come first.
  return {.rule = CutRule::kLevel, .level_end = model.depth_begins[kDeepest - level + 1]};
}

Cutter::Cutter(TaskRun& run, const ModelArrays& model, SimplifyJob& job)
    : run_(run), model_(model), job_(job) {
  job_.model = model.view;
  job_.cut.table.seed = std::random_device()();
}

absl::StatusOr<CutAt> Cutter::Select(std::uint64_t triangles) {
  const std::uint32_t all = model_.view.triangles;
  if (triangles >= all) return CutAt{.survivors = all};
  WY_RETURN_IF_ERROR(run_.Reserve(1));
  SimplifyJob job = job_;
  job.cut.selects = true;
  job.cut.rank = static_cast<std::uint32_t>(triangles);
  WY_ASSIGN_OR_RETURN(const Counters counters, run_(SimplifyTask::kSelect, job));
  const auto error = std::bit_cast<float>(counters.threshold);
  // Triangles with locked corners are in every cut.
  if (error == kLocked) return CutAt{.error = kMostError};
  return CutAt{.error = error, .survivors = counters.survivors};
}

absl::Status Cutter::Reserve(std::uint64_t triangles) {
  device::Backend& backend = run_.backend();
  const std::size_t count = std::max<std::uint64_t>(triangles, 1);
  const std::size_t slots = std::bit_ceil(2 * count), nodes = model_.view.nodes;
  const std::size_t vertices = std::min(nodes, 3 * count);
  WY_RETURN_IF_ERROR(run_.Reserve(std::max<std::size_t>(3 * count, model_.view.triangles)));
  WY_RETURN_IF_ERROR(cut_.survivors.Reserve(backend, count));
  WY_RETURN_IF_ERROR(cut_.mapped.Reserve(backend, 3 * count));
  WY_RETURN_IF_ERROR(cut_.table.Reserve(backend, slots));
  WY_RETURN_IF_ERROR(cut_.surplus.Reserve(backend, slots));
  WY_RETURN_IF_ERROR(cut_.slots.Reserve(backend, count));
  WY_RETURN_IF_ERROR(cut_.first_use.Reserve(backend, nodes));
  WY_RETURN_IF_ERROR(cut_.numbers.Reserve(backend, 3 * count));
  WY_RETURN_IF_ERROR(mesh_.corners.Reserve(backend, 3 * count));
  WY_RETURN_IF_ERROR(mesh_.nodes.Reserve(backend, vertices));
  WY_RETURN_IF_ERROR(mesh_.positions.Reserve(backend, vertices));
  WY_RETURN_IF_ERROR(mesh_.quadrics.Reserve(backend, vertices));
  CutView& cut = job_.cut;
  cut.capacity = static_cast<std::uint32_t>(cut_.survivors.size());
  cut.survivors = cut_.survivors.data();
  cut.mapped = cut_.mapped.data();
  cut.table.triangles = cut_.table.data();
  cut.table.mask = static_cast<std::uint32_t>(cut_.table.size() - 1);
  cut.table.surplus = cut_.surplus.data();
  cut.slots = cut_.slots.data();
  cut.points.first_use = cut_.first_use.data();
  cut.points.numbers = cut_.numbers.data();
  job_.mesh = {};
  job_.mesh.corners = mesh_.corners.data();
  job_.mesh.nodes = mesh_.nodes.data();
  job_.mesh.positions = mesh_.positions.data();
  job_.mesh.quadrics = mesh_.quadrics.data();
  return model_.view.wedges.leaves == 0 ? absl::OkStatus() : ReserveWedges(count);
}

absl::Status Cutter::ReserveWedges(std::size_t triangles) {
  device::Backend& backend = run_.backend();
  const std::size_t corners = 3 * triangles, nodes = model_.view.wedges.nodes;
  const std::size_t wedges = std::min(nodes, corners);
  const std::size_t words = wedges * FieldWords(model_.view.wedges.channels);
  WY_RETURN_IF_ERROR(cut_.wedge_first_use.Reserve(backend, nodes));
  WY_RETURN_IF_ERROR(cut_.wedge_numbers.Reserve(backend, corners));
  WY_RETURN_IF_ERROR(mesh_.wedge_corners.Reserve(backend, corners));
  WY_RETURN_IF_ERROR(mesh_.wedge_nodes.Reserve(backend, wedges));
  WY_RETURN_IF_ERROR(mesh_.wedge_sources.Reserve(backend, wedges));
  WY_RETURN_IF_ERROR(mesh_.fields.Reserve(backend, words));
  job_.cut.wedges.first_use = cut_.wedge_first_use.data();
  job_.cut.wedges.numbers = cut_.wedge_numbers.data();
  job_.mesh.wedge_corners = mesh_.wedge_corners.data();
  job_.mesh.wedge_nodes = mesh_.wedge_nodes.data();
  job_.mesh.wedge_sources = mesh_.wedge_sources.data();
  job_.mesh.fields = mesh_.fields.data();
  return absl::OkStatus();
}

absl::Status Cutter::Cut(const CutAt& at) {
  job_.cut.rule = at.rule;
  job_.cut.error = at.error;
  job_.cut.level_end = at.level_end;
  std::uint64_t room = at.survivors != 0 ? at.survivors : model_.view.triangles / 8 + 1024;
  while (true) {
    WY_RETURN_IF_ERROR(Reserve(room));
    WY_ASSIGN_OR_RETURN(const Counters counters, run_(SimplifyTask::kCut, job_));
    if (counters.overflow == 0) {
      job_.mesh.triangles = counters.triangles;
      job_.mesh.vertices = counters.vertices;
      job_.mesh.wedges = counters.wedges;
      return absl::OkStatus();
    }
    room = counters.survivors;
  }
}

absl::StatusOr<std::uint32_t> Cutter::CutFrom(std::uint64_t asked, std::uint64_t least) {
  while (true) {
    WY_ASSIGN_OR_RETURN(const CutAt at, Select(asked));
    WY_ASSIGN_OR_RETURN(const std::uint32_t expanded, CutToManifold(at));
    if (job_.mesh.triangles >= least || asked >= model_.view.triangles) return expanded;
    asked *= 2;
  }
}

absl::Status Cutter::ReserveLists() {
  device::Backend& backend = run_.backend();
  const std::size_t vertices = job_.mesh.vertices, corners = 3 * std::size_t{job_.mesh.triangles};
  WY_RETURN_IF_ERROR(counts_.Reserve(backend, vertices));
  WY_RETURN_IF_ERROR(offsets_.Reserve(backend, vertices + 1));
  WY_RETURN_IF_ERROR(items_.Reserve(backend, corners));
  const std::vector<std::uint32_t> zeros(vertices);
  WY_RETURN_IF_ERROR(
      backend.CopyIn(counts_.data(), zeros.data(), vertices * sizeof(std::uint32_t)));
  job_.collapse.around = {counts_.data(), offsets_.data(), items_.data()};
  return absl::OkStatus();
}

absl::StatusOr<std::uint32_t> Cutter::CutToManifold(const CutAt& at) {
  WY_RETURN_IF_ERROR(cut_.expanded.Reserve(run_.backend(), ExpandedWords(model_.view)));
  job_.cut.expanded = cut_.expanded.data();
  job_.cut.clears = true;
  CutAt now = at;
  std::uint32_t expanded = 0;
  for (int i = 0; i < kMostExpansions; ++i) {
    WY_RETURN_IF_ERROR(Cut(now));
    job_.cut.clears = false;
    WY_RETURN_IF_ERROR(ReserveLists());
    WY_ASSIGN_OR_RETURN(const Counters counters, run_(SimplifyTask::kExpand, job_));
    if (counters.expanded == 0) break;
    expanded += counters.expanded;
    now.survivors = std::max<std::uint64_t>(now.survivors, job_.cut.capacity);
  }
  job_.cut.expanded = nullptr;
  return expanded;
}

}  // namespace warpyard::simplify
