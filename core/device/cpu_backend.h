// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The host itself as a device.
#ifndef WARPYARD_CORE_DEVICE_CPU_BACKEND_H_
#define WARPYARD_CORE_DEVICE_CPU_BACKEND_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/device/backend.h"

namespace warpyard::device {

class CpuBackend final : public Backend {
 public:
  /// @shape `memory_limit` in bytes, 0 for 80 % of the memory that is available now
  CpuBackend(int threads, std::size_t memory_limit);

  absl::Status CopyIn(void* device, const void* host, std::size_t bytes) override;
  absl::Status CopyOut(void* host, const void* device, std::size_t bytes) override;
  absl::Status SortKeys(std::uint64_t* keys, std::uint64_t* scratch, std::size_t count) override;
  std::string Description() const override;
  bool Reaches(const void*) const override { return true; }

 private:
  absl::StatusOr<void*> AllocateRaw(std::size_t bytes) override;
  void FreeRaw(void* memory) override;

  const int threads_;
};

}  // namespace warpyard::device

#endif  // WARPYARD_CORE_DEVICE_CPU_BACKEND_H_
