// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/heap_trimmer.h"

#include <malloc.h>

namespace warpyard::server {

HeapTrimmer::HeapTrimmer() : HeapTrimmer([] { malloc_trim(0); }) {}

void HeapTrimmer::Look(std::size_t held, std::uint64_t passed) {
  quiet_looks_ = held == 0 ? quiet_looks_ + 1 : 0;
  if (quiet_looks_ < kQuietLooks || passed - passed_at_trim_ < kWorthwhileBytes) return;
  passed_at_trim_ = passed;
  trim_();
}

}  // namespace warpyard::server
