// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Conservative root finding by work that spawns work: an element is some intervals of a pair, and
// the rest of the pair's walk is another element. FindRoots, in contrast, walks a pair to its end
// in one lane.
//
// A walk goes forward, and the end of an interval is known only after it was examined. So the rest
// is one element that resumes the same walk: it proves the same intervals and ends at the same
// time, to the bit, on any worker. Bisecting the rest would make two elements. But a walk that
// starts in the middle ends at another time within the tolerance, and wherever the first half has a
// contact, examining the later half is wasted. An element spawns one element at most, in the place
// that it leaves. So queues hold no more than SeedWalks put there, for which the scheduler makes
// room first. The time that a walk has reached does not fit into an element: it is stored in memory
// of the step, in a place of the pair. Each element reads the end of the step again: with
// ccd::Report::kEarliest a pair is dropped as soon as another pair is known to touch before the
// rest of its walk. Source: ours, after the items of [Steinberger §3.1].
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
#include "core/workload/ccd/job/stage_list.h"
#include "core/workload/ccd/narrow/pair_filter.h"
#include "core/workload/ccd/narrow/root_conservative.h"
#include "core/workload/ccd/narrow/walk_pairs.h"
#include "research/interval_items/interval_job.h"

namespace warpyard::interval_items {

/// A pair by its index among the pairs for root finding, and how many of its intervals have been
/// examined in doubles. IntervalJob::walk_times is the time up to which it is proved free.
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
  WY_HD static void Execute(procedure::Context<Scope, IntervalJob>& context, const Item& range) {
    Scope& scope = context.scope;
    const IntervalJob& job = context.job;
    const ccd::StepView& step = job.collision.step;
    const ccd::PairsToWalk pairs = ccd::PairsToWalk::Of<Scope>(step, nullptr);
    const double end_time = ccd::EndTime<Scope>(step);
    for (std::uint32_t i = range.begin + scope.Rank(); i < range.end; i += scope.Size()) {
      ccd::LeftPair left{};
      if (!pairs.IsLeft(job.collision, i, end_time, left)) continue;
      job.walk_times[i] = left.free_until;
      // AdvanceWalk comes next in the list.
      context.Spawn(context.OwnProcedure() + 1, WalkItem{i, 0});
    }
  }
};

/// The next intervals of a pair: records its contact, drops the pair as free, or spawns the rest.
/// After kManyIntervals the rest is one item, as it is one call in FindRoots, because its state is
/// more than a time.
struct AdvanceWalk {
  using Item = WalkItem;
  static constexpr std::uint32_t kThreads = 1;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "AdvanceWalk";
  static constexpr std::uint32_t kMaxSpawns = 1;
  static constexpr bool kSpawned = true;

  template <class Scope>
  WY_HD static void Execute(procedure::Context<Scope, IntervalJob>& context, const Item& item) {
    const IntervalJob& job = context.job;
    const ccd::StepView& step = job.collision.step;
    double& reached = job.walk_times[item.pair];
    const ccd::RootLimits limits{step.asked.tolerance, step.asked.max_intervals,
                                 ccd::EndTime<Scope>(step), step.asked.min_separation, reached};
    if (reached >= limits.end_time) return CountItems<Scope>(job, item);
    const ccd::MarkedPair marked = ccd::PairsToWalk::Of<Scope>(step, nullptr).At(item.pair);
    const ccd::MovingPair pair =
        ccd::LoadPair(job.collision.scene, step, marked.Kind(), marked.Ids());
    std::uint32_t intervals = item.intervals;
    ccd::Contact contact;
    if (Examine(pair, limits, EndOf(job, item), intervals, contact)) {
      reached = contact.time;
      context.Spawn(context.OwnProcedure(), WalkItem{item.pair, intervals});
      return;
    }
    CountItems<Scope>(job, item);
    // This test comes last, as in FindRoots.
    if (!contact.touches || !ccd::SurvivesFilters(pair, step.asked.min_separation)) return;
    Record<Scope>(job.collision, marked, contact);
  }

 private:
  /// The number of examined intervals when an item of a walk ends.
  WY_HD static std::uint32_t EndOf(const IntervalJob& job, const Item& item) {
    const std::uint32_t capped = job.collision.step.asked.max_intervals;
    const std::uint32_t most = capped < ccd::kManyIntervals ? capped : ccd::kManyIntervals;
    const std::uint32_t left = most - item.intervals;
    return item.intervals + (left < job.intervals ? left : job.intervals);
  }

  /// Whether a part of the walk is left; if so, contact.time is the time that it has reached.
  WY_HD static bool Examine(const ccd::MovingPair& pair, const ccd::RootLimits& limits,
                            std::uint32_t end, std::uint32_t& intervals, ccd::Contact& contact) {
    if (intervals == ccd::kManyIntervals) {
      contact = ccd::FindContactTurning(pair, limits, intervals);
      return false;
    }
    ccd::Walk walk(pair, limits, intervals);
    ccd::WalkStep last = ccd::WalkStep::kAdvanced;
    WY_ROLLED
    while (intervals < end && last == ccd::WalkStep::kAdvanced) last = walk.Advance(intervals++);
    const bool is_capped = last == ccd::WalkStep::kAdvanced && end == limits.max_intervals;
    contact = {last == ccd::WalkStep::kContact || is_capped, is_capped, walk.Time()};
    return last == ccd::WalkStep::kAdvanced && !is_capped;
  }

  /// Counts the items of a finished walk. Few walks have more than one item, so few items add
  /// anything.
  /// @shape item: the last item of the walk
  template <class Scope>
  WY_HD static void CountItems(const IntervalJob& job, const Item& item) {
    if (item.intervals == 0) return;
    Scope::Word(*job.continued_walks).FetchAddRelaxed((item.intervals - 1) / job.intervals + 1);
  }

  template <class Scope>
  WY_HD static void Record(const ccd::CollisionJob& job, const ccd::MarkedPair& marked,
                           const ccd::Contact& contact) {
    const ccd::StepView& step = job.step;
    const ccd::ContactRows& rows = step.lists.rows;
    ccd::StepCounters& counters = *step.counters;
    std::uint64_t bits;
    memcpy(&bits, &contact.time, sizeof bits);
    Scope::Word(counters.earliest_bits).FetchMinRelaxed(bits);
    if (contact.capped) Scope::Word(counters.capped_pairs).FetchAddRelaxed(1);
    const bool edges = marked.Kind() == ccd::PairKind::kEdgeEdge;
    Scope::Word(counters.contacts[edges ? 1 : 0]).FetchAddRelaxed(1);
    if (step.asked.report != ccd::Report::kCollisions) return;
    std::uint32_t v[4];
    ccd::VerticesOf(job.scene.mesh, marked.Kind(), marked.Ids(), v);
    const std::uint32_t first_id = edges ? v[1] : marked.Ids().a;
    if (rows.ends != nullptr) rows.Count<Scope>(rows.RowOf(edges, first_id));
    if (!edges)
      return List<Scope>(step.lists.vertex_face, {first_id, marked.Ids().b, contact.time});
    List<Scope>(step.lists.edge_edge, {v[0], v[1], v[2], v[3], contact.time});
  }

  template <class Scope, class Collision>
  WY_HD static void List(const ccd::DeviceList<Collision>& list, const Collision& collision) {
    const std::uint64_t place = Scope::Word(*list.count).FetchAddRelaxed(1);
    if (place < list.capacity) list.items[place] = collision;
  }
};

/// AdvanceWalk follows SeedWalks, which spawns it by the place after its own.
using WalkProcedures = procedure::ProcedureList<SeedWalks, AdvanceWalk>;

}  // namespace warpyard::interval_items

#endif  // WARPYARD_RESEARCH_INTERVAL_ITEMS_INTERVAL_ITEMS_H_
