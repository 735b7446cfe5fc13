// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Simultaneous traversal with light-weight balancing. [SilvaThesis Alg. 3.1-3.4], [Lauterbach §3.3]
//
// A round has two stages. In the first stage each worker (a block) expands pairs of nodes of its
// own stack in global memory, until the stack is empty or nearly full, or until too many workers
// are idle. In the second stage one block redistributes all pairs, the same number to each stack.
// Deviates from [SilvaThesis Alg. 3.2-3.4]: shares are divided by the number of stacks, where the
// listing divides by the number of threads; the idle counter starts at 0 in every round; where all
// stacks are so full that another round would not help, workers continue depth-first.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_BALANCING_TRAVERSAL_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_BALANCING_TRAVERSAL_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/job/traversal_method.h"
#include "core/workload/ccd/methods/traversals/pair_worker.h"
#include "core/workload/ccd/methods/traversals/round_stages.h"

namespace warpyard::ccd {

/// The stacks of a round. The two halves of the memory swap roles after each round.
struct RoundStacks {
  NodePair* pairs;
  std::uint32_t* counts;

  WY_HD static RoundStacks Of(const TraversalView& work, std::uint64_t round) {
    const bool even = round % 2 == 0;
    return {even ? work.pairs : work.next_pairs, work.counts + (even ? 0 : work.workers)};
  }
  WY_HD NodePair* StackOf(const TraversalView& work, std::uint32_t worker) const {
    return pairs + std::size_t{worker} * work.capacity;
  }
};

/// Stage over workers: each expands the pairs in its stack. [SilvaThesis Alg. 3.2]
struct TraverseStacks {
  using Scratch = PairWorkerScratch;
  using Item = procedure::Range;
  static constexpr std::size_t kSharedBytes = sizeof(Scratch);
  static constexpr const char* kName = "TraverseStacks";
  static constexpr std::uint32_t kGrain = 1;

  template <class Scope>
  WY_HD static void Execute(procedure::Context<Scope, CollisionJob>& context,
                            const procedure::Range& range) {
    Scope& scope = context.scope;
    const TraversalView& work = context.job.step.work;
    TraversalCounters& counters = context.job.step.counters->traversal;
    const RoundStacks stacks = RoundStacks::Of(work, counters.rounds);
    std::uint32_t& count = stacks.counts[range.begin];
    PairWorker<Scope> pairs(context, context.template Shared<Scratch>(),
                            stacks.StackOf(work, range.begin), work.capacity);
    pairs.Start(count);
    while (pairs.Count() != 0 && !context.Cancelled()) {
      pairs.Round();
      const bool full = counters.crowded == 0 && pairs.Count() >= work.capacity / 2;
      bool others_wait = false;
      if (scope.Rank() == 0) {
        others_wait = Scope::Word(counters.idle).LoadRelaxed() >= (work.workers + 1) / 2;
      }
      if (scope.Any(full || others_wait) && pairs.MayStop()) break;
    }
    pairs.Finish();
    if (scope.Rank() == 0) {
      count = pairs.Count();
      Scope::Word(counters.idle).FetchAddRelaxed(1);
    }
  }
};

/// Stage over one index: distributes the pairs to the stacks of the next round.
/// [SilvaThesis Alg. 3.4]
struct BalanceStacks {
  struct Scratch {
    std::uint32_t total;
  };
  using Item = procedure::Range;
  static constexpr std::size_t kSharedBytes = sizeof(Scratch);
  static constexpr const char* kName = "BalanceStacks";
  static constexpr std::uint32_t kGrain = 1;

  template <class Scope>
  WY_HD static void Execute(procedure::Context<Scope, CollisionJob>& context, const Item&) {
    Scope& scope = context.scope;
    const TraversalView& work = context.job.step.work;
    TraversalCounters& counters = context.job.step.counters->traversal;
    const RoundStacks in = RoundStacks::Of(work, counters.rounds);
    const RoundStacks out = RoundStacks::Of(work, counters.rounds + 1);
    const std::uint32_t total = Sum(context, in.counts);
    const std::uint32_t share = (total + work.workers - 1) / work.workers;
    Deal(scope, work, in, out, share);
    scope.Barrier();
    if (scope.Rank() != 0) return;
    counters.pending = total;
    counters.crowded = share >= work.capacity / 4 ? 1 : 0;
    counters.idle = 0;
    ++counters.rounds;
  }

 private:
  template <class Scope>
  WY_HD static std::uint32_t Sum(procedure::Context<Scope, CollisionJob>& context,
                                 const std::uint32_t* counts) {
    Scratch& scratch = context.template Shared<Scratch>();
    Scope& scope = context.scope;
    if (scope.Rank() == 0) scratch.total = 0;
    scope.Barrier();
    std::uint32_t own = 0;
    for (std::uint32_t i = scope.Rank(); i < context.job.step.work.workers; i += scope.Size()) {
      own += counts[i];
    }
    Scope::BlockWord(scratch.total).FetchAddRelaxed(own);
    scope.Barrier();
    return scratch.total;
  }

  /// All threads fill one stack after the other.
  template <class Scope>
  WY_HD static void Deal(const Scope& scope, const TraversalView& work, const RoundStacks& in,
                         const RoundStacks& out, std::uint32_t share) {
    std::uint32_t from = 0, used = 0;  // stack to read, and how many of its pairs were distributed
    for (std::uint32_t to = 0; to < work.workers; ++to) {
      std::uint32_t dealt = 0;
      while (dealt < share && from < work.workers) {
        const std::uint32_t left = in.counts[from] - used, wanted = share - dealt;
        const std::uint32_t moved = left < wanted ? left : wanted;
        for (std::uint32_t i = scope.Rank(); i < moved; i += scope.Size()) {
          out.StackOf(work, to)[dealt + i] = in.StackOf(work, from)[used + i];
        }
        dealt += moved;
        used += moved;
        if (used == in.counts[from]) {
          ++from;
          used = 0;
        }
      }
      if (scope.Rank() == 0) out.counts[to] = dealt;
    }
  }
};

/// Indices of TraverseStacks, and of BalanceStacks: none when no pair waits for another round.
struct EachStack {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    const bool more = Scope::Word(job.step.counters->traversal.pending).LoadRelaxed() != 0;
    return more ? job.step.work.workers : 0;
  }
};
struct OneIfPairsWait {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    return Scope::Word(job.step.counters->traversal.pending).LoadRelaxed() != 0 ? 1 : 0;
  }
};

/// Three rounds for each event; the host starts events until no pair is left.
struct BalancingTraversal {
  static constexpr Traversal kTraversal = Traversal::kBalancing;
  static constexpr TraversalTraits kTraits{.stacks = true};
  using Round = StageList<Stage<TraverseStacks, StepPhase::kBroad, Deal::kGrains, EachStack>,
                          Stage<BalanceStacks, StepPhase::kBroad, Deal::kGrains, OneIfPairsWait>>;
  using Stages = JoinedStages<StagesBeforeRounds, Round, Round, Round, StagesAfterRounds>;
};
static_assert(TraversalMethod<BalancingTraversal>);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_BALANCING_TRAVERSAL_H_
