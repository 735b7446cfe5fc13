// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Makes an engine with the devices and the program that its options name.
#include "core/engine/engine.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/engine/engine_device.h"

namespace warpyard {
namespace {

absl::StatusOr<EngineDevices> MakeDevices(const EngineOptions& options) {
  EngineDevices made;
  if (options.backend != BackendChoice::kCpu) {
    absl::StatusOr<EngineDevices> cuda = options.synthetic_jobs ? MakeSyntheticCudaDevices(options)
                                                                : MakeServiceCudaDevices(options);
    const bool is_wanted = options.backend == BackendChoice::kCuda || !options.devices.empty();
    if (cuda.ok() || is_wanted) return cuda;
    made.note = absl::StrCat("CUDA is not used: ", cuda.status().message());
  }
  made.devices.push_back(MakeCpuDevice(options));
  return made;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Engine>> Engine::Create(const EngineOptions& options) {
  if (options.most_blocks == 1) {
    return absl::InvalidArgumentError("most_blocks: 1, expected 0 or at least 2");
  }
  WY_ASSIGN_OR_RETURN(EngineDevices devices, MakeDevices(options));
  return MakeEngine(std::move(devices), options);
}

}  // namespace warpyard
