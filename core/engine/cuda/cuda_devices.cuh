// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// CUDA devices of an engine, each with a resident kernel for a given program.
#ifndef WARPYARD_CORE_ENGINE_CUDA_CUDA_DEVICES_CUH_
#define WARPYARD_CORE_ENGINE_CUDA_CUDA_DEVICES_CUH_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/device/cuda_backend.h"
#include "core/engine/engine_device.h"
#include "core/model/megakernel/resident_device.cuh"

namespace warpyard {
namespace cuda_devices {

/// As many runners as a device can have events, so that the policy of the device decides among the
/// jobs, not the order of arrival. More run on carriers, since many small jobs share an event: as
/// many as all carriers have room for, and jobs that have events of their own.
inline dispatch::RunnerLimits Runners() {
  constexpr int kEvents = procedure::kEventBuckets;
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  return {kEvents, 8, 8, std::clamp(cores * 5 / 16, 1, 5), 8 * kEvents};
}

/// A job is cancelled at its time limit. If its event has not ended this long after that, the
/// device counts as lost.
inline constexpr absl::Duration kCancelGrace = absl::Seconds(10);

inline std::uint64_t Nanoseconds(absl::Duration duration) {
  return static_cast<std::uint64_t>(absl::ToInt64Nanoseconds(duration));
}

inline model::ResidentOptions ToResidentOptions(const EngineOptions& options) {
  model::ResidentOptions resident;
  resident.policy = options.policy;
  resident.most_blocks = options.most_blocks;
  resident.linger_ns = options.linger == absl::InfiniteDuration()
                           ? model::ResidentOptions::kLingerAlways
                           : Nanoseconds(options.linger);
  resident.event_limit_ns = Nanoseconds(options.job_time_limit + kCancelGrace);
  return resident;
}

inline void AddNote(EngineDevices& made, int index, const absl::Status& why) {
  absl::StrAppend(&made.note, made.note.empty() ? "" : "; ", "CUDA device ", index, ": ",
                  std::string(why.message()));
}

}  // namespace cuda_devices

/// @shape Program: a model::CombinedProgram
/// @errors UNAVAILABLE: no device answers, or a device that `options` names does not answer
template <class Program>
absl::StatusOr<EngineDevices> MakeCudaDevicesOf(const EngineOptions& options) {
  using Model = model::ResidentDevice<Program>;
  std::vector<int> indices = options.devices;
  if (indices.empty()) {
    indices.resize(static_cast<std::size_t>(device::CudaBackend::Count()));
    std::iota(indices.begin(), indices.end(), 0);
  }
  EngineDevices made;
  // Make all backends before the first model. A backend allocates pinned memory, which waits for
  // every kernel on any device.
  std::vector<std::unique_ptr<device::CudaBackend>> backends;
  for (const int index : indices) {
    auto backend = device::CudaBackend::Create(index, options.memory_limit_bytes);
    if (backend.ok()) {
      backends.push_back(*std::move(backend));
    } else if (options.devices.empty()) {
      cuda_devices::AddNote(made, index, backend.status());
    } else {
      return backend.status();
    }
  }
  for (auto& backend : backends) {
    const int index = backend->Index();
    WY_RETURN_IF_ERROR(backend->Use());
    auto model = Model::Create(*backend, cuda_devices::ToResidentOptions(options));
    if (!model.ok() && options.devices.empty()) {
      cuda_devices::AddNote(made, index, model.status());
      continue;
    }
    WY_RETURN_IF_ERROR(model.status());
    EngineDevice& device = made.devices.emplace_back();
    device.name = absl::StrCat("cuda:", index);
    device.backend = std::move(backend);
    device.workers = std::make_unique<ModelWorkers<Program>>(*std::move(model));
    device.runners = cuda_devices::Runners();
    device.ConnectQuietRunner();
  }
  if (made.devices.empty()) {
    return absl::UnavailableError(made.note.empty() ? "no CUDA device answers" : made.note);
  }
  return made;
}

}  // namespace warpyard

#endif  // WARPYARD_CORE_ENGINE_CUDA_CUDA_DEVICES_CUH_
