// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The poses of bodies at both ends of a step, and where each world was left, on the host.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_POSE_KEEPER_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_POSE_KEEPER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "core/workload/ccd/collision_types.h"
#include "core/workload/ccd/scene/rigid_bodies.h"
#include "core/workload/geometry/rigid_transform.h"

namespace warpyard::ccd {

/// A scene is one world. @scope one caller at a time
class PoseKeeper {
 public:
  enum End { kStart, kEnd };

  /// Sets all worlds to rest. @shape rest, body_of: of one world
  void Open(std::span<const geometry::Vector3d> rest, std::span<const std::uint32_t> body_of,
            std::uint32_t worlds);

  /// The worlds are now in no known pose.
  void Forget() { known_.assign(known_.size(), false); }

  /// Of each world; 0 if steps have positions instead.
  std::uint32_t Bodies() const { return static_cast<std::uint32_t>(balls_.size()); }

  /// @errors INVALID_ARGUMENT: the number of bodies
  absl::Status CheckNumber(const PoseView& given, std::size_t rows) const;
  /// @errors INVALID_ARGUMENT: CheckReach
  absl::Status CheckRow(const PoseView& given, std::size_t row) const;

  /// The step has positions at this end.
  void TakePositions(End end) { incoming_[end].clear(); }
  /// Takes poses of rows; returns those of all worlds, in their order. @shape rows: as StepInput
  const geometry::RigidTransform* TakePose(End end, const PoseView& given,
                                           std::span<const std::uint32_t> rows);

  /// Leaves a world at the end that was taken.
  void Commit(std::uint32_t world);

  /// PathDeviation of the step that was taken, if it takes the world from pose to pose.
  /// @shape has_start: whether a start was taken, too
  std::optional<double> Deviation(std::uint32_t world, bool has_start) const;

 private:
  using Poses = std::vector<geometry::RigidTransform>;

  std::span<const geometry::RigidTransform> Of(const Poses& poses, std::uint32_t world) const {
    return std::span(poses).subspan(world * balls_.size(), balls_.size());
  }

  std::vector<BodyBall> balls_;    // of the bodies of a world
  Poses committed_;                // of all worlds
  std::vector<bool> known_;        // whether the committed pose of a world is where it is
  std::array<Poses, 2> incoming_;  // of all worlds, or empty: positions
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_POSE_KEEPER_H_
