// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Simultaneous traversal level by level, with compaction between levels. A baseline. [Lauterbach
// §3.2]
//
// A level of the test tree takes three stages. First, each pair of the in-queue writes its children
// to its own places in the out-queue, which has room for the largest possible number of children.
// Second, one group turns the numbers of children into places. Third, all groups copy the children
// to these places; they are the in-queue of the next level.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_COMPACTION_TRAVERSAL_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_COMPACTION_TRAVERSAL_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/exec/lane_sets.h"
#include "core/exec/scope.h"
#include "core/procedure/lane_buffer.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/job/traversal_method.h"
#include "core/workload/ccd/methods/traversals/bvtt.h"
#include "core/workload/ccd/methods/traversals/round_stages.h"

namespace warpyard::ccd {

/// Pairs of a level that a group handles together.
inline constexpr std::uint32_t kLevelPart = 256;

/// Parts of a level. @shape count: pairs
WY_HD inline std::uint32_t PartsOf(std::uint32_t count) {
  return count == 0 ? 0 : (count - 1) / kLevelPart + 1;
}

/// Stage over the pairs of a level: puts the children of each into its places, and counts them by
/// parts.
struct ExpandLevel {
  using Found = procedure::LaneBuffer<PairIds, 96>;
  struct Scratch {
    Found::Memory found;
  };
  using Item = procedure::Range;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::size_t kSharedBytes = sizeof(Scratch);
  static constexpr const char* kName = "ExpandLevel";
  static constexpr std::uint32_t kGrain = kLevelPart;

  template <exec::LaneScope Scope>
  WY_HD static void Execute(procedure::Context<Scope, CollisionJob>& context,
                            const procedure::Range& range) {
    Scope& scope = context.scope;
    const StepView& step = context.job.step;
    Found found(context.template Shared<Scratch>().found);
    std::uint32_t count = 0;
    for (std::uint32_t first = range.begin; first < range.end; first += scope.Size()) {
      const std::uint32_t i = first + scope.Rank();
      Expansion expansion;
      if (i < range.end) {
        expansion = ExpandPair(context.job.scene, step.work, step.work.pairs[i]);
        NodePair* const places = step.work.next_pairs + std::size_t{kMostChildPairs} * i;
        for (std::uint32_t k = 0; k < kMostChildPairs; ++k) {
          places[k] = k < expansion.count ? expansion.children[k] : None();
        }
      }
      for (std::uint32_t k = 0; k < kMostChildPairs; ++k) {
        count += exec::CountBits(scope.Ballot(k < expansion.count));
      }
      found.Push(scope, expansion.meets, {expansion.leaves.a, expansion.leaves.b});
      if (found.IsNearlyFull(scope)) found.FlushTo(scope, step.lists.meetings);
    }
    found.FlushTo(scope, step.lists.meetings);
    if (scope.Rank() != 0) return;
    step.work.counts[range.begin / kLevelPart] = count;
    Scope::Word(step.counters->traversal.visited).FetchAddRelaxed(range.end - range.begin);
  }

  /// Marks a place without a pair: the root with itself is never spawned.
  WY_HD static constexpr NodePair None() { return RootPair(); }
};

/// Stage over one index: turns the numbers of children of all parts into first places.
struct ScanLevel {
  using Item = procedure::Range;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "ScanLevel";
  static constexpr std::uint32_t kGrain = 1;

  template <exec::LaneScope Scope>
  WY_HD static void Execute(procedure::Context<Scope, CollisionJob>& context, const Item&) {
    Scope& scope = context.scope;
    const TraversalView& work = context.job.step.work;
    TraversalCounters& counters = context.job.step.counters->traversal;
    const std::uint32_t parts = PartsOf(static_cast<std::uint32_t>(counters.pending));
    const std::uint32_t share = (parts + scope.Size() - 1) / scope.Size();
    const std::uint32_t begin = scope.Rank() * share < parts ? scope.Rank() * share : parts;
    const std::uint32_t end = begin + share < parts ? begin + share : parts;
    std::uint64_t own = 0;
    for (std::uint32_t i = begin; i < end; ++i) own += work.counts[i];
    std::uint64_t place = 0, total = 0;
    for (std::uint32_t lane = 0; lane < scope.Size(); ++lane) {
      const std::uint64_t other = scope.BroadcastFrom(own, lane);
      if (lane < scope.Rank()) place += other;
      total += other;
    }
    for (std::uint32_t i = begin; i < end; ++i) {
      const std::uint32_t count = work.counts[i];
      work.counts[i] = static_cast<std::uint32_t>(place);
      place += count;
    }
    scope.Barrier();  // all threads have read `pending`, which changes now
    if (scope.Rank() != 0) return;
    ++counters.rounds;
    counters.expanded = static_cast<std::uint32_t>(counters.pending);
    // A level that does not fit ends the traversal; the host makes room and starts again.
    counters.needed = total > work.capacity ? total : 0;
    counters.pending = total > work.capacity ? 0 : total;
  }
};

/// Stage over the pairs of the previous level: copies their children to their places.
struct CompactLevel {
  using Item = procedure::Range;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "CompactLevel";
  static constexpr std::uint32_t kGrain = kLevelPart;

  template <exec::LaneScope Scope>
  WY_HD static void Execute(procedure::Context<Scope, CollisionJob>& context,
                            const procedure::Range& range) {
    Scope& scope = context.scope;
    const TraversalView& work = context.job.step.work;
    std::uint32_t next = work.counts[range.begin / kLevelPart];
    const std::uint32_t end = kMostChildPairs * (range.end - range.begin);
    const NodePair* const places = work.next_pairs + std::size_t{kMostChildPairs} * range.begin;
    for (std::uint32_t first = 0; first < end; first += scope.Size()) {
      const std::uint32_t i = first + scope.Rank();
      NodePair pair = ExpandLevel::None();
      if (i < end) pair = places[i];
      const bool has = pair.a != ExpandLevel::None().a;
      const std::uint32_t lanes = scope.Ballot(has);
      if (has) work.pairs[next + exec::PlaceAmong(lanes, scope.Rank())] = pair;
      next += exec::CountBits(lanes);
    }
  }
};

/// Indices of the three stages of a level: none when no pair waits for it.
struct EachPairOfLevel {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    return static_cast<std::uint32_t>(
        Scope::Word(job.step.counters->traversal.pending).LoadRelaxed());
  }
};
struct OneIfLevelHasPairs {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    return EachPairOfLevel::Count<Scope>(job) == 0 ? 0 : 1;
  }
};
struct EachPairOfLevelBefore {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    if (EachPairOfLevel::Count<Scope>(job) == 0) return 0;
    return Scope::Word(job.step.counters->traversal.expanded).LoadRelaxed();
  }
};

/// Two levels for each event; the host starts events until no pair is left.
struct CompactionTraversal {
  static constexpr Traversal kTraversal = Traversal::kCompaction;
  static constexpr TraversalTraits kTraits{.level = true};
  using Level =
      StageList<Stage<ExpandLevel, StepPhase::kBroad, Deal::kGrains, EachPairOfLevel>,
                Stage<ScanLevel, StepPhase::kBroad, Deal::kGrains, OneIfLevelHasPairs>,
                Stage<CompactLevel, StepPhase::kBroad, Deal::kGrains, EachPairOfLevelBefore>>;
  using Stages = JoinedStages<StagesBeforeRounds, Level, Level, StagesAfterRounds>;
};
static_assert(TraversalMethod<CompactionTraversal>);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_COMPACTION_TRAVERSAL_H_
