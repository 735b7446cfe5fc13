// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Traversal by a work queue: each pair of nodes is an element of the scheduler's queues. A
// baseline.
//
// In [Lauterbach §3.2] every core takes from one queue in global memory and adds to it. Deviates
// from it: the scheduler owns the queues, keeps some elements in the block and gives others to
// other blocks. Where too many elements wait, a thread traverses all pairs below its own pair
// depth-first, so that no queue overflows.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_WORK_QUEUE_TRAVERSAL_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_WORK_QUEUE_TRAVERSAL_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/job/traversal_method.h"
#include "core/workload/ccd/methods/traversals/bvtt.h"
#include "core/workload/ccd/methods/traversals/round_stages.h"

namespace warpyard::ccd {

/// A pair of nodes: lists it, or spawns the pairs below it.
struct ExpandQueued {
  using Item = NodePair;
  static constexpr std::uint32_t kThreads = 1;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "ExpandQueued";
  static constexpr std::uint32_t kMaxSpawns = kMostChildPairs;
  static constexpr bool kSpawned = true;

  template <class Scope>
  WY_HD static void Execute(procedure::Context<Scope, CollisionJob>& context, const Item& pair) {
    const CollisionJob& job = context.job;
    const Expansion found = ExpandPair(job.scene, job.step.work, pair);
    List<Scope>(job.step, found);
    auto queued = Scope::Word(job.step.counters->traversal.queued);
    if (found.count == 0) {
      queued.FetchAddRelaxed(kVisit - 1);
      return;
    }
    const std::uint64_t more = found.count - 1;
    const auto before = static_cast<std::uint32_t>(queued.FetchAddRelaxed(kVisit + more));
    if (before + more <= job.step.work.queue_limit) {
      for (std::uint32_t i = 0; i < found.count; ++i) {
        context.Spawn(context.OwnProcedure(), found.children[i]);
      }
      return;
    }
    const std::uint64_t visited = DepthFirst(context, found);
    queued.FetchAddRelaxed(kVisit * visited - found.count);
  }

 private:
  static constexpr std::uint64_t kVisit = std::uint64_t{1} << 32;
  /// A walk may go through most of the tree, so it must ask whether the event is to end.
  static constexpr std::uint64_t kVisitsBetweenLooks = 64;

  template <class Scope>
  WY_HD static void List(const StepView& step, const Expansion& found) {
    if (!found.meets) return;
    const std::uint64_t place = Scope::Word(*step.lists.meetings.count).FetchAddRelaxed(1);
    if (place < step.lists.meetings.capacity)
      step.lists.meetings.items[place] = {found.leaves.a, found.leaves.b};
  }

  /// Traverses all pairs below a pair, unless the event is to end; returns how many it has visited.
  template <class Scope>
  WY_HD static std::uint64_t DepthFirst(procedure::Context<Scope, CollisionJob>& context,
                                        const Expansion& from) {
    const CollisionJob& job = context.job;
    NodePair stack[kDepthRoom];
    std::uint32_t depth = 0;
    std::uint64_t visited = 0;
    for (std::uint32_t i = 0; i < from.count; ++i) stack[depth++] = from.children[i];
    while (depth != 0) {
      const Expansion found = ExpandPair(job.scene, job.step.work, stack[--depth]);
      ++visited;
      if (visited % kVisitsBetweenLooks == 0 && context.Cancelled()) break;
      List<Scope>(job.step, found);
      for (std::uint32_t i = 0; i < found.count; ++i) stack[depth++] = found.children[i];
    }
    return visited;
  }
};

/// Stage over one index: spawns the pair of the root with itself.
struct SeedQueue {
  using Item = procedure::Range;
  static constexpr std::uint32_t kThreads = 1;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "SeedQueue";
  static constexpr std::uint32_t kMaxSpawns = 1;
  static constexpr std::uint32_t kGrain = 1;

  template <class Scope>
  WY_HD static void Execute(procedure::Context<Scope, CollisionJob>& context, const Item&) {
    Scope::Word(context.job.step.counters->traversal.queued).FetchAddRelaxed(1);
    context.Spawn(context.OwnProcedure() + 1, RootPair());  // ExpandQueued comes next in the list
  }
};

struct WorkQueueTraversal {
  static constexpr Traversal kTraversal = Traversal::kWorkQueue;
  static constexpr TraversalTraits kTraits{.oriented = true};
  using Stages = JoinedStages<OrientedStagesBeforeRounds,
                              StageList<Stage<SeedQueue, StepPhase::kBroad, Deal::kGrains,
                                              OneOfSeveralTriangles, ExpandQueued>>,
                              StagesAfterRounds>;
};
static_assert(TraversalMethod<WorkQueueTraversal>);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_WORK_QUEUE_TRAVERSAL_H_
