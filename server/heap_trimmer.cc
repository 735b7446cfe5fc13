// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/heap_trimmer.h"

#ifdef WARPYARD_TCMALLOC
#include <gperftools/malloc_extension.h>
#else
#include <malloc.h>
#endif

namespace warpyard::server {

namespace {

void Trim() {
#ifdef WARPYARD_TCMALLOC
  MallocExtension::instance()->ReleaseFreeMemory();
#else
  malloc_trim(0);
#endif
}

}  // namespace

HeapTrimmer::HeapTrimmer() : HeapTrimmer(&Trim) {}

void HeapTrimmer::Look(std::size_t held, std::uint64_t passed) {
  quiet_looks_ = held == 0 ? quiet_looks_ + 1 : 0;
  if (quiet_looks_ < kQuietLooks || passed - passed_at_trim_ < kWorthwhileBytes) return;
  passed_at_trim_ = passed;
  trim_();
}

}  // namespace warpyard::server
