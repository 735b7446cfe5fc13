// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Cuts that are results, each in one event unless it needs more room than it got.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_CUT_RESULT_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_CUT_RESULT_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "core/workload/simplify/job/simplify_job.h"
#include "core/workload/simplify/model/model_arrays.h"
#include "core/workload/simplify/model/task_run.h"
#include "core/workload/simplify/result/cutter.h"
#include "core/workload/simplify/result/mesh_arrays.h"
#include "core/workload/simplify/result/model_memo.h"
#include "core/workload/simplify/result/result_room.h"
#include "core/workload/simplify/simplify_types.h"

namespace warpyard::simplify {

/// @scope one caller at a time
class CutResult {
 public:
  /// @shape all of them outlive it; memo: of the model
  CutResult(TaskRun& run, const ModelArrays& model, ResultArrays& arrays, ModelMemo& memo);

  /// Makes the cut of a goal. A number of triangles is at most as asked, and nearly as many: where
  /// some cancel it takes an error with more. Nothing may be left.
  /// @errors INVALID_ARGUMENT (a state of another model), RESOURCE_EXHAUSTED, and those of
  ///     SimplifyRunner::Run
  absl::Status Make(const SimplifyOptions& options, SimplifiedMesh& result);
  /// The cut of the previous state of a goal, which is not empty. @errors as Make
  absl::Status MakePrevious(const ViewGoal& goal, SimplifiedMesh& result);

  /// Of the cut that was made.
  std::uint32_t Triangles() const { return counters_.triangles; }

  /// Completes the lists of the result for which the cut was made, and its greatest error.
  /// @errors UNAVAILABLE: the device is lost
  absl::Status Read(SimplifiedMesh& result) { return room_.Read(counters_, result); }

 private:
  absl::Status CutTo(std::uint64_t triangles, SimplifiedMesh& result);
  absl::Status SearchRank(std::uint32_t triangles, SimplifiedMesh& result);
  absl::Status CutAtRank(std::uint32_t triangles, SimplifiedMesh& result);
  absl::Status Cut(const CutAt& at, std::size_t kind, SimplifiedMesh& result);
  /// Runs events until one has enough room. @shape size: known or guessed
  absl::Status RunWith(ResultSize size, std::size_t kind, SimplifiedMesh& result);

  const ModelArrays& model_;
  ModelMemo& memo_;
  SimplifyJob job_{};
  ResultRoom room_;
  Counters counters_{};  // of the last event
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_CUT_RESULT_H_
