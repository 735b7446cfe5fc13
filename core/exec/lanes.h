// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Short vector operations that the host has instructions for.
#ifndef WARPYARD_CORE_EXEC_LANES_H_
#define WARPYARD_CORE_EXEC_LANES_H_

#include "core/base/macros.h"

#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
#include <emmintrin.h>
#endif

namespace warpyard::exec {

/// Whether a[k] <= b[k] and c[k] <= d[k] for k = 0, 1, 2. Free of branches: in a hierarchy
/// traversal each comparison is close to a coin toss. @shape four floats each, 16-byte aligned
WY_HD inline bool AllLessEqual3(const float* a, const float* b, const float* c, const float* d) {
#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
  const __m128 first = _mm_cmple_ps(_mm_load_ps(a), _mm_load_ps(b));
  const __m128 second = _mm_cmple_ps(_mm_load_ps(c), _mm_load_ps(d));
  return (_mm_movemask_ps(_mm_and_ps(first, second)) & 7) == 7;
#else
  return (a[0] <= b[0]) & (a[1] <= b[1]) & (a[2] <= b[2]) & (c[0] <= d[0]) & (c[1] <= d[1]) &
         (c[2] <= d[2]);
#endif
}

}  // namespace warpyard::exec

#endif  // WARPYARD_CORE_EXEC_LANES_H_
