// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Conservative root finding by work that makes work: an element is some intervals of a pair, and
// what is left of its walk is another element. For comparison with FindRoots, which walks a pair to
// its end in the lane that began with it; not in the service.
//
// When to use: to measure whether lanes that wait for the longest walk of their warp cost more than
// elements do. When not: else. Walks are short (docs/adr/0022).
// A walk goes forward, and where an interval ends is only known when it has been examined, so what
// is left is one element that resumes the same walk: it proves the same intervals and ends at the
// same time, to the bit, whoever executes it. To bisect what is left would make two, but a walk
// that starts in the middle ends at another time within the tolerance, and the later half is
// examined in vain wherever the first one has a contact.
// An element spawns one at most, in the place that it leaves, so that queues hold no more than
// SeedWalks put there, for which the scheduler makes room first. The time that a walk has come to
// does not fit into an element: it lies in memory of the step, in a place of the pair.
// Each element looks at the end of the step again: with Report::kEarliest a pair is dropped as soon
// as another is known to touch before all that is left of it.
// Source: ours, after the items of [Steinberger §3.1].
#ifndef WARPYARD_CORE_WORKLOAD_CCD_INTERVAL_ITEMS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_INTERVAL_ITEMS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"
#include "core/workload/ccd/collision_job.h"
#include "core/workload/ccd/find_roots.h"
#include "core/workload/ccd/pair_filter.h"
#include "core/workload/ccd/root_conservative.h"
#include "core/workload/ccd/traversal_method.h"

namespace warpyard::ccd {

/// A pair by its index among those that the filters left, and how many of its intervals have been
/// examined. Where that is not 0, StepView::walk_times says until when it is proved free.
struct WalkItem {
  std::uint32_t pair;
  std::uint32_t intervals;
};

/// Stage over pairs: spawns a walk for each that floats do not prove free.
struct SeedWalks {
  using Item = procedure::Range;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "SeedWalks";
  static constexpr std::uint32_t kMaxSpawns = 32;
  static constexpr std::uint32_t kGrain = kMaxSpawns;

  template <exec::LaneScope Scope>
  WY_HD static void Execute(procedure::Context<Scope, CollisionJob>& context, const Item& range) {
    Scope& scope = context.scope;
    for (std::uint32_t i = range.begin + scope.Rank(); i < range.end; i += scope.Size()) {
      if (IsApartInFloats(scope, context.job, SurvivorAt<Scope>(context.job.step, i))) continue;
      context.Spawn(context.OwnProcedure() + 1, WalkItem{i, 0});  // AdvanceWalk: next in the list
    }
  }
};

/// The next intervals of a pair: records its contact, leaves it as free, or spawns the rest.
struct AdvanceWalk {
  using Item = WalkItem;
  static constexpr std::uint32_t kThreads = 1;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "AdvanceWalk";
  static constexpr std::uint32_t kMaxSpawns = 1;
  static constexpr bool kSpawned = true;

  template <class Scope>
  WY_HD static void Execute(procedure::Context<Scope, CollisionJob>& context, const Item& item) {
    const CollisionJob& job = context.job;
    const StepView& step = job.step;
    const MarkedPair marked = SurvivorAt<Scope>(step, item.pair);
    const MovingPair pair = LoadPair(job.scene, step, marked.Kind(), marked.Ids());
    const RootLimits limits{step.tolerance, step.max_intervals, EndTime<Scope>(step),
                            step.min_separation};
    const bool first = item.intervals == 0;
    if (first && !SurvivesFilters(pair, step.min_separation)) return;
    double& reached = step.walk_times[item.pair];
    if (!first && reached >= limits.end_time) return End<Scope>(job, marked, item, {});
    Walk walk(pair, limits, first ? 0 : reached, item.intervals);
    const std::uint32_t left = step.max_intervals - item.intervals;
    const std::uint32_t most = left < step.interval_items ? left : step.interval_items;
    WY_ROLLED
    for (std::uint32_t i = 0; i < most; ++i) {
      const WalkStep one = walk.Advance(item.intervals + i);
      if (one == WalkStep::kAdvanced) continue;
      const bool touches = one == WalkStep::kContact;
      return End<Scope>(job, marked, item, {touches, false, walk.Time()});
    }
    if (most == left) return End<Scope>(job, marked, item, {true, true, walk.Time()});
    reached = walk.Time();
    context.Spawn(context.OwnProcedure(), WalkItem{item.pair, item.intervals + most});
  }

 private:
  /// The walk is over. @shape item: the last one of it
  template <class Scope>
  WY_HD static void End(const CollisionJob& job, const MarkedPair& marked, const Item& item,
                        const Contact& contact) {
    const StepView& step = job.step;
    StepCounters& counters = *step.counters;
    // Few walks have more than one item, so that few add anything.
    if (item.intervals != 0) {
      Scope::Word(counters.continued_walks).FetchAddRelaxed(item.intervals / step.interval_items);
    }
    if (!contact.touches) return;
    std::uint64_t bits;
    memcpy(&bits, &contact.time, sizeof bits);
    Scope::Word(counters.earliest_bits).FetchMinRelaxed(bits);
    if (contact.capped) Scope::Word(counters.capped_pairs).FetchAddRelaxed(1);
    const bool edges = marked.Kind() == PairKind::kEdgeEdge;
    Scope::Word(counters.contacts[edges ? 1 : 0]).FetchAddRelaxed(1);
    if (step.report != Report::kCollisions) return;
    const PairIds ids = marked.Ids();
    if (!edges) return List<Scope>(step.vertex_face, {ids.a, ids.b, contact.time});
    std::uint32_t v[4];
    VerticesOf(job.scene, PairKind::kEdgeEdge, ids, v);
    List<Scope>(step.edge_edge, {v[0], v[1], v[2], v[3], contact.time});
  }

  template <class Scope, class Collision>
  WY_HD static void List(const DeviceList<Collision>& list, const Collision& collision) {
    const std::uint64_t place = Scope::Word(*list.count).FetchAddRelaxed(1);
    if (place < list.capacity) list.items[place] = collision;
  }
};

/// The way to find roots of a program (collision_program.h).
struct IntervalItems {
  static constexpr bool kHasOther = true;
  using Procedures = procedure::ProcedureList<SeedWalks, AdvanceWalk>;

  /// What takes the place of a stage of FindRoots, where the step asks for it.
  template <class All>
  WY_HD static procedure::StagePlan PlanOfRoots(const CollisionJob& job,
                                                const procedure::StagePlan& of_pairs) {
    static_assert(All::template IndexOf<AdvanceWalk>() == All::template IndexOf<SeedWalks>() + 1);
    return job.step.interval_items == 0 ? of_pairs : PlanOf<SeedWalks, All>(of_pairs.count);
  }
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_INTERVAL_ITEMS_H_
