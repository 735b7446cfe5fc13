// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A model on a device: its tree, and coarser meshes of it.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_MODEL_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_MODEL_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "core/device/backend.h"
#include "core/workload/simplify/model/job_memory.h"
#include "core/workload/simplify/model/model_arrays.h"
#include "core/workload/simplify/model/task_run.h"
#include "core/workload/simplify/result/model_memo.h"
#include "core/workload/simplify/simplify_types.h"

namespace warpyard::simplify {

/// @scope const members: any number of callers at the same time
class Model {
 public:
  /// Uploads a mesh and builds its tree; appends the phase "build".
  /// @errors see BuildModel
  static absl::StatusOr<std::unique_ptr<Model>> Open(device::Backend& backend,
                                                     SimplifyRunner& runner,
                                                     const ModelInput& input,
                                                     const procedure::CancelToken& token,
                                                     PhaseTimes& phases);

  /// A coarser mesh.
  /// @errors INVALID_ARGUMENT (CheckOptions), RESOURCE_EXHAUSTED, and those of SimplifyRunner::Run
  absl::StatusOr<SimplifiedMesh> Simplify(SimplifyRunner& runner, const SimplifyOptions& options,
                                          const procedure::CancelToken& token) const;

  /// Coarser and coarser meshes: collapses go on from one to the next. Ends after a mesh for which
  /// `finish_by` came. One level alone is the mesh of Simplify.
  /// @errors as Simplify, INVALID_ARGUMENT (not one list of goals, or a goal that is finer than
  /// that before), and those of LevelOptions::take
  absl::Status SimplifyLevels(SimplifyRunner& runner, const LevelOptions& levels,
                              const procedure::CancelToken& token) const;

  const ModelView& View() const { return arrays_.view; }
  const ModelArrays& Arrays() const { return arrays_; }

 private:
  Model(device::Backend& backend, ModelArrays arrays);

  device::Backend& backend_;
  ModelArrays arrays_;
  mutable JobMemories memories_;
  mutable ModelMemo memo_;
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_MODEL_MODEL_H_
