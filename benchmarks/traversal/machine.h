// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A device whose workers have only the collision program.
#ifndef WARPYARD_BENCHMARKS_TRAVERSAL_MACHINE_H_
#define WARPYARD_BENCHMARKS_TRAVERSAL_MACHINE_H_

#include <functional>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/device/backend.h"
#include "core/model/combined_program.h"
#include "core/model/execution_model.h"
#include "core/workload/ccd/collision_program.h"

namespace warpyard::bench {

struct TraversalMachine {
  using Program = model::CombinedProgram<ccd::CollisionProgram>;

  TraversalMachine(std::unique_ptr<device::Backend> its_backend,
                   std::unique_ptr<model::ExecutionModel<Program>> its_model)
      : backend(std::move(its_backend)), model(std::move(its_model)) {
    backend->SetQuietRunner([model = model.get()](const std::function<absl::Status()>& work) {
      return model->RunQuietly(work);
    });
  }
  ~TraversalMachine() {
    backend->SetQuietRunner(nullptr);
    model.reset();
  }

  std::unique_ptr<device::Backend> backend;
  std::unique_ptr<model::ExecutionModel<Program>> model;
};

/// @errors UNAVAILABLE: no device, or built without CUDA
absl::StatusOr<std::unique_ptr<TraversalMachine>> CreateCudaTraversalMachine();

}  // namespace warpyard::bench

#endif  // WARPYARD_BENCHMARKS_TRAVERSAL_MACHINE_H_
