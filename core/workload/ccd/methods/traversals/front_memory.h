// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Fronts: the pairs at which a traversal of pairs of nodes ended, and at which the next traversal
// may start. [SilvaThesis §2.3.3]
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

/// Decides when a front has become so deep that starting from the root is better. [SilvaThesis
/// §2.3.3]: when it has hardly grown compared with the front some steps ago. Fronts only get
/// deeper, so a front that hardly grows is as deep as it will get. Our second rule: when it has
/// grown by more than a factor since the last start from the root.
class FrontHistory {
 public:
  /// Takes the size of the front of the latest step. Returns whether the next step should start
  /// from it.
  bool KeepAfter(std::uint64_t size, bool from_root, const TraversalTuning& tuning);

 private:
  std::vector<std::uint64_t> sizes_;  // since the last start from the root
};

/// @scope one caller at a time
class FrontMemory {
 public:
  /// A step begins. A new order of triangles gives nodes new names, so the last front is useless
  /// then.
  /// @shape order: HierarchyKeeper::Order
  void Begin(std::uint64_t order);

  /// The step keeps no front, unless Prepare is called after this.
  void Skip() { keeps_ = is_start_ = false; }

  /// Makes a step start at the last front and list its own front. If there is no room for the list,
  /// every step starts from the root, which is correct, too.
  absl::Status Prepare(device::Backend& backend, std::uint32_t triangles,
                       const TraversalTuning& tuning, StepView& step);

  /// The step is done: its front, if it has one, becomes the last front.
  void Finish(const TraversalCounters& counters, const TraversalTuning& tuning);

  /// Whether the step starts where the one before it ended.
  bool IsStart() const { return is_start_; }

 private:
  std::array<memory::DeviceArray<NodePair>, 2> fronts_;
  std::size_t last_ = 0;         // which array is the last front
  std::uint64_t last_size_ = 0;  // 0: the next step starts from the root
  std::uint64_t room_ = 0;       // pairs for which the next front should have room
  bool keeps_ = false;           // whether the step lists its front
  bool is_start_ = false;
  std::uint64_t order_ = 0;  // the order when the last front was listed
  FrontHistory history_;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_FRONT_MEMORY_H_
