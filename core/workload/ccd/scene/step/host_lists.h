// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Pinned host memory into which procedures write counters and lists of collisions, which saves
// copies.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_HOST_LISTS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_HOST_LISTS_H_

#include <array>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "core/device/backend.h"
#include "core/memory/host_vector.h"
#include "core/workload/ccd/collision_types.h"
#include "core/workload/ccd/job/step_view.h"

namespace warpyard::ccd {

/// The lists have more room than the last lists needed. If they overflow, the step runs again with
/// lists on the device. @scope one caller at a time
class HostLists {
 public:
  explicit HostLists(device::Backend& backend) : backend_(backend) {}

  /// Makes a step write its counters and its lists here. Long lists that stages sort stay on the
  /// device, because those stages read the lists again.
  /// @shape finishes: EventRunner::CallsFinish; step: its lists have memory of the device
  void Place(bool finishes, StepView& step);

  /// Frees the lists: only a running step may hold pinned memory.
  void Drop();

  /// Takes the lengths of the lists of a run. If they overflowed, the next run uses the lists of
  /// the device, which have grown by then. @shape fits: whether all lists had room
  void Learn(const StepView& step, const StepCounters& counters, bool fits);

  /// Reads the counters of a finished step: from the host's memory if the step wrote them there,
  /// else from the device.
  absl::Status ReadCounters(const StepView& step, StepCounters& counters) const;

  /// Moves the lists into a result. Returns false if the step did not write them here.
  bool TakeLists(const StepCounters& counters, CollisionResult& result);

 private:
  static constexpr std::uint64_t kLeastRoom = 16384;

  bool MakeRoom(const std::array<std::uint64_t, 2>& rooms);

  device::Backend& backend_;
  memory::HostVector<StepCounters> counters_;  // one element
  memory::HostVector<VertexFaceCollision> vertex_face_;
  memory::HostVector<EdgeEdgeCollision> edge_edge_;
  std::optional<std::array<std::uint64_t, 2>> last_;  // lengths of the last lists
  bool are_used_ = false;                             // by this step
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_HOST_LISTS_H_
