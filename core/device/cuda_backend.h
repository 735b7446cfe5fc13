// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A CUDA device.
#ifndef WARPYARD_CORE_DEVICE_CUDA_BACKEND_H_
#define WARPYARD_CORE_DEVICE_CUDA_BACKEND_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/device/backend.h"

namespace warpyard::device {

class CudaBackend final : public Backend {
 public:
  /// Takes device `index`. @shape `memory_limit` in bytes, 0 for 80 % of what is free
  /// @errors UNAVAILABLE: no such device, or none that this build has code for
  static absl::StatusOr<std::unique_ptr<CudaBackend>> Create(int index, std::size_t memory_limit);
  ~CudaBackend() override;

  absl::Status CopyIn(void* device, const void* host, std::size_t bytes) override;
  absl::Status CopyOut(void* host, const void* device, std::size_t bytes) override;
  absl::Status SortKeys(std::uint64_t* keys, std::uint64_t* scratch, std::size_t count) override;
  std::string Description() const override;

  /// Makes the device current for the calling thread. @errors UNAVAILABLE
  absl::Status Use() const;
  int Index() const { return index_; }

 private:
  struct Stream;  // hides cudaStream_t
  CudaBackend(int index, std::size_t memory_limit, std::string name);

  void* AllocateRaw(std::size_t bytes) override;
  void FreeRaw(void* memory) override;

  const int index_;
  const std::string name_;
  std::unique_ptr<Stream> stream_;
};

}  // namespace warpyard::device

#endif  // WARPYARD_CORE_DEVICE_CUDA_BACKEND_H_
