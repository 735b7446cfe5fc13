// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/step/host_room.h"

#include "absl/strings/str_cat.h"
#include "core/base/status_facts.h"

namespace warpyard::ccd {

absl::Status CheckHostBytes(const device::Backend& backend, std::uint64_t pairs,
                            std::size_t needed) {
  const std::size_t used = backend.MemoryUsed(), limit = backend.MemoryLimit();
  if (used <= limit && needed <= limit - used) return absl::OkStatus();
  return WithCause(Cause::kDeviceMemory,
                   absl::ResourceExhaustedError(
                       absl::StrCat("the result has ", pairs, " pairs, ", needed, " bytes; ", used,
                                    " bytes are in use, limit ", limit, " (--memory-limit-mib)")));
}

}  // namespace warpyard::ccd
