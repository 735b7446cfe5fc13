// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What the host's threads share about a device with a resident kernel.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_HOST_SIDE_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_HOST_SIDE_CUH_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/device/cuda_backend.h"
#include "core/model/megakernel/host/device_clock.h"
#include "core/model/megakernel/host/device_memory.cuh"
#include "core/model/megakernel/host/worker_look.cuh"
#include "core/model/megakernel/resident_options.h"

namespace warpyard::model {

template <class Space>
struct HostSide {
  device::CudaBackend& backend;
  const ResidentOptions options;

  DeviceMemory<Space> memory{};
  WorkerLook<Space> look{};
  DeviceClock clock{};

  /// The lock of everything on the host's side that says nothing else.
  mutable std::mutex mutex{};
  /// Orders can be sent again, a slot is free, or the device is lost.
  std::condition_variable changed{};
  absl::Status lost{};               ///< not OK: why the device is lost
  std::atomic<bool> is_lost{false};  ///< the same without the lock
  bool quiet = false;                ///< nothing may be launched
  std::mutex quiet_mutex{};          ///< held from the first to the last moment of a quiet point
  std::atomic<std::uint32_t> started{0};  ///< events that were sent, and whose end nobody has seen

  /// Marks the device lost: every Run fails from now on. @scope the caller holds the lock
  absl::Status Lose(const absl::Status& why) {
    lost.Update(absl::UnavailableError(absl::StrCat("device lost: ", why.message())));
    is_lost = true;
    if (backend.HostMemory() != nullptr) backend.HostMemory()->Stop();
    changed.notify_all();
    return lost;
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_HOST_SIDE_CUH_
