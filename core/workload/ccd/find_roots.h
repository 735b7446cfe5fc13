// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Narrow phase: time of impact of each pair that the filters left.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_FIND_ROOTS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_FIND_ROOTS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/base/macros.h"
#include "core/procedure/block_buffer.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/collision_job.h"
#include "core/workload/ccd/root_conservative.h"
#include "core/workload/ccd/root_cubic.h"

namespace warpyard::ccd {

using procedure::BlockBuffer;
using procedure::Context;
using procedure::Range;

/// Stage over survivors, vertex-face pairs first.
struct FindRoots {
  struct Scratch {
    BlockBuffer<PairContact, 128> contacts[2];
  };

  using Item = Range;
  static constexpr std::size_t kSharedBytes = sizeof(Scratch);
  static constexpr const char* kName = "FindRoots";
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kGrain = 64;
  static constexpr std::uint64_t kPairsBetweenLooks = 64;  // for a cancel; a multiple of any group

  template <class Scope>
  WY_HD static void Execute(Context<Scope, CollisionJob>& context, const Range& range) {
    Scratch& scratch = context.template Shared<Scratch>();
    Scope& scope = context.scope;
    const StepView& step = context.job.step;
    if (scope.Rank() == 0) scratch.contacts[0].count = scratch.contacts[1].count = 0;
    const std::uint64_t vertex_face = Scope::Word(*step.survivors[0].count).LoadRelaxed();
    std::uint64_t found[2] = {0, 0};
    for (std::uint64_t first = range.begin; first < range.end; first += scope.Size()) {
      if ((first - range.begin) % kPairsBetweenLooks == 0 && context.Cancelled()) break;
      for (int kind = 0; kind < 2; ++kind) {
        if (!scratch.contacts[kind].HasRoom(scope, 1)) {
          scratch.contacts[kind].FlushTo(scope, step.contacts[kind]);
        }
      }
      const std::uint64_t i = first + scope.Rank();
      if (i >= range.end) continue;
      const int kind = i < vertex_face ? 0 : 1;
      const PairIds ids = step.survivors[kind].items[kind == 0 ? i : i - vertex_face];
      const Contact contact = Find<Scope>(context.job, static_cast<PairKind>(kind), ids);
      if (!contact.touches) continue;
      ++found[kind];
      Record<Scope>(step, contact);
      if (step.report == Report::kCollisions) {
        scratch.contacts[kind].template Push<Scope>({ids, contact.time});
      }
    }
    for (int kind = 0; kind < 2; ++kind) {
      scratch.contacts[kind].FlushTo(scope, step.contacts[kind]);
      if (found[kind] != 0) {
        Scope::Word(step.counters->contacts[kind]).FetchAddRelaxed(found[kind]);
      }
    }
  }

 private:
  template <class Scope>
  WY_HD static Contact Find(const CollisionJob& job, PairKind kind, PairIds ids) {
    const StepView& step = job.step;
    const MovingPair pair = LoadPair(job.scene, step, kind, ids);
    const RootLimits limits{step.tolerance, step.max_intervals, EndTime<Scope>(step)};
    return step.root_finder == RootFinder::kCubic ? FindContactCubic(pair, limits)
                                                  : FindContactConservative(pair, limits);
  }

  template <class Scope>
  WY_HD static void Record(const StepView& step, const Contact& contact) {
    std::uint64_t bits;
    memcpy(&bits, &contact.time, sizeof bits);
    Scope::Word(step.counters->earliest_bits).FetchMinRelaxed(bits);
    if (contact.capped) Scope::Word(step.counters->capped_pairs).FetchAddRelaxed(1);
  }
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_FIND_ROOTS_H_
