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
#ifndef WARPYARD_RESEARCH_INTERVAL_ITEMS_INTERVAL_ITEMS_H_
#define WARPYARD_RESEARCH_INTERVAL_ITEMS_INTERVAL_ITEMS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/base/macros.h"
#include "core/exec/scope.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/job/traversal_method.h"
#include "core/workload/ccd/narrow/find_roots.h"
#include "core/workload/ccd/narrow/pair_filter.h"
#include "core/workload/ccd/narrow/root_conservative.h"
#include "core/workload/ccd/narrow/walk_pairs.h"

namespace warpyard::ccd {

/// A pair by its index among those to find roots of, and how many of its intervals have been
/// examined in doubles. StepView::walk_times says until when it is proved free.
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
    const StepView& step = context.job.step;
    const PairsToWalk pairs = PairsToWalk::Of<Scope>(step);
    const double end_time = EndTime<Scope>(step);
    for (std::uint32_t i = range.begin + scope.Rank(); i < range.end; i += scope.Size()) {
      LeftPair left{};
      if (!pairs.IsLeft(context.job, i, end_time, left)) continue;
      step.walk_times[i] = left.free_until;
      context.Spawn(context.OwnProcedure() + 1, WalkItem{i, 0});  // AdvanceWalk: next in the list
    }
  }
};

/// The next intervals of a pair: records its contact, leaves it as free, or spawns the rest. After
/// kManyIntervals the rest is one item, as it is one call in FindRoots: its state is more than a
/// time.
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
    double& reached = step.walk_times[item.pair];
    const RootLimits limits{step.tolerance, step.max_intervals, EndTime<Scope>(step),
                            step.min_separation, reached};
    if (reached >= limits.end_time) return CountItems<Scope>(step, item);
    const MarkedPair marked = PairsToWalk::Of<Scope>(step).At(item.pair);
    const MovingPair pair = LoadPair(job.scene, step, marked.Kind(), marked.Ids());
    std::uint32_t intervals = item.intervals;
    Contact contact;
    if (Examine(pair, limits, EndOf(step, item), intervals, contact)) {
      reached = contact.time;
      context.Spawn(context.OwnProcedure(), WalkItem{item.pair, intervals});
      return;
    }
    CountItems<Scope>(step, item);
    // Asked last, as in FindRoots.
    if (!contact.touches || !SurvivesFilters(pair, step.min_separation)) return;
    Record<Scope>(job, marked, contact);
  }

 private:
  /// How many intervals there are when an item of a Walk is over.
  WY_HD static std::uint32_t EndOf(const StepView& step, const Item& item) {
    const std::uint32_t most =
        step.max_intervals < kManyIntervals ? step.max_intervals : kManyIntervals;
    const std::uint32_t left = most - item.intervals;
    return item.intervals + (left < step.interval_items ? left : step.interval_items);
  }

  /// Whether some of the walk is left; then contact.time is how far it is.
  WY_HD static bool Examine(const MovingPair& pair, const RootLimits& limits, std::uint32_t end,
                            std::uint32_t& intervals, Contact& contact) {
    if (intervals == kManyIntervals) {
      contact = FindContactTurning(pair, limits, intervals);
      return false;
    }
    Walk walk(pair, limits, intervals);
    WalkStep last = WalkStep::kAdvanced;
    WY_ROLLED
    while (intervals < end && last == WalkStep::kAdvanced) last = walk.Advance(intervals++);
    const bool is_capped = last == WalkStep::kAdvanced && end == limits.max_intervals;
    contact = {last == WalkStep::kContact || is_capped, is_capped, walk.Time()};
    return last == WalkStep::kAdvanced && !is_capped;
  }

  /// The walk is over. Few walks have more than one item, so that few add anything.
  /// @shape item: the last one of it
  template <class Scope>
  WY_HD static void CountItems(const StepView& step, const Item& item) {
    if (item.intervals == 0) return;
    Scope::Word(step.counters->continued_walks)
        .FetchAddRelaxed((item.intervals - 1) / step.interval_items + 1);
  }

  template <class Scope>
  WY_HD static void Record(const CollisionJob& job, const MarkedPair& marked,
                           const Contact& contact) {
    const StepView& step = job.step;
    StepCounters& counters = *step.counters;
    std::uint64_t bits;
    memcpy(&bits, &contact.time, sizeof bits);
    Scope::Word(counters.earliest_bits).FetchMinRelaxed(bits);
    if (contact.capped) Scope::Word(counters.capped_pairs).FetchAddRelaxed(1);
    const bool edges = marked.Kind() == PairKind::kEdgeEdge;
    Scope::Word(counters.contacts[edges ? 1 : 0]).FetchAddRelaxed(1);
    if (step.report != Report::kCollisions) return;
    std::uint32_t v[4];
    VerticesOf(job.scene, marked.Kind(), marked.Ids(), v);
    const std::uint32_t first_id = edges ? v[1] : marked.Ids().a;
    if (step.rows.ends != nullptr) step.rows.Count<Scope>(step.rows.RowOf(edges, first_id));
    if (!edges) return List<Scope>(step.vertex_face, {first_id, marked.Ids().b, contact.time});
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
  WY_HD static procedure::StagePlan PlanOfItems(const CollisionJob& job,
                                                const procedure::StagePlan& of_pairs) {
    static_assert(All::template IndexOf<AdvanceWalk>() == All::template IndexOf<SeedWalks>() + 1);
    return job.step.interval_items == 0 ? of_pairs : PlanOf<SeedWalks, All>(of_pairs.count);
  }
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_RESEARCH_INTERVAL_ITEMS_INTERVAL_ITEMS_H_
