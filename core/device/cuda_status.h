// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// CUDA errors as absl::Status.
#ifndef WARPYARD_CORE_DEVICE_CUDA_STATUS_H_
#define WARPYARD_CORE_DEVICE_CUDA_STATUS_H_

#include <source_location>

#include "absl/status/status.h"

namespace warpyard::device {

/// @shape `error`: a cudaError_t, as int so that this header needs no CUDA
/// @errors RESOURCE_EXHAUSTED (out of memory), else UNAVAILABLE: the device is lost, or there is
/// none
absl::Status ToStatus(int error, std::source_location where = std::source_location::current());

}  // namespace warpyard::device

#endif  // WARPYARD_CORE_DEVICE_CUDA_STATUS_H_
