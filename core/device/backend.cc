// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/device/backend.h"

#include "absl/strings/str_cat.h"

namespace warpyard::device {

absl::StatusOr<void*> Backend::Allocate(std::size_t bytes) {
  const std::size_t before = used_.fetch_add(bytes, std::memory_order_relaxed);
  void* memory = nullptr;
  if (bytes <= limit_ && before <= limit_ - bytes) memory = AllocateRaw(bytes);
  if (memory != nullptr) return memory;
  used_.fetch_sub(bytes, std::memory_order_relaxed);
  return absl::ResourceExhaustedError(absl::StrCat("device memory: ", bytes, " bytes needed, ",
                                                   before, " in use, limit ", limit_,
                                                   " (--memory-limit-mib)"));
}

void Backend::Free(void* memory, std::size_t bytes) {
  if (memory == nullptr) return;
  FreeRaw(memory);
  used_.fetch_sub(bytes, std::memory_order_relaxed);
}

}  // namespace warpyard::device
