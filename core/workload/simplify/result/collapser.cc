// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/result/collapser.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "core/base/macros.h"
#include "core/device/host_copy.h"
#include "core/workload/simplify/wedges/field.h"

namespace warpyard::simplify {
namespace {

constexpr float kPart = 0.15f;       // of the edges: the cheapest ones of a pass
constexpr float kWiden = 1.5f;       // the factor of that part, after a pass that collapsed few
constexpr std::uint32_t kFew = 250;  // a pass that removes less than one of so many triangles

}  // namespace

absl::Status Collapser::Reserve() {
  device::Backend& backend = run_.backend();
  const std::size_t vertices = job_.mesh.vertices, triangles = job_.mesh.triangles;
  WY_RETURN_IF_ERROR(run_.Reserve(std::max(vertices, triangles)));
  WY_RETURN_IF_ERROR(arrays_.counts.Reserve(backend, vertices));
  WY_RETURN_IF_ERROR(arrays_.offsets.Reserve(backend, vertices + 1));
  WY_RETURN_IF_ERROR(arrays_.items.Reserve(backend, 3 * triangles));
  WY_RETURN_IF_ERROR(arrays_.flags.Reserve(backend, vertices));
  WY_RETURN_IF_ERROR(arrays_.edges.Reserve(backend, 6 * triangles));
  WY_RETURN_IF_ERROR(arrays_.costs.Reserve(backend, 6 * triangles));
  WY_RETURN_IF_ERROR(arrays_.edge_count.Reserve(backend, vertices));
  WY_RETURN_IF_ERROR(arrays_.best.Reserve(backend, vertices));
  WY_RETURN_IF_ERROR(arrays_.cheapest.Reserve(backend, triangles));
  WY_RETURN_IF_ERROR(arrays_.chosen.Reserve(backend, vertices));
  WY_RETURN_IF_ERROR(arrays_.next.Reserve(backend, 3 * triangles));
  const std::vector<std::uint32_t> zeros(vertices);
  WY_RETURN_IF_ERROR(
      backend.CopyIn(arrays_.counts.data(), zeros.data(), vertices * sizeof(std::uint32_t)));
  CollapseView& collapse = job_.collapse;
  if (job_.mesh.wedges != 0) {
    WY_RETURN_IF_ERROR(arrays_.wedge_moved.Reserve(backend, job_.mesh.wedges));
    WY_RETURN_IF_ERROR(arrays_.wedge_next.Reserve(backend, 3 * triangles));
    collapse.wedge_moved = arrays_.wedge_moved.data();
    collapse.wedge_next = arrays_.wedge_next.data();
  }
  collapse.around = {arrays_.counts.data(), arrays_.offsets.data(), arrays_.items.data()};
  collapse.flags = arrays_.flags.data();
  collapse.edges = arrays_.edges.data();
  collapse.costs = arrays_.costs.data();
  collapse.edge_count = arrays_.edge_count.data();
  collapse.best = arrays_.best.data();
  collapse.cheapest = arrays_.cheapest.data();
  collapse.chosen = arrays_.chosen.data();
  collapse.next = arrays_.next.data();
  return absl::OkStatus();
}

absl::Status Collapser::Compact() {
  device::Backend& backend = run_.backend();
  MeshView& mesh = job_.mesh;
  MeshView& next = job_.compacted = mesh;
  const std::size_t corners = 3 * std::size_t{mesh.triangles};
  const std::size_t vertices = std::min<std::size_t>(mesh.vertices, corners);
  const std::size_t wedges = std::min<std::size_t>(mesh.wedges, corners);
  const std::size_t words = wedges * FieldWords(job_.model.wedges.channels);
  std::swap(compacted_[0], compacted_[1]);
  CompactedArrays& to = compacted_[0];
  WY_RETURN_IF_ERROR(run_.Reserve(std::max(mesh.vertices, mesh.wedges)));
  WY_RETURN_IF_ERROR(Take(backend, vertices, to.positions, next.positions));
  WY_RETURN_IF_ERROR(Take(backend, vertices, to.quadrics, next.quadrics));
  WY_RETURN_IF_ERROR(Take(backend, vertices, to.nodes, next.nodes));
  WY_RETURN_IF_ERROR(Take(backend, wedges, to.wedge_nodes, next.wedge_nodes));
  WY_RETURN_IF_ERROR(Take(backend, wedges, to.wedge_sources, next.wedge_sources));
  WY_RETURN_IF_ERROR(Take(backend, words, to.fields, next.fields));
  WY_ASSIGN_OR_RETURN(const Counters counters, run_(SimplifyTask::kCompact, job_));
  next.vertices = counters.vertices;
  next.wedges = counters.wedges;
  mesh = next;
  compacted_at_ = mesh.triangles;
  return absl::OkStatus();
}

absl::StatusOr<CollapseReport> Collapser::Collapse(const CollapseGoal& goal) {
  CollapseReport report;
  if (job_.mesh.triangles <= goal.triangles) return report;
  // The mesh only shrinks, and after a pass the lists are as before it. Its corners may be where
  // the next ones were at first.
  if (!reserved_) WY_RETURN_IF_ERROR(Reserve());
  if (!reserved_) compacted_at_ = job_.mesh.triangles;
  reserved_ = true;
  WY_RETURN_IF_ERROR(arrays_.moved.Reserve(run_.backend(), job_.mesh.vertices));
  CollapseView& collapse = job_.collapse;
  collapse.moved = arrays_.moved.data();
  collapse.target = goal.triangles;
  collapse.bound = goal.bound;
  collapse.part = kPart;
  absl::Time begin = absl::Now();
  while (job_.mesh.triangles > goal.triangles) {
    // Passes go over all vertices, and half of them are gone then.
    if (job_.mesh.triangles <= compacted_at_ / 2) WY_RETURN_IF_ERROR(Compact());
    WY_ASSIGN_OR_RETURN(const Counters counters, run_(SimplifyTask::kCollapse, job_));
    ++report.passes;
    const std::uint32_t before = job_.mesh.triangles, removed = before - counters.triangles;
    job_.mesh.triangles = counters.triangles;
    std::swap(job_.mesh.corners, collapse.next);
    std::swap(job_.mesh.wedge_corners, collapse.wedge_next);
    if (removed == 0 && collapse.part >= 1) {
      report.shortfall = Shortfall::kTopology;
      return report;
    }
    if (std::uint64_t{kFew} * removed < before)
      collapse.part = std::min(1.0f, kWiden * collapse.part);
    const absl::Time now = absl::Now();
    // The next pass takes as long as this one, and the copies about as long.
    if (now + 2 * (now - begin) > goal.finish_by && job_.mesh.triangles > goal.triangles) {
      report.shortfall = Shortfall::kTime;
      return report;
    }
    begin = now;
  }
  return report;
}

absl::Status Collapser::Emit(SimplifiedMesh& result, bool with_ids) {
  device::Backend& backend = run_.backend();
  const WedgeView& wedges = job_.model.wedges;
  const std::size_t triangles = job_.mesh.triangles;
  const std::size_t most = wedges.leaves != 0 ? job_.mesh.wedges : job_.mesh.vertices;
  Array<FloatPoint> positions;
  Array<std::uint32_t> uses, corners, sources, groups, ids;
  Array<float> attributes;
  WY_RETURN_IF_ERROR(run_.Reserve(most));
  WY_RETURN_IF_ERROR(uses.Reserve(backend, most));
  WY_RETURN_IF_ERROR(positions.Reserve(backend, most));
  WY_RETURN_IF_ERROR(corners.Reserve(backend, 3 * triangles));
  WY_RETURN_IF_ERROR(sources.Reserve(backend, most));
  WY_RETURN_IF_ERROR(attributes.Reserve(backend, most * wedges.channels));
  WY_RETURN_IF_ERROR(groups.Reserve(backend, wedges.groups != nullptr ? most : 0));
  job_.emit = {uses.data(),       positions.data(), corners.data(), sources.data(),
               attributes.data(), groups.data(),    nullptr};
  if (with_ids) WY_RETURN_IF_ERROR(ids.Reserve(backend, most));
  job_.emit.ids = ids.data();
  WY_ASSIGN_OR_RETURN(const Counters counters, run_(SimplifyTask::kEmit, job_));
  result.statistics.max_error = std::bit_cast<float>(counters.max_error) * job_.model.frame.extent;
  const std::size_t vertices = counters.vertices;
  result.positions.resize(3 * vertices);
  result.sources.resize(vertices);
  result.triangles.resize(3 * triangles);
  result.attributes.resize(vertices * wedges.channels);
  result.ids.resize(with_ids ? vertices : 0);
  result.groups.resize(wedges.groups != nullptr ? vertices : 0);
  std::vector<device::HostCopy> copies;
  const auto copy_out = [&](auto& to, const auto& from) {
    if (!to.empty()) copies.push_back({to.data(), from.data(), to.size() * sizeof(to[0])});
  };
  copy_out(result.positions, positions);
  copy_out(result.sources, sources);
  copy_out(result.triangles, corners);
  copy_out(result.attributes, attributes);
  copy_out(result.groups, groups);
  copy_out(result.ids, ids);
  return backend.CopyAllOut(copies);
}

}  // namespace warpyard::simplify
