// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A list in backend memory that procedures append to.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_JOB_DEVICE_LIST_H_
#define WARPYARD_CORE_WORKLOAD_CCD_JOB_DEVICE_LIST_H_

#include <cstdint>

namespace warpyard::ccd {

/// `count` continues past `capacity`, so a run whose items did not fit tells how much room it
/// needs.
template <class T>
struct DeviceList {
  T* items;
  std::uint64_t capacity;
  std::uint64_t* count;
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_JOB_DEVICE_LIST_H_
