// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Building the hierarchies of a scene: when it is opened, when a traversal first asks for nodes,
// and anew when the scene has changed much.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "core/base/macros.h"
#include "core/workload/ccd/scene/scene.h"
#include "core/workload/ccd/scene/scene_memory.h"

namespace warpyard::ccd {
namespace {

/// Of bounds as OrderedBits, over all axes.
double SumOfExtents(const std::uint32_t (&bounds)[kBoundWords]) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    sum += static_cast<double>(geometry::FromOrderedBits(bounds[3 + k])) -
           static_cast<double>(geometry::FromOrderedBits(bounds[k]));
  }
  return sum;
}

}  // namespace

/// At the committed positions: those that a step brings are not converted before its first stage,
/// and any order of triangles is right.
absl::StatusOr<CollisionJob> Scene::FirstOfBuild() {
  StepCounters counters{};
  counters.earliest_bits = kNoContactBits;
  WY_RETURN_IF_ERROR(backend_.CopyIn(counters_.data(), &counters, sizeof counters));
  CollisionJob job{CollisionTask::kMakeKeys, view_, {}};
  job.step.start = job.step.end = positions_[committed_].data();
  for (PositionSource& source : job.step.sources) source.to = &positions_[committed_].data()->x;
  job.step.end_time = 1;
  job.step.counters = counters_.data();
  return job;
}

/// Runs an event that may bound clusters. One that ends well leaves no arrival counted in their
/// tree; after one that did not the counts are zeroed here.
absl::StatusOr<procedure::StageTimes> Scene::RunFromNoArrivals(CollisionRunner& runner,
                                                               const procedure::CancelToken& token,
                                                               const CollisionJob& job) {
  if (has_arrivals_) {
    const std::vector<std::uint32_t> zeros(tree_arrivals_.size(), 0);
    WY_RETURN_IF_ERROR(
        backend_.CopyIn(tree_arrivals_.data(), zeros.data(), zeros.size() * sizeof zeros[0]));
  }
  has_arrivals_ = true;
  absl::StatusOr<procedure::StageTimes> times = runner.Run(job, token);
  has_arrivals_ = !times.ok();
  return times;
}

absl::Status Scene::Build(CollisionRunner& runner, const procedure::CancelToken& token) {
  WY_ASSIGN_OR_RETURN(Array<std::uint64_t> keys,
                      Array<std::uint64_t>::Create(backend_, view_.triangles));
  WY_ASSIGN_OR_RETURN(const Array<std::uint64_t> scratch,
                      Array<std::uint64_t>::Create(backend_, view_.triangles));
  const bool morton = build_ == HierarchyBuild::kMorton;
  if (!morton) {
    WY_RETURN_IF_ERROR(AllocateHierarchy());
    built_ = false;
  }
  std::uint32_t bounds[kBoundWords] = {~0u, ~0u, ~0u, 0, 0, 0, 0};
  WY_RETURN_IF_ERROR(backend_.CopyIn(ordered_bounds_.data(), bounds, sizeof bounds));
  WY_ASSIGN_OR_RETURN(CollisionJob job, FirstOfBuild());
  job.task = morton ? CollisionTask::kMakeKeys : CollisionTask::kSplitTopDown;
  job.step.spare_keys = scratch.data();
  job.scene.keys = keys.data();
  WY_RETURN_IF_ERROR(runner.Run(job, token).status());
  if (morton) {
    WY_RETURN_IF_ERROR(backend_.SortKeys(keys.data(), scratch.data(), view_.triangles));
  }
  // Until here a hierarchy that was there still is.
  built_ = false;
  traversal_.ForgetFront();
  keys_ = std::move(keys);
  view_.keys = keys_.data();
  WY_RETURN_IF_ERROR(backend_.CopyOut(bounds, ordered_bounds_.data(), sizeof bounds));
  view_.size_scale = SizeScale(SumOfExtents(bounds));
  job.scene = view_;
  job.task = CollisionTask::kArrangeClusters;
  WY_RETURN_IF_ERROR(RunFromNoArrivals(runner, token, job).status());
  has_hierarchy_ |= !morton;
  if (has_hierarchy_) {
    job.task = morton ? CollisionTask::kLinkHierarchy : CollisionTask::kRefitTopDown;
    WY_RETURN_IF_ERROR(runner.Run(job, token).status());
  }
  StepCounters counters;
  WY_RETURN_IF_ERROR(backend_.CopyOut(&counters, counters_.data(), sizeof counters));
  rebuild_rule_.Built(counters.sizes);
  built_ = true;
  return absl::OkStatus();
}

absl::Status Scene::AllocateHierarchy() {
  if (view_.nodes != nullptr) return absl::OkStatus();
  const std::size_t triangles = view_.triangles, nodes = std::max<std::size_t>(triangles - 1, 1);
  // All of it or nothing, so that a step by clusters still finds room.
  const SceneSize size{view_.vertices, view_.edges, triangles, view_.vertex_groups != nullptr,
                       !balls_.empty()};
  const SceneBytes bytes = BytesOf(size);
  const std::uint64_t lists = meetings_.size() == 0 ? bytes.lists : 0;
  WY_RETURN_IF_ERROR(CheckFits(backend_, size, bytes.hierarchy + lists));
  WY_RETURN_IF_ERROR(nodes_.Reserve(backend_, nodes));
  WY_RETURN_IF_ERROR(root_.Reserve(backend_, 1));
  WY_RETURN_IF_ERROR(leaf_parent_.Reserve(backend_, triangles));
  WY_RETURN_IF_ERROR(node_parent_.Reserve(backend_, nodes));
  WY_RETURN_IF_ERROR(node_bound_.Reserve(backend_, nodes));
  WY_RETURN_IF_ERROR(visits_.Reserve(backend_, nodes));
  WY_RETURN_IF_ERROR(vertex_boxes_.Reserve(backend_, view_.vertices));
  view_.nodes = nodes_.data();
  view_.root = root_.data();
  view_.leaf_parent = leaf_parent_.data();
  view_.node_parent = node_parent_.data();
  view_.node_bound = node_bound_.data();
  view_.visits = visits_.data();
  view_.vertex_boxes = vertex_boxes_.data();
  return absl::OkStatus();
}

absl::Status Scene::LinkHierarchy(CollisionRunner& runner, const procedure::CancelToken& token) {
  WY_RETURN_IF_ERROR(AllocateHierarchy());
  WY_ASSIGN_OR_RETURN(CollisionJob job, FirstOfBuild());
  job.task = CollisionTask::kLinkHierarchy;
  WY_RETURN_IF_ERROR(runner.Run(job, token).status());
  StepCounters counters;
  WY_RETURN_IF_ERROR(backend_.CopyOut(&counters, counters_.data(), sizeof counters));
  rebuild_rule_.Linked(counters.sizes[static_cast<std::size_t>(HierarchyKind::kNodes)]);
  has_hierarchy_ = true;
  return absl::OkStatus();
}

/// Whether it was rebuilt.
absl::StatusOr<bool> Scene::RebuildIfDue(CollisionRunner& runner,
                                         const procedure::CancelToken& token, double factor) {
  const bool had_one = built_;
  if (had_one && !rebuild_rule_.IsDue(factor, view_.triangles)) return false;
  const absl::Status status = Build(runner, token);
  if (status.ok()) return true;
  // No memory to sort in: the old hierarchy is as right as before.
  if (!had_one || !built_ || !absl::IsResourceExhausted(status)) return status;
  rebuild_rule_.PutOff();
  return false;
}

absl::Status Scene::ReadyHierarchy(CollisionRunner& runner, const procedure::CancelToken& token,
                                   const CollisionOptions& options,
                                   CollisionStatistics& statistics) {
  const absl::Time begin = absl::Now();
  WY_ASSIGN_OR_RETURN(statistics.hierarchy.rebuilt,
                      RebuildIfDue(runner, token, options.rebuild_factor));
  const bool links = options.traversal != Traversal::kClusters && !has_hierarchy_;
  if (links) WY_RETURN_IF_ERROR(LinkHierarchy(runner, token));
  if (links || statistics.hierarchy.rebuilt) {
    statistics.phases.push_back({"build", absl::Now() - begin});
  }
  return absl::OkStatus();
}

}  // namespace warpyard::ccd
