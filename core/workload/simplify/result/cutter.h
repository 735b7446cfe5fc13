// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Cuts of a model: the mesh at an error, and the error for a number of triangles.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_CUTTER_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_CUTTER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/workload/simplify/job/simplify_job.h"
#include "core/workload/simplify/model/model_arrays.h"
#include "core/workload/simplify/model/task_run.h"
#include "core/workload/simplify/result/mesh_arrays.h"

namespace warpyard::simplify {

/// Where a cut is made.
struct CutAt {
  CutRule rule = CutRule::kError;
  float error = -1;
  std::uint32_t level_end = 0;
  std::uint64_t survivors = 0;  ///< triangles that it keeps before some cancel; 0: not known
};

/// @units distance: of the input
CutAt AtDistance(const ModelArrays& model, double distance);
/// @shape level: 0 to kDeepest
CutAt AtLevel(const ModelArrays& model, std::uint32_t level);

/// Makes cuts into the mesh of a job. @scope one caller at a time
class Cutter {
 public:
  /// @shape job: with the model; gets the views of the cut and of the mesh
  Cutter(TaskRun& run, const ModelArrays& model, SimplifyJob& job);

  /// The error with at most so many triangles before some cancel.
  absl::StatusOr<CutAt> Select(std::uint64_t triangles);

  /// Makes the cut. @errors RESOURCE_EXHAUSTED, and those of SimplifyRunner::Run
  absl::Status Cut(const CutAt& at);

  /// CutToManifold with `asked` triangles before some cancel, or with more, so that `least` are
  /// left if that is possible.
  absl::StatusOr<std::uint32_t> CutFrom(std::uint64_t asked, std::uint64_t least);

  /// Makes the cut, and expands nodes until no edge has more than two triangles, but those of the
  /// model itself. Returns how many nodes.
  absl::StatusOr<std::uint32_t> CutToManifold(const CutAt& at);

  const ModelArrays& model() const { return model_; }

 private:
  absl::Status Reserve(std::uint64_t triangles);
  absl::Status ReserveWedges(std::size_t triangles);
  absl::Status ReserveLists();

  TaskRun& run_;
  const ModelArrays& model_;
  SimplifyJob& job_;
  CutArrays cut_;
  MeshArrays mesh_;
  Array<std::uint32_t> counts_, offsets_, items_;  // of triangles around vertices
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_CUTTER_H_
