// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The memory of a resident kernel, all taken before the first launch, and the kernel's stream.
#ifndef WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_DEVICE_MEMORY_CUH_
#define WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_DEVICE_MEMORY_CUH_

#include <cuda_runtime.h>

#include "absl/status/status.h"
#include "core/base/macros.h"
#include "core/device/cuda_backend.h"
#include "core/device/cuda_status.h"
#include "core/memory/device_array.h"
#include "core/model/megakernel/host/stream.cuh"
#include "core/model/megakernel/launch.cuh"

namespace warpyard::model {

template <class Space>
class DeviceMemory {
 public:
  using Box = Mailbox<typename Space::Program>;

  /// Makes the destructor free nothing: a lost device would not let go of the memory.
  void Abandon() {
    stream_.Abandon();
    mailbox_.Abandon();
  }

  /// @errors RESOURCE_EXHAUSTED, UNAVAILABLE
  absl::Status Allocate(device::CudaBackend& backend) {
    WY_RETURN_IF_ERROR(backend.Use());
    WY_RETURN_IF_ERROR(stream_.Create());
    WY_ASSIGN_OR_RETURN(space_, memory::DeviceArray<Space>::Create(backend, 1));
    WY_ASSIGN_OR_RETURN(state_, memory::DeviceArray<ControllerState>::Create(backend, 1));
    return mailbox_.Create();
  }

  /// Resets everything to the first state. @scope while no kernel is resident
  absl::Status Reset() {
    using device::ToStatus;
    const cudaStream_t own = stream_.handle();
    WY_RETURN_IF_ERROR(ToStatus(cudaMemsetAsync(space(), 0, sizeof(Space), own)));
    WY_RETURN_IF_ERROR(ToStatus(cudaMemsetAsync(state(), 0, sizeof(ControllerState), own)));
    WY_RETURN_IF_ERROR(MegakernelLaunch<Space>::EnqueueReset(space(), own));
    return ToStatus(cudaStreamSynchronize(own));
  }

  Space* space() const { return space_.data(); }
  ControllerState* state() const { return state_.data(); }
  Box& mailbox() const { return *mailbox_.host(); }
  Box* device_mailbox() const { return mailbox_.device(); }
  const Stream& stream() const { return stream_; }

 private:
  Stream stream_;
  memory::DeviceArray<Space> space_;
  memory::DeviceArray<ControllerState> state_;
  Pinned<Box> mailbox_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_MEGAKERNEL_HOST_DEVICE_MEMORY_CUH_
