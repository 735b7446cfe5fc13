// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Positions and poses on their way to the device: which of them a step starts and ends with.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_STEP_UPLOAD_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_STEP_UPLOAD_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "core/device/backend.h"
#include "core/memory/device_array.h"
#include "core/workload/ccd/job/step_view.h"
#include "core/workload/ccd/scene/rigid_bodies.h"
#include "core/workload/ccd/scene/scene_input.h"
#include "core/workload/geometry/rigid_transform.h"

namespace warpyard::ccd {

/// Positions as PositionReader makes them on a device.
std::vector<Vector3d> ToDoubles(const PositionsView& positions);

/// @scope one caller at a time
class StepUpload {
 public:
  explicit StepUpload(device::Backend& backend) : backend_(backend) {}

  /// The scene stands at rest. @shape vertex_groups: its bodies, where CountBodies finds any
  absl::Status Open(std::span<const Vector3d> rest, std::span<const std::uint32_t> vertex_groups);

  /// @errors INVALID_ARGUMENT: another number of vertices or bodies than the scene has
  absl::Status Check(const StepInput& input) const;

  /// Points a step to its ends, and notes the copies that bring them; `input` must stay until
  /// CopyIn. @errors INVALID_ARGUMENT (CheckReach), RESOURCE_EXHAUSTED
  absl::Status Take(const StepInput& input, StepView& step);

  /// Points a step to the committed positions at both ends. Positions that a step brings are
  /// converted in its first stage only, so builds use the committed ones; any order is right.
  void TakeCommitted(StepView& step) const;

  /// Makes all copies that were noted, and one more, together.
  absl::Status CopyIn(const device::HostCopy& last);

  /// The end of the step that was taken becomes the start of the next one.
  void Commit();

  /// PathDeviation of the step that was taken, if it goes from pose to pose.
  std::optional<double> Deviation() const;

  std::uint32_t Bodies() const { return static_cast<std::uint32_t>(balls_.size()); }

 private:
  template <class T>
  using Array = memory::DeviceArray<T>;

  /// What a step brought for one of its ends.
  struct Incoming {
    Array<std::byte> bytes;                      // as they came, where they are to be converted
    std::vector<geometry::RigidTransform> pose;  // empty: positions
  };

  absl::Status CheckOne(const StepPositions& given) const;
  absl::Status TakeOne(const StepPositions& given, Incoming& incoming, PositionSource& source);
  absl::Status TakePose(const PoseView& given, Incoming& incoming, PositionSource& source);

  device::Backend& backend_;
  std::size_t vertices_ = 0;
  std::vector<BodyBall> balls_;               // of bodies
  std::array<Array<Vector3d>, 3> positions_;  // committed start, incoming end, incoming start
  std::size_t committed_ = 0;
  std::vector<geometry::RigidTransform> committed_pose_;  // empty: positions were committed
  std::array<Incoming, 2> incoming_;                      // start, end
  bool has_start_ = false;                                // the step that was taken brought one
  std::vector<device::HostCopy> copies_;                  // to be made together
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_STEP_UPLOAD_H_
