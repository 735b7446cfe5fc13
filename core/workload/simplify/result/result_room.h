// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The memory of a result of kResult: tables on the device, and the lists that are handed out.
// Stages write small lists to memory of the host that the device reaches; large ones are copied.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_RESULT_ROOM_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_RESULT_ROOM_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "core/device/host_copy.h"
#include "core/workload/simplify/job/simplify_job.h"
#include "core/workload/simplify/model/model_arrays.h"
#include "core/workload/simplify/model/task_run.h"
#include "core/workload/simplify/result/mesh_arrays.h"
#include "core/workload/simplify/result/room_hints.h"
#include "core/workload/simplify/simplify_types.h"

namespace warpyard::simplify {

/// Lists of more bytes are copied: a device stores numbers to the host one by one, and a copy moves
/// many at a time. A copy costs as much as some ten thousand such stores.
inline constexpr std::size_t kMostDirectBytes = std::size_t{256} << 10;

/// @scope one caller at a time
class ResultRoom {
 public:
  /// @shape job: with the model; gets the views of what there is room for. All outlive the room
  ResultRoom(TaskRun& run, const ModelArrays& model, ResultArrays& arrays, SimplifyJob& job)
      : run_(run), model_(model), arrays_(arrays), job_(job) {}

  /// Gives the job the views of a goal. @errors INVALID_ARGUMENT: a state of another model;
  ///     RESOURCE_EXHAUSTED, UNAVAILABLE
  absl::Status TakeViews(const ViewGoal& goal, bool repeats);

  /// Makes room for a result, and forgets the one before. @shape size: not 0
  /// @errors RESOURCE_EXHAUSTED
  absl::Status Reserve(const ResultSize& size, SimplifiedMesh& result);

  /// What Reserve made room for.
  const ResultSize& size() const { return size_; }

  /// Runs the event. It leaves the tables clear, unless it fails. @errors those of TaskRun
  absl::StatusOr<Counters> Run();

  /// Gives the lists their lengths, and copies those that are on the device.
  /// @errors UNAVAILABLE: the device is lost
  absl::Status Read(const Counters& counters, SimplifiedMesh& result);

 private:
  absl::Status ReserveTables();
  absl::Status ReserveUses();
  absl::Status ReserveLists(SimplifiedMesh& result);
  absl::Status ReserveState(SimplifiedMesh& result);
  bool MarksNodes() const { return job_.cut.rule == CutRule::kExpanded; }

  TaskRun& run_;
  const ModelArrays& model_;
  ResultArrays& arrays_;
  SimplifyJob& job_;
  ResultSize size_;
  bool returns_state_ = false;
  ResultList<std::uint32_t> previous_;  // where the device reaches it
  // Lists that are copied.
  Array<FloatPoint> positions_;
  Array<std::uint32_t> corners_, sources_, groups_, ids_, state_;
  Array<float> attributes_;
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_RESULT_ROOM_H_
