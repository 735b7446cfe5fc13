// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Finds the cut of a model for some views.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_VIEW_CUT_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_VIEW_CUT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "core/workload/simplify/job/simplify_job.h"
#include "core/workload/simplify/model/model_arrays.h"
#include "core/workload/simplify/model/task_run.h"
#include "core/workload/simplify/simplify_types.h"

namespace warpyard::simplify {

/// @errors INVALID_ARGUMENT: a number out of range, named by its field
absl::Status CheckViews(const ViewGoal& goal);

/// A view as the device takes it. @shape view: one that CheckViews takes
ViewFrustum FrustumOf(const View& view, const ModelArrays& model);

/// Expands the nodes that views need. @scope one caller at a time
class ViewCut {
 public:
  ViewCut(TaskRun& run, const ModelArrays& model, SimplifyJob& job)
      : run_(run), model_(model), job_(job) {}

  /// Sets the rule and the expanded nodes of the job's cut; `state` gets theirs if the goal asks
  /// for it.
  /// @errors INVALID_ARGUMENT (a state of another model), RESOURCE_EXHAUSTED, and those of
  ///     SimplifyRunner::Run
  absl::Status Mark(const ViewGoal& goal, ResultList<std::uint32_t>& state);
  /// The same for the cut of the goal's previous state, which may be empty: nothing is expanded.
  absl::Status MarkPrevious(const ViewGoal& goal);

 private:
  std::size_t StateWords() const;
  absl::Status Begin(const ViewGoal& goal);

  TaskRun& run_;
  const ModelArrays& model_;
  SimplifyJob& job_;
  Array<ViewFrustum> frusta_;
  Array<std::uint32_t> expanded_, previous_, state_;
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_VIEW_CUT_H_
