// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Collapses of edges, pass after pass.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_COLLAPSER_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_COLLAPSER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/workload/simplify/job/simplify_job.h"
#include "core/workload/simplify/model/task_run.h"
#include "core/workload/simplify/result/mesh_arrays.h"
#include "core/workload/simplify/simplify_types.h"

namespace warpyard::simplify {

struct CollapseGoal {
  std::uint32_t triangles;  ///< no fewer than these
  double bound;             ///< CollapseView::bound
  absl::Time finish_by;
};

struct CollapseReport {
  std::uint32_t passes = 0;
  Shortfall shortfall = Shortfall::kNone;
};

/// Collapses edges of the mesh of a job. @scope one caller at a time
class Collapser {
 public:
  Collapser(TaskRun& run, SimplifyJob& job) : run_(run), job_(job) {}

  /// May be called again, with fewer triangles, for the mesh that it left.
  /// @errors RESOURCE_EXHAUSTED, and those of SimplifyRunner::Run
  absl::StatusOr<CollapseReport> Collapse(const CollapseGoal& goal);

  /// Copies the mesh of the job to the host. @shape with_ids: whether `result.ids` gets those of a
  ///     cut
  absl::Status Emit(SimplifiedMesh& result, bool with_ids = false);

 private:
  absl::Status Reserve();
  /// Forgets the vertices that are gone.
  absl::Status Compact();

  TaskRun& run_;
  SimplifyJob& job_;
  CollapseArrays arrays_;
  CompactedArrays compacted_[2];    // in turn: a mesh moves from one to the other
  std::uint32_t compacted_at_ = 0;  // triangles
  bool reserved_ = false;
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_COLLAPSER_H_
