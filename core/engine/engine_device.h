// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Backends and execution models of the engine's devices: the one place that chooses between
// backends.
#ifndef WARPYARD_CORE_ENGINE_ENGINE_DEVICE_H_
#define WARPYARD_CORE_ENGINE_ENGINE_DEVICE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/device/backend.h"
#include "core/dispatch/dispatcher.h"
#include "core/engine/engine.h"
#include "core/model/execution_model.h"
#include "core/programs.h"

namespace warpyard {

/// A device and the workers on it.
struct EngineDevice {
  EngineDevice() = default;
  EngineDevice(EngineDevice&&) = default;
  EngineDevice& operator=(EngineDevice&&) = default;
  ~EngineDevice() {
    // What the backend still has to do quietly it then does without asking the model.
    if (backend != nullptr) backend->SetQuietRunner(nullptr);
    model.reset();
  }

  /// From now on what must run without the workers beside it does.
  void ConnectQuietRunner() {
    backend->SetQuietRunner([model = model.get()](const std::function<absl::Status()>& work) {
      return model->RunQuietly(work);
    });
  }

  std::string name;  ///< "cpu" or "cuda:0"
  std::unique_ptr<device::Backend> backend;
  std::unique_ptr<model::ExecutionModel<ServiceProgram>> model;
  dispatch::RunnerLimits runners;  ///< how many jobs run there at the same time
};

/// Devices that answered, and why those are missing that did not.
struct EngineDevices {
  std::vector<EngineDevice> devices;
  std::string note;  ///< empty: all are there
};

/// CPU threads; always there.
EngineDevice MakeCpuDevice(const EngineOptions& options);

/// The devices of `options`, or all that answer.
/// @errors UNAVAILABLE: no device answers, or one that `options` names does not, or this build has
///     no CUDA
absl::StatusOr<EngineDevices> MakeCudaDevices(const EngineOptions& options);

/// An engine on given devices, of which there is at least one.
std::unique_ptr<Engine> MakeEngine(EngineDevices devices, const EngineOptions& options);

}  // namespace warpyard

#endif  // WARPYARD_CORE_ENGINE_ENGINE_DEVICE_H_
