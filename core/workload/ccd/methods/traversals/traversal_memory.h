// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Memory of traversals of pairs of nodes, beside the scene: stacks, deques, levels, fronts.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_TRAVERSAL_MEMORY_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_TRAVERSAL_MEMORY_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/device/backend.h"
#include "core/memory/device_array.h"
#include "core/workload/ccd/collision_types.h"
#include "core/workload/ccd/job/step_view.h"
#include "core/workload/ccd/job/traversal_method.h"
#include "core/workload/ccd/methods/traversals/front_memory.h"

namespace warpyard::ccd {

/// Allocated when a step first needs it, and kept. @scope one caller at a time
class TraversalMemory {
 public:
  explicit TraversalMemory(device::Backend& backend) : backend_(backend) {}

  /// A step begins. Memory that is larger than the options ask for keeps its size.
  /// @shape order: HierarchyKeeper::Order
  void Begin(const CollisionOptions& options, std::uint64_t order);

  /// Sets `step.work`, and the counters with which a run of the step starts.
  /// @shape workers, triangles: of the runner and the scene; step: its lists have their memory, and
  /// the traversal supports the bounding volume (CheckOptions)
  /// @errors RESOURCE_EXHAUSTED (memory)
  absl::Status Prepare(std::uint32_t workers, std::uint32_t triangles, StepView& step,
                       StepCounters& counters);

  /// Whether everything had room in a finished run; if not, the next run gets more.
  /// @errors RESOURCE_EXHAUSTED: no amount of memory would suffice
  absl::StatusOr<bool> Fits(const StepCounters& counters);

  /// The step is done and its result is correct: its front becomes the start of the next step.
  void Finish(const StepCounters& counters);

  /// Statistics of the latest step that was prepared.
  TraversalStatistics StatisticsOf(const StepCounters& counters) const;

 private:
  template <class T>
  using Array = memory::DeviceArray<T>;

  absl::Status PrepareOriented(std::uint32_t triangles, StepView& step);
  absl::Status PrepareRoot(StepView& step);
  void SetSizes(std::uint32_t workers, StepView& step) const;
  absl::Status PrepareLevel(std::uint32_t triangles, StepView& step, StepCounters& counters);
  absl::Status ReserveLevel(std::uint64_t pairs);
  absl::Status PrepareStacks(StepView& step, StepCounters& counters);
  absl::Status PrepareDeques(StepView& step);

  device::Backend& backend_;
  TraversalTuning tuning_;
  BoundingVolume volume_ = BoundingVolume::kBoxes;
  Array<NodePair> pairs_, next_pairs_, root_;
  Array<std::uint32_t> counts_;
  Array<DequeWords> deques_;
  Array<geometry::OrientedBox> oriented_;
  std::uint64_t level_pairs_ = 0;
  FrontMemory front_;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_TRAVERSAL_MEMORY_H_
