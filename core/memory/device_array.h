// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// An array in backend memory that frees itself.
#ifndef WARPYARD_CORE_MEMORY_DEVICE_ARRAY_H_
#define WARPYARD_CORE_MEMORY_DEVICE_ARRAY_H_

#include <cstddef>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/macros.h"
#include "core/device/backend.h"

namespace warpyard::memory {

/// @shape size() elements, not initialised
template <class T>
class DeviceArray {
 public:
  static_assert(std::is_trivially_copyable_v<T>);

  DeviceArray() = default;
  DeviceArray(DeviceArray&& other) noexcept { Swap(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    Swap(other);
    return *this;
  }
  ~DeviceArray() { Clear(); }

  /// @errors RESOURCE_EXHAUSTED
  static absl::StatusOr<DeviceArray> Create(device::Backend& backend, std::size_t size) {
    WY_ASSIGN_OR_RETURN(void* memory, backend.Allocate(size * sizeof(T)));
    DeviceArray array;
    array.backend_ = &backend;
    array.data_ = static_cast<T*>(memory);
    array.size_ = size;
    return array;
  }

  /// Makes room for `size` elements; contents are lost when it grows. @errors RESOURCE_EXHAUSTED
  absl::Status Reserve(device::Backend& backend, std::size_t size) {
    if (size <= size_) return absl::OkStatus();
    Clear();
    WY_ASSIGN_OR_RETURN(*this, Create(backend, size));
    return absl::OkStatus();
  }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  void Clear() {
    if (backend_ != nullptr) backend_->Free(data_, size_ * sizeof(T));
    backend_ = nullptr;
    data_ = nullptr;
    size_ = 0;
  }

  void Swap(DeviceArray& other) {
    std::swap(backend_, other.backend_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  device::Backend* backend_ = nullptr;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace warpyard::memory

#endif  // WARPYARD_CORE_MEMORY_DEVICE_ARRAY_H_
