// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPYARD_CORE_DEVICE_HOST_COPY_H_
#define WARPYARD_CORE_DEVICE_HOST_COPY_H_

#include <cstddef>

namespace warpyard::device {

/// A copy from the host to a device or back.
struct HostCopy {
  void* to;
  const void* from;
  std::size_t bytes;
};

}  // namespace warpyard::device

#endif  // WARPYARD_CORE_DEVICE_HOST_COPY_H_
