// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/hierarchy_keeper.h"

#include <cstddef>
#include <limits>
#include <utility>

#include "absl/time/clock.h"
#include "core/base/macros.h"
#include "core/workload/ccd/scene/scene_memory.h"

namespace warpyard::ccd {
namespace {

using Keys = memory::DeviceArray<std::uint64_t>;

/// The sum of the extents of what moves over all axes. @shape bounds: as OrderedBits
double SumOfExtents(const std::uint32_t (&bounds)[kBoundWords]) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    sum += static_cast<double>(geometry::FromOrderedBits(bounds[3 + k])) -
           static_cast<double>(geometry::FromOrderedBits(bounds[k]));
  }
  return sum;
}

}  // namespace

absl::Status HierarchyKeeper::Open(const JobRun& run, HierarchyBuild build) {
  build_ = build;
  return Build(run);
}

absl::StatusOr<CollisionJob> HierarchyKeeper::FirstOfBuild() {
  const StepCounters counters = ClearCounters();
  WY_RETURN_IF_ERROR(backend_.CopyIn(lists_.Counters(), &counters, sizeof counters));
  CollisionJob job{CollisionTask::kMakeKeys, SharesOf(1), arrays_.FirstWorld(), {}};
  upload_.TakeCommitted(job.step);
  job.step.asked.end_time = 1;
  job.step.counters = lists_.Counters();
  return job;
}

Task<absl::StatusOr<procedure::StageTimes>> HierarchyKeeper::Await(const JobRun& run,
                                                                   const CollisionJob& job) {
  WY_CO_RETURN_IF_ERROR(PrepareArrivals());
  absl::StatusOr<procedure::StageTimes> times = co_await run.runner.Await(job, run.token);
  has_arrivals_ = !times.ok();
  co_return times;
}

/// As Await, but it blocks. Builds are few, and sort on the host's side.
absl::StatusOr<procedure::StageTimes> HierarchyKeeper::Run(const JobRun& run,
                                                           const CollisionJob& job) {
  WY_RETURN_IF_ERROR(PrepareArrivals());
  absl::StatusOr<procedure::StageTimes> times = run(job);
  has_arrivals_ = !times.ok();
  return times;
}

absl::Status HierarchyKeeper::PrepareArrivals() {
  if (has_arrivals_) WY_RETURN_IF_ERROR(arrays_.ClearArrivals());
  has_arrivals_ = true;
  return absl::OkStatus();
}

absl::Status HierarchyKeeper::Build(const JobRun& run) {
  const bool morton = build_ == HierarchyBuild::kMorton;
  WY_ASSIGN_OR_RETURN(CollisionJob job, FirstOfBuild());
  WY_RETURN_IF_ERROR(PutInOrder(run, job));
  std::uint32_t bounds[kBoundWords];
  WY_RETURN_IF_ERROR(backend_.CopyOut(bounds, arrays_.View().order.ordered_bounds, sizeof bounds));
  arrays_.SetSizeScale(SizeScale(SumOfExtents(bounds)));
  job.scene = arrays_.FirstWorld();
  job.task = CollisionTask::kArrangeClusters;
  WY_RETURN_IF_ERROR(Run(run, job).status());
  has_nodes_ |= !morton;
  if (has_nodes_) {
    job.task = morton ? CollisionTask::kLinkHierarchy : CollisionTask::kRefitTopDown;
    WY_RETURN_IF_ERROR(run(job).status());
  }
  StepCounters counters;
  WY_RETURN_IF_ERROR(backend_.CopyOut(&counters, lists_.Counters(), sizeof counters));
  rebuild_rule_.Built(counters.sizes);
  // A build is of one world.
  static_separation_ =
      arrays_.View().worlds.AreSeveral() ? std::numeric_limits<double>::quiet_NaN() : 0;
  state_ = State::kReady;
  return absl::OkStatus();
}

/// Makes new keys in the order of triangles. A build in Morton order leaves the old hierarchies
/// intact until the new keys replace the old ones; a build from the top links nodes as it goes.
absl::Status HierarchyKeeper::PutInOrder(const JobRun& run, CollisionJob& job) {
  const std::size_t triangles = job.scene.mesh.triangles;
  WY_ASSIGN_OR_RETURN(Keys keys, Keys::Create(backend_, triangles));
  WY_ASSIGN_OR_RETURN(const Keys scratch, Keys::Create(backend_, triangles));
  const EmptyBounds bounds;
  WY_RETURN_IF_ERROR(backend_.CopyIn(job.scene.order.ordered_bounds, bounds.words, sizeof bounds));
  if (build_ == HierarchyBuild::kTopDown) {
    WY_RETURN_IF_ERROR(ReserveNodes());
    state_ = State::kHalfBuilt;
    job.task = CollisionTask::kSplitTopDown;
    job.scene = arrays_.FirstWorld();
  }
  job.step.spare_keys = scratch.data();
  job.scene.order.keys = keys.data();
  WY_RETURN_IF_ERROR(run(job).status());
  if (build_ == HierarchyBuild::kMorton) {
    WY_RETURN_IF_ERROR(backend_.SortKeys(keys.data(), scratch.data(), triangles));
  }
  state_ = State::kHalfBuilt;
  ++order_;
  arrays_.SetKeys(std::move(keys));
  job.step.spare_keys = nullptr;
  return absl::OkStatus();
}

absl::Status HierarchyKeeper::ReserveNodes() {
  const std::uint64_t lists = lists_.AreReserved() ? 0 : BytesOf(arrays_.Size()).lists;
  return arrays_.ReserveHierarchy(lists);
}

absl::Status HierarchyKeeper::LinkNodes(const JobRun& run) {
  WY_RETURN_IF_ERROR(ReserveNodes());
  WY_ASSIGN_OR_RETURN(CollisionJob job, FirstOfBuild());
  job.task = CollisionTask::kLinkHierarchy;
  WY_RETURN_IF_ERROR(run(job).status());
  StepCounters counters;
  WY_RETURN_IF_ERROR(backend_.CopyOut(&counters, lists_.Counters(), sizeof counters));
  rebuild_rule_.Linked(counters.sizes[static_cast<std::size_t>(HierarchyKind::kNodes)]);
  has_nodes_ = true;
  return absl::OkStatus();
}

bool HierarchyKeeper::HasStaticBoxes(double min_separation) const {
  return arrays_.View().mesh.static_triangles == 0 || static_separation_ == min_separation;
}

Task<absl::Status> HierarchyKeeper::BoundStatic(const JobRun& run, double min_separation) {
  if (HasStaticBoxes(min_separation)) co_return absl::OkStatus();
  static_separation_ = std::numeric_limits<double>::quiet_NaN();
  WY_CO_ASSIGN_OR_RETURN(CollisionJob job, FirstOfBuild());
  job.task = CollisionTask::kBoundClusters;
  job.scene = arrays_.View();
  job.step.asked.min_separation = min_separation;
  const auto bounded = co_await Await(run, job);
  WY_CO_RETURN_IF_ERROR(bounded.status());
  static_separation_ = min_separation;
  co_return absl::OkStatus();
}

/// Rebuilds if that is due. Returns whether it did.
absl::StatusOr<bool> HierarchyKeeper::RebuildIfDue(const JobRun& run, double factor) {
  const bool had_one = state_ == State::kReady;
  if (had_one && !rebuild_rule_.IsDue(factor, arrays_.View().MovingTriangles())) return false;
  const absl::Status status = Build(run);
  if (status.ok()) return true;
  // Without memory for the sort, the old hierarchy stays in use; it is still correct.
  const bool still_has = had_one && state_ == State::kReady;
  if (!still_has || !absl::IsResourceExhausted(status)) return status;
  rebuild_rule_.PutOff();
  return false;
}

Task<absl::Status> HierarchyKeeper::MakeReady(const JobRun& run, const HierarchyNeed& need,
                                              CollisionStatistics& statistics) {
  const absl::Time begin = absl::Now();
  WY_CO_ASSIGN_OR_RETURN(statistics.hierarchy.rebuilt, RebuildIfDue(run, need.rebuild_factor));
  const bool links = need.kind == HierarchyKind::kNodes && !has_nodes_;
  if (links) WY_CO_RETURN_IF_ERROR(LinkNodes(run));
  const bool bounds = need.kind == HierarchyKind::kClusters && !HasStaticBoxes(need.min_separation);
  if (bounds) {
    const absl::Status bounded = co_await BoundStatic(run, need.min_separation);
    WY_CO_RETURN_IF_ERROR(bounded);
  }
  if (links || bounds || statistics.hierarchy.rebuilt) {
    statistics.phases.push_back({"build", absl::Now() - begin});
  }
  co_return absl::OkStatus();
}

void HierarchyKeeper::Measure(HierarchyKind kind, const StepCounters& counters,
                              HierarchyStatistics& statistics) {
  const HierarchySize& size = counters.sizes[static_cast<std::size_t>(kind)];
  statistics.size = RatioOf(size);
  statistics.growth = rebuild_rule_.Take(kind, size);
  statistics.rebuilds = rebuild_rule_.Rebuilds();
}

}  // namespace warpyard::ccd
