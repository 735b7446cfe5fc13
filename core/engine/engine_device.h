// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The devices of an engine, and the functions that make them for a backend and a program.
#ifndef WARPYARD_CORE_ENGINE_ENGINE_DEVICE_H_
#define WARPYARD_CORE_ENGINE_ENGINE_DEVICE_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/device/backend.h"
#include "core/dispatch/dispatcher.h"
#include "core/engine/device_workers.h"
#include "core/engine/engine.h"

namespace warpyard {

/// A device and the workers on it.
struct EngineDevice {
  EngineDevice() = default;
  EngineDevice(EngineDevice&&) = default;
  EngineDevice& operator=(EngineDevice&&) = default;
  ~EngineDevice() {
    // The workers are gone, so the backend's quiet work need not park them any more.
    if (backend != nullptr) backend->SetQuietRunner(nullptr);
    workers.reset();
  }

  /// Routes the backend's quiet work through the workers, which are parked first.
  void ConnectQuietRunner() {
    backend->SetQuietRunner([workers = workers.get()](const std::function<absl::Status()>& work) {
      return workers->RunQuietly(work);
    });
  }

  std::string name;  ///< "cpu" or "cuda:0"
  std::unique_ptr<device::Backend> backend;
  std::unique_ptr<DeviceWorkers> workers;
  dispatch::RunnerLimits runners;  ///< how many jobs run there at the same time
};

/// Devices that answered, and a note that says why others are missing.
struct EngineDevices {
  std::vector<EngineDevice> devices;
  std::string note;  ///< empty: no device is missing
};

/// Makes the CUDA devices of `options`, or all that answer.
/// @errors UNAVAILABLE: no device answers, or one that `options` names does not, or this build has
///     no CUDA
using MakeCudaDevices = absl::StatusOr<EngineDevices> (*)(const EngineOptions& options);

/// A CPU device whose workers have the program of `options`; see core/programs.h.
EngineDevice MakeCpuDevice(const EngineOptions& options);
absl::StatusOr<EngineDevices> MakeServiceCudaDevices(const EngineOptions& options);
absl::StatusOr<EngineDevices> MakeSyntheticCudaDevices(const EngineOptions& options);

/// An engine on the given devices, at least one.
std::unique_ptr<Engine> MakeEngine(EngineDevices devices, const EngineOptions& options);

}  // namespace warpyard

#endif  // WARPYARD_CORE_ENGINE_ENGINE_DEVICE_H_
