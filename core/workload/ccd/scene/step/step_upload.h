// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Uploads positions and poses, and keeps track of the start and end of a step.
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
#include "core/memory/host_vector.h"
#include "core/workload/ccd/job/step_view.h"
#include "core/workload/ccd/scene/scene_input.h"
#include "core/workload/ccd/scene/step/pose_keeper.h"

namespace warpyard::ccd {

/// Positions with the same bits that PositionReader computes on a device.
std::vector<Vector3d> ToDoubles(const PositionsView& positions);

/// Small input is not copied to the device: procedures read it from pinned memory of the host. A
/// copy takes longer than they need for that, and all threads of the host wait for one another in
/// the driver. @scope one caller at a time
class StepUpload {
 public:
  /// Procedures read no more than this from the host, for each end of a step.
  static constexpr std::size_t kMostDirectBytes = std::size_t{64} << 10;
  /// Several vertices read the same pose, so the bytes of poses do not bound what is read.
  static constexpr std::size_t kMostDirectVertices = 16384;

  explicit StepUpload(device::Backend& backend) : backend_(backend) {}

  /// Sets the scene to rest. @shape rest: of all worlds; moving_groups: the bodies of a world,
  /// where CountBodies finds any, see MovingGroups; static_vertices: of each world
  absl::Status Open(std::span<const Vector3d> rest, std::span<const std::uint32_t> moving_groups,
                    std::uint32_t worlds = 1, std::uint32_t static_vertices = 0);

  /// Sets all worlds of a scene that has not stepped yet to these positions. @shape positions: of
  /// the vertices that move
  absl::Status Place(std::span<const Vector3d> positions);

  /// @errors INVALID_ARGUMENT: another number of vertices or bodies than the scene has
  absl::Status Check(const StepInput& input) const;
  /// @errors INVALID_ARGUMENT: CheckReach of the poses of a row
  absl::Status CheckRow(const StepInput& input, std::size_t row) const;

  /// Points a step to its start and end, and records the copies that upload them. `input` must stay
  /// valid until CopyIn. @errors RESOURCE_EXHAUSTED
  absl::Status Take(const StepInput& input, StepView& step);

  /// Points a step to the committed positions at both ends. Builds use this: the positions that a
  /// step brings are converted only in its first stage, and any order of triangles is correct.
  void TakeCommitted(StepView& step) const;

  /// Records a copy for the next CopyIn. Its source must stay valid until then.
  void Also(const device::HostCopy& copy) { copies_.push_back(copy); }

  /// Makes all recorded copies at once.
  absl::Status CopyIn();

  /// The events of the step are over: frees what they read.
  void Release() { direct_ = {}; }

  /// Makes a world of the step that was taken end where it started.
  absl::Status Withdraw(std::uint32_t world) const;

  /// Makes the end of the step that was taken the start of the next step. @shape moved: the worlds
  /// that did not stay where they were
  void Commit(std::span<const std::uint32_t> moved);

  /// PathDeviation of a world in the step that was taken, if it goes from pose to pose.
  std::optional<double> Deviation(std::uint32_t world = 0) const {
    return poses_.Deviation(world, has_start_);
  }

  /// Of each world.
  std::uint32_t Bodies() const { return poses_.Bodies(); }

 private:
  template <class T>
  using Array = memory::DeviceArray<T>;

  absl::Status CheckOne(const StepPositions& given, std::size_t rows) const;
  absl::Status TakeOne(const StepPositions& given, PoseKeeper::End end, PositionSource& source);
  absl::Status TakePose(const PoseView& given, PoseKeeper::End end, PositionSource& source);
  const void* PlaceDirectly(PoseKeeper::End end, const void* from, std::size_t bytes);
  void Record(void* to, const void* from, std::size_t vertex_bytes);
  std::size_t RowsOf(const StepInput& input) const {
    return input.rows.empty() ? worlds_ : input.rows.size();
  }

  device::Backend& backend_;
  std::size_t vertices_ = 0;  // of all worlds
  std::size_t moving_ = 0;    // vertices of each world
  std::uint32_t worlds_ = 1;
  std::span<const std::uint32_t> rows_;       // of the step that is taken
  std::array<Array<Vector3d>, 3> positions_;  // committed start, incoming end, incoming start
  std::size_t committed_ = 0;
  PoseKeeper poses_;
  std::array<Array<std::byte>, 2> bytes_;  // of PoseKeeper::End: input that must be converted
  std::array<memory::HostVector<std::byte>, 2> direct_;  // the same, in memory of the host
  bool has_start_ = false;                               // whether the step that was taken has one
  std::vector<device::HostCopy> copies_;                 // recorded by Take, made by CopyIn
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_STEP_STEP_UPLOAD_H_
