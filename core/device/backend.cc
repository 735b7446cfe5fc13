// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/device/backend.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"

namespace warpyard::device {

absl::StatusOr<void*> Backend::Allocate(std::size_t bytes) {
  const std::size_t before = used_.fetch_add(bytes, std::memory_order_relaxed);
  absl::StatusOr<void*> memory = absl::ResourceExhaustedError("over the limit");
  if (bytes <= limit_ && before <= limit_ - bytes) memory = AllocateRaw(bytes);
  if (memory.ok()) return memory;
  used_.fetch_sub(bytes, std::memory_order_relaxed);
  if (!absl::IsResourceExhausted(memory.status())) return memory.status();
  return WithCause(Cause::kDeviceMemory,
                   absl::ResourceExhaustedError(absl::StrCat(
                       "device memory: ", bytes, " bytes needed, ", before, " in use, limit ",
                       limit_, " (--memory-limit-mib): ", memory.status().message())));
}

void Backend::Free(void* memory, std::size_t bytes) {
  if (memory == nullptr) return;
  FreeRaw(memory);
  used_.fetch_sub(bytes, std::memory_order_relaxed);
}

void Backend::SetQuietRunner(QuietRunner runner) {
  std::lock_guard lock(quiet_mutex_);
  quiet_ = std::move(runner);
}

absl::Status Backend::CopyAllIn(std::span<const HostCopy> copies) {
  for (const HostCopy& copy : copies) {
    WY_RETURN_IF_ERROR(CopyIn(copy.to, copy.from, copy.bytes));
  }
  return absl::OkStatus();
}

absl::Status Backend::CopyAllOut(std::span<const HostCopy> copies) {
  for (const HostCopy& copy : copies) {
    WY_RETURN_IF_ERROR(CopyOut(copy.to, copy.from, copy.bytes));
  }
  return absl::OkStatus();
}

absl::Status Backend::RunQuietly(const std::function<absl::Status()>& work) {
  QuietRunner runner;
  {
    std::lock_guard lock(quiet_mutex_);
    runner = quiet_;
  }
  return runner ? runner(work) : work();
}

}  // namespace warpyard::device
