// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What the worlds of a set do in an event, and their earliest times, on the device.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_WORLDS_WORLD_MEMORY_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_WORLDS_WORLD_MEMORY_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "core/device/backend.h"
#include "core/memory/device_array.h"
#include "core/workload/ccd/job/step_view.h"
#include "core/workload/ccd/scene/step/step_upload.h"

namespace warpyard::ccd {

/// @scope one caller at a time
class WorldMemory {
 public:
  explicit WorldMemory(device::Backend& backend) : backend_(backend) {}

  /// @errors RESOURCE_EXHAUSTED
  absl::Status Open(std::uint32_t worlds);

  /// Points a step to this memory, and records the copies that fill it. The worlds of `turn` move;
  /// the others of `moving` wait, and the rest of the set rests.
  void Place(std::span<const std::uint32_t> moving, std::span<const std::uint32_t> turn,
             StepView& step, StepUpload& upload);

  /// Reads the earliest times of all worlds.
  absl::Status ReadEarliest();
  /// Of a world, as read last.
  std::optional<double> EarliestOf(std::uint32_t world) const;

 private:
  device::Backend& backend_;
  memory::DeviceArray<WorldState> states_;
  memory::DeviceArray<std::uint64_t> earliest_;
  std::vector<WorldState> host_states_;
  std::vector<std::uint64_t> host_earliest_;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_WORLDS_WORLD_MEMORY_H_
