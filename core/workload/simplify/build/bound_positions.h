// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The box of the input's positions, found where they are: the host need not read them for it.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_BUILD_BOUND_POSITIONS_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_BUILD_BOUND_POSITIONS_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/workload/geometry/bounds.h"
#include "core/workload/simplify/job/each.h"
#include "core/workload/simplify/job/stages.h"

namespace warpyard::simplify {

struct EachPositionToBound {
  template <class Scope>
  WY_HD static std::uint32_t Count(const SimplifyJob& job) {
    return job.build.input.finds_box ? job.build.input.vertices : 0;
  }
};

/// Tells the box of all positions, and whether one is not finite. A group has many positions, since
/// each group uses the same few words.
struct BoundPositions {
  using Item = Range;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "SimplifyBoundPositions";
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 1024;

  template <class Scope>
  WY_HD static void Execute(Context<Scope, SimplifyJob>& context, const Range& range) {
    Bound(context.scope, context.job, range);
  }

 private:
  /// Not inlined: see Each.
  template <class Scope>
  WY_DEVICE_CALL WY_HD static void Bound(Scope scope, const SimplifyJob& job, const Range range) {
    InputCounters own{};
    for (std::uint32_t v = range.begin + scope.Rank(); v < range.end; v += scope.Size()) {
      const FloatPoint p = job.build.input.positions[v];
      Add(p.x, 0, own);
      Add(p.y, 1, own);
      Add(p.z, 2, own);
    }
    InputCounters& all = job.counters->input;
    WY_UNROLLED
    for (int axis = 0; axis < 3; ++axis) {
      Tell(scope, own.greatest[axis], all.greatest[axis]);
      Tell(scope, own.least[axis], all.least[axis]);
    }
    if (own.invalid != 0) Scope::Word(all.invalid).StoreRelaxed(1);
  }
  WY_HD static void Add(float value, int axis, InputCounters& own) {
    const bool is_finite = value - value == 0;
    if (!is_finite) own.invalid = 1;
    const std::uint32_t word = geometry::OrderedBits(value);
    if (word > own.greatest[axis]) own.greatest[axis] = word;
    if (~word > own.least[axis]) own.least[axis] = ~word;
  }
  template <class Scope>
  WY_HD static void Tell(Scope& scope, std::uint32_t own, std::uint32_t& all) {
    const std::uint32_t greatest = ~scope.Min(~own);
    const auto word = Scope::Word(all);
    if (scope.Rank() == 0 && greatest > word.LoadRelaxed()) word.FetchMaxRelaxed(greatest);
  }
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_BUILD_BOUND_POSITIONS_H_
