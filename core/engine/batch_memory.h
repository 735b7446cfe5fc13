// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Memory for the jobs of events that several jobs share.
#ifndef WARPYARD_CORE_ENGINE_BATCH_MEMORY_H_
#define WARPYARD_CORE_ENGINE_BATCH_MEMORY_H_

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "core/device/backend.h"
#include "core/memory/device_array.h"
#include "core/memory/host_vector.h"

namespace warpyard {

/// The memory of one event.
struct BatchMemory {
  memory::HostVector<std::byte> sources;  ///< the host writes, the device reads
  memory::DeviceArray<std::byte> jobs;
};

/// Keeps the memory of events that have ended for later events. @scope one thread at a time
class BatchMemories {
 public:
  /// @shape bytes: of each memory on either side; backend: outlives the object
  BatchMemories(device::Backend& backend, std::size_t bytes) : backend_(backend), bytes_(bytes) {}

  /// Null: there is none, or the device does not reach that of the host.
  std::unique_ptr<BatchMemory> Take() {
    if (!free_.empty()) {
      std::unique_ptr<BatchMemory> taken = std::move(free_.back());
      free_.pop_back();
      return taken;
    }
    auto made = std::make_unique<BatchMemory>();
    made->sources = memory::HostVector<std::byte>(
        bytes_, memory::HostAllocator<std::byte>(backend_.HostMemory()));
    if (!backend_.Reaches(made->sources.data())) return nullptr;
    if (!made->jobs.Reserve(backend_, bytes_).ok()) return nullptr;
    return made;
  }

  void Give(std::unique_ptr<BatchMemory> memory) { free_.push_back(std::move(memory)); }

 private:
  device::Backend& backend_;
  const std::size_t bytes_;
  std::vector<std::unique_ptr<BatchMemory>> free_;
};

}  // namespace warpyard

#endif  // WARPYARD_CORE_ENGINE_BATCH_MEMORY_H_
