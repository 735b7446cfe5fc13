// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A backend in memory of this process that counts its copies.
#ifndef WARPYARD_TESTS_SUPPORT_SIMPLIFY_COUNTING_BACKEND_H_
#define WARPYARD_TESTS_SUPPORT_SIMPLIFY_COUNTING_BACKEND_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string>

#include "core/device/backend.h"

namespace warpyard::test_support {

/// What procedures may write to.
enum class Reach { kDeviceOnly, kHostToo };

class CountingBackend final : public device::Backend {
 public:
  explicit CountingBackend(Reach reach)
      : Backend(std::numeric_limits<std::size_t>::max()), reach_(reach) {}

  absl::Status CopyIn(void* device, const void* host, std::size_t bytes) override {
    return Copy(device, host, bytes);
  }
  absl::Status CopyOut(void* host, const void* device, std::size_t bytes) override {
    return Copy(host, device, bytes);
  }
  absl::Status SortKeys(std::uint64_t*, std::uint64_t*, std::size_t) override {
    return absl::UnimplementedError("no sort");
  }
  std::string Description() const override { return "counting"; }
  bool Reaches(const void*) const override { return reach_ == Reach::kHostToo; }

  /// Copies in both directions so far.
  std::size_t Copies() const { return copies_; }

 private:
  static constexpr std::align_val_t kAlignment{256};

  absl::StatusOr<void*> AllocateRaw(std::size_t bytes) override {
    return ::operator new(bytes, kAlignment);
  }
  void FreeRaw(void* memory) override { ::operator delete(memory, kAlignment); }
  absl::Status Copy(void* to, const void* from, std::size_t bytes) {
    ++copies_;
    if (bytes != 0) std::memcpy(to, from, bytes);
    return absl::OkStatus();
  }

  const Reach reach_;
  std::atomic<std::size_t> copies_{0};
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_SIMPLIFY_COUNTING_BACKEND_H_
