// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/device/cpu_backend.h"

#include <tbb/parallel_sort.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <new>
#include <string>

#include "absl/strings/str_cat.h"

namespace warpyard::device {
namespace {

constexpr std::align_val_t kAlignment{256};

/// Memory that the system could give without swapping: free pages and page cache.
std::size_t AvailableBytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;) {
    std::size_t kibibytes = 0;
    if (word == "MemAvailable:" && file >> kibibytes) return kibibytes * 1024;
  }
  return static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// The bytes left under a container's own limit (cgroup v2), if it has one.
std::size_t ContainerBytes() {
  std::size_t most = 0, current = 0;
  if (!(std::ifstream("/sys/fs/cgroup/memory.max") >> most) ||
      !(std::ifstream("/sys/fs/cgroup/memory.current") >> current)) {
    return std::numeric_limits<std::size_t>::max();
  }
  return most > current ? most - current : 0;
}

std::size_t DefaultLimit() { return std::min(AvailableBytes(), ContainerBytes()) / 5 * 4; }

}  // namespace

CpuBackend::CpuBackend(int threads, std::size_t memory_limit)
    : Backend(memory_limit != 0 ? memory_limit : DefaultLimit()), threads_(threads) {}

absl::Status CpuBackend::CopyIn(void* device, const void* host, std::size_t bytes) {
  if (bytes != 0) std::memcpy(device, host, bytes);
  return absl::OkStatus();
}

absl::Status CpuBackend::CopyOut(void* host, const void* device, std::size_t bytes) {
  if (bytes != 0) std::memcpy(host, device, bytes);
  return absl::OkStatus();
}

absl::Status CpuBackend::SortKeys(std::uint64_t* keys, std::uint64_t*, std::size_t count) {
  tbb::parallel_sort(keys, keys + count);
  return absl::OkStatus();
}

std::string CpuBackend::Description() const {
  return absl::StrCat("cpu, ", threads_, threads_ == 1 ? " thread" : " threads");
}

absl::StatusOr<void*> CpuBackend::AllocateRaw(std::size_t bytes) {
  void* memory = ::operator new(bytes, kAlignment, std::nothrow);
  if (memory == nullptr) return absl::ResourceExhaustedError("the host has none left");
  return memory;
}

void CpuBackend::FreeRaw(void* memory) { ::operator delete(memory, kAlignment); }

}  // namespace warpyard::device
