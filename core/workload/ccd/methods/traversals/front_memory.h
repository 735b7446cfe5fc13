// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Fronts: where a traversal of pairs of nodes ended, and from where the next one may start.
// [SilvaThesis §2.3.3]
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_FRONT_MEMORY_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_FRONT_MEMORY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "core/device/backend.h"
#include "core/memory/device_array.h"
#include "core/workload/ccd/collision_types.h"
#include "core/workload/ccd/job/step_view.h"

namespace warpyard::ccd {

/// Most pairs in an array of pairs of nodes.
inline constexpr std::uint64_t kMostPairsOfArray = 0xffffffffu / 4;

/// When a front is so deep for what the scene has become that starting from the root is better.
/// [SilvaThesis §2.3.3]: when it has hardly grown against the one some steps ago. Fronts only sink,
/// so a front that hardly grows has sunk as deep as it will. Ours beside it: when it has grown by
/// more than a factor since the last start from the root.
class FrontHistory {
 public:
  /// Takes the size of the front of the latest step; whether the next step should start from it.
  bool KeepAfter(std::uint64_t size, bool from_root, const TraversalTuning& tuning);

 private:
  std::vector<std::uint64_t> sizes_;  // since the last start from the root
};

/// @scope one caller at a time
class FrontMemory {
 public:
  /// A step begins. Nodes have new names in a new order: there the last front says nothing.
  /// @shape order: HierarchyKeeper::Order
  void Begin(std::uint64_t order);

  /// The step has no front, unless it is prepared.
  void Skip() { keeps_ = is_start_ = false; }

  /// Has a step start where the last one ended, and list where it ends itself. Without room for the
  /// list every step starts from the root, which is right, too.
  absl::Status Prepare(device::Backend& backend, std::uint32_t triangles,
                       const TraversalTuning& tuning, StepView& step);

  /// The step is done: its front is the last one, if it had one.
  void Finish(const TraversalCounters& counters, const TraversalTuning& tuning);

  /// Whether the step starts where the one before it ended.
  bool IsStart() const { return is_start_; }

 private:
  std::array<memory::DeviceArray<NodePair>, 2> fronts_;
  std::size_t last_ = 0;         // which of both
  std::uint64_t last_size_ = 0;  // 0: the next step starts from the root
  std::uint64_t room_ = 0;       // that the next front should have
  bool keeps_ = false;           // whether the step lists its front
  bool is_start_ = false;
  std::uint64_t order_ = 0;  // in which the last front was listed
  FrontHistory history_;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_FRONT_MEMORY_H_
