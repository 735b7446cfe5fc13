// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Short vectors of floats, for which the host has SIMD instructions.
#ifndef WARPYARD_CORE_EXEC_SIMD_FLOAT3_H_
#define WARPYARD_CORE_EXEC_SIMD_FLOAT3_H_

#include "core/base/macros.h"

#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
#include <emmintrin.h>
#endif

namespace warpyard::exec {

/// Whether a[k] <= b[k] and c[k] <= d[k] for k = 0, 1, 2. It has no branches, because in a
/// hierarchy traversal the outcome of a comparison is hard to predict. @shape four floats each,
/// 16-byte aligned
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

/// Three floats; a fourth one fills the register.
struct Float3 {
#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
  __m128 values;
#else
  float values[3];
#endif
};

/// @shape four floats, 16-byte aligned
WY_HD inline Float3 Load3(const float* from) {
#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
  return {_mm_load_ps(from)};
#else
  return {{from[0], from[1], from[2]}};
#endif
}

/// Element by element; for numbers, not NaN.
WY_HD inline Float3 Min3(const Float3& a, const Float3& b) {
#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
  return {_mm_min_ps(a.values, b.values)};
#else
  Float3 result{};
  for (int k = 0; k < 3; ++k)
    result.values[k] = a.values[k] < b.values[k] ? a.values[k] : b.values[k];
  return result;
#endif
}
WY_HD inline Float3 Max3(const Float3& a, const Float3& b) {
#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
  return {_mm_max_ps(a.values, b.values)};
#else
  Float3 result{};
  for (int k = 0; k < 3; ++k)
    result.values[k] = a.values[k] > b.values[k] ? a.values[k] : b.values[k];
  return result;
#endif
}

/// Whether a - b and c - d are both above `margin` in any of the values.
WY_HD inline bool AnyBothAbove3(const Float3& a, const Float3& b, const Float3& c, const Float3& d,
                                float margin) {
#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
  const __m128 least = _mm_set1_ps(margin);
  const __m128 first = _mm_cmpgt_ps(_mm_sub_ps(a.values, b.values), least);
  const __m128 second = _mm_cmpgt_ps(_mm_sub_ps(c.values, d.values), least);
  return (_mm_movemask_ps(_mm_and_ps(first, second)) & 7) != 0;
#else
  bool any = false;
  for (int k = 0; k < 3; ++k) {
    any |= (a.values[k] - b.values[k] > margin) & (c.values[k] - d.values[k] > margin);
  }
  return any;
#endif
}

}  // namespace warpyard::exec

#endif  // WARPYARD_CORE_EXEC_SIMD_FLOAT3_H_
