// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The hierarchies of a scene: built when the scene is opened, linked when a traversal first needs
// nodes, and rebuilt when the scene has changed much.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_HIERARCHY_KEEPER_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_HIERARCHY_KEEPER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/task.h"
#include "core/device/backend.h"
#include "core/workload/ccd/collision_types.h"
#include "core/workload/ccd/job/collision_runner.h"
#include "core/workload/ccd/scene/rebuild_rule.h"
#include "core/workload/ccd/scene/scene_arrays.h"
#include "core/workload/ccd/scene/step/step_lists.h"
#include "core/workload/ccd/scene/step/step_upload.h"

namespace warpyard::ccd {

/// What a step needs from the hierarchies.
struct HierarchyNeed {
  HierarchyKind kind;
  double rebuild_factor;  ///< CollisionOptions::rebuild_factor
  double min_separation;  ///< CollisionOptions::min_separation
};

/// The worlds of a set share the order of triangles that a build gives the first of them.
/// @scope one caller at a time
class HierarchyKeeper {
 public:
  /// @shape arrays, lists, upload: of the scene
  HierarchyKeeper(device::Backend& backend, SceneArrays& arrays, StepLists& lists,
                  const StepUpload& upload)
      : backend_(backend), arrays_(arrays), lists_(lists), upload_(upload) {}

  /// Builds for the first time. @errors RESOURCE_EXHAUSTED, and those of CollisionRunner::Run
  absl::Status Open(const JobRun& run, HierarchyBuild build);

  /// Rebuilds where that is due, links nodes where a step needs them for the first time, and bounds
  /// static clusters where the step has another minimum separation. If it did any of these, it adds
  /// the time as a phase. @errors as Open
  Task<absl::Status> MakeReady(const JobRun& run, const HierarchyNeed& need,
                               CollisionStatistics& statistics);

  /// Bounds static clusters for steps with this minimum separation: half of it is around each box.
  /// Does nothing if the boxes have this minimum separation already. @errors as Open
  Task<absl::Status> BoundStatic(const JobRun& run, double min_separation);

  /// Awaits an event that may bound clusters. A successful event leaves all counts of arrivals in
  /// the tree at zero. After a failed event, the next call zeroes the counts first.
  Task<absl::StatusOr<procedure::StageTimes>> Await(const JobRun& run, const CollisionJob& job);

  /// Takes the sizes that a step has measured.
  void Measure(HierarchyKind kind, const StepCounters& counters, HierarchyStatistics& statistics);

  /// How often triangles were put in order; nodes get new names each time.
  std::uint64_t Order() const { return order_; }

 private:
  /// kHalfBuilt: a build has failed after it began to change the old hierarchy.
  enum class State { kNone, kHalfBuilt, kReady };

  absl::StatusOr<procedure::StageTimes> Run(const JobRun& run, const CollisionJob& job);
  absl::Status PrepareArrivals();
  absl::Status Build(const JobRun& run);
  absl::Status PutInOrder(const JobRun& run, CollisionJob& job);
  absl::Status LinkNodes(const JobRun& run);
  bool HasStaticBoxes(double min_separation) const;
  absl::StatusOr<bool> RebuildIfDue(const JobRun& run, double factor);
  absl::StatusOr<CollisionJob> FirstOfBuild();
  absl::Status ReserveNodes();

  device::Backend& backend_;
  SceneArrays& arrays_;
  StepLists& lists_;
  const StepUpload& upload_;
  HierarchyBuild build_ = HierarchyBuild::kMorton;
  State state_ = State::kNone;
  bool has_nodes_ = false;    // then every build links them, too
  bool has_arrivals_ = true;  // perhaps: the tree's memory is new, or an event failed
  /// The minimum separation of the boxes of static clusters; NaN: some have no box yet.
  double static_separation_ = 0;
  std::uint64_t order_ = 0;
  RebuildRule rebuild_rule_;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_HIERARCHY_KEEPER_H_
