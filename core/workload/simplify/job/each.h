// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A procedure over indices: each thread of a warp does the same with some of them.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_EACH_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_EACH_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/simplify/job/simplify_job.h"

namespace warpyard::simplify {

using procedure::Context;
using procedure::Range;

/// @shape F: `kName`, and `template <class Scope> static void Do(const SimplifyJob&, index)`, which
///     may run at the same time for all indices
template <class F>
struct Each {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = F::kName;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 128;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, SimplifyJob>& context, const Range& range) {
    DoAll<Scope>(context.job, range, context.scope.Rank(), context.scope.Size());
  }

 private:
  /// Not inlined: code that were part of the workers' loop would take registers from all others.
  template <class Scope>
  WY_DEVICE_CALL WY_HD static void DoAll(const SimplifyJob& job, const Range range,
                                         std::uint32_t rank, std::uint32_t size) {
    for (std::uint32_t i = range.begin + rank; i < range.end; i += size) {
      F::template Do<Scope>(job, i);
    }
  }
};

/// Indices of an element: a round of a warp where there are few, so that more warps get some.
WY_HD constexpr std::uint32_t GrainOf(std::uint32_t count) {
  constexpr std::uint32_t kMany = 1u << 18;
  return count < kMany ? 32 : 128;
}

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_JOB_EACH_H_
