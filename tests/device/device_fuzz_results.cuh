// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Results of the loads of the fuzz, for workers on a CUDA device.
#ifndef WARPYARD_TESTS_DEVICE_DEVICE_FUZZ_RESULTS_CUH_
#define WARPYARD_TESTS_DEVICE_DEVICE_FUZZ_RESULTS_CUH_

#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <utility>
#include <vector>

#include "core/device/backend.h"
#include "core/memory/device_array.h"
#include "core/workload/synthetic/synthetic_job.h"

namespace warpyard::test_support {

/// Results in the memory of the device, all allocated at the beginning.
class DeviceFuzzResults {
 public:
  explicit DeviceFuzzResults(device::Backend& backend, std::uint32_t count) : backend_(backend) {
    auto memory = memory::DeviceArray<synthetic::SyntheticResults>::Create(backend, count);
    if (!memory.ok()) std::abort();
    memory_ = *std::move(memory);
    for (std::uint32_t i = 0; i < count; ++i) free_.push_back(memory_.data() + i);
  }

  synthetic::SyntheticResults* Make() {
    synthetic::SyntheticResults* results = nullptr;
    {
      std::lock_guard lock(mutex_);
      if (free_.empty()) std::abort();
      results = free_.back();
      free_.pop_back();
    }
    const synthetic::SyntheticResults zero{};
    if (!backend_.CopyIn(results, &zero, sizeof zero).ok()) std::abort();
    return results;
  }
  synthetic::SyntheticResults Take(synthetic::SyntheticResults* results) {
    synthetic::SyntheticResults found;
    if (!backend_.CopyOut(&found, results, sizeof found).ok()) found = {};
    std::lock_guard lock(mutex_);
    free_.push_back(results);
    return found;
  }

 private:
  device::Backend& backend_;
  memory::DeviceArray<synthetic::SyntheticResults> memory_;
  std::mutex mutex_;
  std::vector<synthetic::SyntheticResults*> free_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_DEVICE_DEVICE_FUZZ_RESULTS_CUH_
