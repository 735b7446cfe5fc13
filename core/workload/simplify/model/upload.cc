// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/model/upload.h"

namespace warpyard::simplify {
namespace {

constexpr std::size_t kPage = 4096;

/// A part of a copy, in whole pages: parts of all arrays are aligned alike.
device::HostCopy PartOf(const device::HostCopy& copy, const IndexPart& part) {
  const std::size_t begin = std::min(part.begin * kPage, copy.bytes);
  const std::size_t end = std::min(part.end * kPage, copy.bytes);
  return {static_cast<char*>(copy.to) + begin, static_cast<const char*>(copy.from) + begin,
          end - begin};
}

}  // namespace

absl::Status UploadAll(device::Backend& backend, std::span<const device::HostCopy> copies) {
  std::size_t bytes = 0;
  for (const device::HostCopy& copy : copies) bytes += copy.bytes;
  if (bytes < kLeastHostBytes) return backend.CopyAllIn(copies);
  for (const device::HostCopy& copy : copies) {
    const std::size_t pages = (copy.bytes + kPage - 1) / kPage;
    WY_RETURN_IF_ERROR(ForEachPart(pages, copy.bytes, [&](const IndexPart& part) {
      const device::HostCopy own = PartOf(copy, part);
      return backend.CopyIn(own.to, own.from, own.bytes);
    }));
  }
  return absl::OkStatus();
}

}  // namespace warpyard::simplify
