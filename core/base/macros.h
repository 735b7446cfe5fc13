// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The only macros of the project.
#ifndef WARPYARD_CORE_BASE_MACROS_H_
#define WARPYARD_CORE_BASE_MACROS_H_

#include <cstdio>
#include <cstdlib>

/// Marks a function that runs on the host and on a CUDA device.
/// WY_DEVICE_CALL: a function that a device calls and never inlines. It is for large functions with
/// many callers: inlined copies of such functions were half of the megakernel.
/// WY_INLINED: always inlined. Out of line, references lose their address space and shared memory
/// is read by slow generic loads.
#ifdef __CUDACC__
#define WY_HD __host__ __device__
#define WY_DEVICE_CALL __noinline__
#define WY_INLINED __forceinline__
#else
#define WY_HD
#define WY_DEVICE_CALL
#define WY_INLINED
#endif

/// WY_ROLLED: before a loop that a device should not unroll. Blocks run different procedures at the
/// same time, and the code of all of them must fit the instruction cache (docs/scheduler.md).
/// WY_UNROLLED: before a short loop whose loads should be under way together.
#ifdef __CUDA_ARCH__
#define WY_ROLLED _Pragma("unroll 1")
#define WY_UNROLLED _Pragma("unroll")
#else
#define WY_ROLLED
#define WY_UNROLLED
#endif

/// Ends the process when an invariant of ours is broken. Never use it for bad input.
#ifdef __CUDA_ARCH__
#define WY_ASSERT(condition)    \
  do {                          \
    if (!(condition)) __trap(); \
  } while (false)
#else
#define WY_ASSERT(condition)                                                                 \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      std::fprintf(stderr, "%s:%d: invariant broken: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                          \
    }                                                                                        \
  } while (false)
#endif

/// Returns from the calling function if an absl::Status expression is not OK.
#define WY_RETURN_IF_ERROR(expression)                                    \
  do {                                                                    \
    if (auto wy_status = (expression); !wy_status.ok()) return wy_status; \
  } while (false)

#define WY_CONCAT_INNER_(a, b) a##b
#define WY_CONCAT_(a, b) WY_CONCAT_INNER_(a, b)

/// `WY_ASSIGN_OR_RETURN(auto x, MakeX());` unwraps an absl::StatusOr or returns its status.
#define WY_ASSIGN_OR_RETURN(target, expression)                  \
  auto WY_CONCAT_(wy_result_, __LINE__) = (expression);          \
  if (!WY_CONCAT_(wy_result_, __LINE__).ok())                    \
    return std::move(WY_CONCAT_(wy_result_, __LINE__)).status(); \
  target = *std::move(WY_CONCAT_(wy_result_, __LINE__))

#endif  // WARPYARD_CORE_BASE_MACROS_H_
