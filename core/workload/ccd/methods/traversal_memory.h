// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What traversals of pairs of nodes need beside a scene: stacks, deques, levels, the last front;
// and what walks need whose intervals are work items.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSAL_MEMORY_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSAL_MEMORY_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/device/backend.h"
#include "core/memory/device_array.h"
#include "core/procedure/event_runner.h"
#include "core/workload/ccd/collision_types.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/job/scene_view.h"
#include "core/workload/ccd/job/traversal_method.h"

namespace warpyard::ccd {

/// When a front is so deep for what the scene has become that starting from the root is better.
/// [SilvaThesis §2.3.3]: when it has hardly grown against the one some steps ago. Fronts only sink,
/// so that this says that they have sunk as deep as they do. Ours beside it: when it has grown by
/// more than a factor since the last start from the root.
class FrontHistory {
 public:
  /// Takes the size of the front of the latest step; whether the next step should start from it.
  bool KeepAfter(std::uint64_t size, bool from_root, const TraversalTuning& tuning);

 private:
  std::vector<std::uint64_t> sizes_;  // since the last start from the root
};

using CollisionRunner = procedure::EventRunner<CollisionJob>;

/// Allocated when a step first needs it, and kept. @scope one caller at a time
class TraversalMemory {
 public:
  explicit TraversalMemory(device::Backend& backend) : backend_(backend) {}

  /// The sizes of what is prepared from now on. What there is stays as large as it is.
  void SetTuning(const TraversalTuning& tuning) { tuning_ = tuning; }

  /// Sets `step.work` and what walks need, and the counters with which a run of the step starts.
  /// @shape triangles: of the scene; step: its lists have their memory
  /// @errors RESOURCE_EXHAUSTED (memory), INVALID_ARGUMENT (a bounding volume that it cannot use)
  absl::Status Prepare(const CollisionRunner& runner, std::uint32_t triangles, StepView& step,
                       StepCounters& counters);

  /// Whether everything had room in a run that is over; if not, the next one has more.
  /// @errors RESOURCE_EXHAUSTED: no memory would do
  absl::StatusOr<bool> Fits(const StepCounters& counters);

  /// The step is done, and what it found is right: takes its front for the next one.
  void Finish(const StepCounters& counters);

  /// Nodes have new names: the last front says nothing any more.
  void ForgetFront() { front_size_ = 0; }

  /// Whether the last step that was prepared starts where the one before it ended.
  bool StartsFromFront() const { return from_front_; }

 private:
  template <class T>
  using Array = memory::DeviceArray<T>;

  absl::Status PrepareWalks(StepView& step);
  absl::Status PrepareOriented(std::uint32_t triangles, StepView& step);
  absl::Status PrepareLevel(StepView& step, StepCounters& counters);
  absl::Status PrepareStacks(StepView& step, StepCounters& counters);
  absl::Status PrepareDeques(StepView& step);
  absl::Status PrepareFront(std::uint32_t triangles, StepView& step);

  device::Backend& backend_;
  TraversalTuning tuning_;
  Array<NodePair> pairs_, next_pairs_, root_;
  Array<std::uint32_t> counts_;
  Array<DequeWords> deques_;
  Array<geometry::OrientedBox> oriented_;
  Array<double> walk_times_;
  std::array<Array<NodePair>, 2> fronts_;
  std::uint64_t level_pairs_ = 0;
  std::uint64_t front_pairs_ = 0;  // room that the next front should have
  std::uint64_t front_size_ = 0;   // of the last one; 0: the next step starts from the root
  std::size_t front_ = 0;          // which of both is the last one
  bool keeps_front_ = false;       // whether the running step has one
  bool from_front_ = false;
  FrontHistory history_;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSAL_MEMORY_H_
