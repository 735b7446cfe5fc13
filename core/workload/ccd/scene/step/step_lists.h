// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The lists of a step in memory of the device. They grow until a step fits, and stay for later
// steps.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_STEP_LISTS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_STEP_LISTS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "core/device/backend.h"
#include "core/memory/device_array.h"
#include "core/workload/ccd/job/step_view.h"

namespace warpyard::ccd {

/// @scope one caller at a time
class StepLists {
 public:
  explicit StepLists(device::Backend& backend) : backend_(backend) {}

  /// Makes room for the counters. @errors RESOURCE_EXHAUSTED
  absl::Status Open() { return counters_.Reserve(backend_, 1); }
  /// For a caller that changes them.
  StepCounters* Counters() {
    are_clear_ = false;
    return counters_.data();
  }

  /// The end of a step has left the counters as ClearCounters.
  void CountersAreClear() { are_clear_ = true; }
  /// Whether they still are. The next step changes them.
  bool TakeClearCounters() { return std::exchange(are_clear_, false); }

  /// Whether a step has had lists. Before that, all of their memory is still to be allocated.
  bool AreReserved() const { return meetings_.size() != 0; }

  /// Makes room for this many items, and points the step to the lists. @shape vertices: of the
  /// scene
  /// @errors RESOURCE_EXHAUSTED
  absl::Status Reserve(const StepCounters& needed, std::uint32_t vertices, StepView& step);

  /// Whether all items of a run had room. @shape step: as it ran
  bool Fit(const StepView& step, const StepCounters& counters) const;

 private:
  template <class T>
  using Array = memory::DeviceArray<T>;

  absl::Status ReserveRows(std::uint32_t vertices, StepView& step);

  device::Backend& backend_;
  Array<StepCounters> counters_;
  bool are_clear_ = false;  // the counters
  Array<PairIds> meetings_;
  std::array<Array<PairIds>, 2> survivors_;
  Array<LeftPair> left_;
  Array<VertexFaceCollision> vertex_face_;
  Array<EdgeEdgeCollision> edge_edge_;
  Array<std::uint32_t> row_words_;
};

/// @errors RESOURCE_EXHAUSTED: more pairs than stages can count
absl::Status CheckPairs(const StepCounters& counters);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_STEP_LISTS_H_
