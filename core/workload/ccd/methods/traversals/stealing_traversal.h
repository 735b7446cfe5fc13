// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Simultaneous traversal with lazy work stealing, and front tracking on top of it. [SilvaThesis
// §3.3, Alg. 3.7-3.13, §2.3.3]
//
// Each worker is a block with a stack of pairs of nodes in shared memory. When it has many pairs,
// it moves some to its own deque in global memory. It takes work from the first of these places
// that has any: its stack; its deque; the pairs from which the traversal starts; the ranges that it
// has stolen and not yet read; the deques of all other workers, one batch of each at once. With
// front tracking the traversal starts where the traversal of the last step ended.
// Deviates from [SilvaThesis Alg. 3.7-3.13]: see steal_deque.h. A worker whose stack is nearly full
// and whose deque is full continues depth-first and does not end the traversal (Alg. 3.7 l. 21).
// Stolen ranges are read in the order in which they were stolen. The front goes to one list, a
// buffer at a time. A worker leaves when no worker has work, or when it has searched for work
// without success for a while. Work is always either with a worker that runs, or in the list of
// pairs from which the traversal starts. So no work is lost, in whatever order workers run and even
// if they do not all run at the same time.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_STEALING_TRAVERSAL_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_STEALING_TRAVERSAL_H_

#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/job/traversal_method.h"
#include "core/workload/ccd/methods/traversals/bvtt.h"
#include "core/workload/ccd/methods/traversals/pair_worker.h"
#include "core/workload/ccd/methods/traversals/round_stages.h"
#include "core/workload/ccd/methods/traversals/steal_deque.h"

namespace warpyard::ccd {

/// Largest number of pairs in the shared memory of a worker, and largest number of workers.
inline constexpr std::uint32_t kMostSharedPairs = 1792;
inline constexpr std::uint32_t kMostStealers = 512;

/// Stage over workers.
struct StealPairs {
  struct Stolen {
    std::uint32_t victim;
    TakenRange range;
  };
  struct Scratch {
    PairWorkerScratch worker;
    std::uint32_t stolen_count;
    Stolen stolen[kMostStealers];
    NodePair stack[kMostSharedPairs];
  };

  using Item = procedure::Range;
  static constexpr std::size_t kSharedBytes = sizeof(Scratch);
  static constexpr const char* kName = "StealPairs";
  static constexpr std::uint32_t kGrain = 1;

  template <class Scope>
  WY_HD static void Execute(procedure::Context<Scope, CollisionJob>& context,
                            const procedure::Range& range) {
    Worker<Scope>(context, range.begin).Run();
  }

 private:
  static constexpr std::uint64_t kPatienceNs = 2'000'000;

  /// @scope all members: the block
  template <class Scope>
  class Worker {
   public:
    WY_HD Worker(procedure::Context<Scope, CollisionJob>& context, std::uint32_t self)
        : context_(context),
          scope_(context.scope),
          work_(context.job.step.work),
          counters_(context.job.step.counters->traversal),
          scratch_(context.template Shared<Scratch>()),
          pairs_(context, scratch_.worker, scratch_.stack, work_.shared_pairs),
          self_(self),
          batch_(Least(work_.batch != 0 ? work_.batch : DefaultBatch())),
          spill_from_(Least(work_.spill_from != 0 ? work_.spill_from : 4 * DefaultBatch())) {}

    WY_HD void Run() {
      if (scope_.Rank() == 0) {
        scratch_.stolen_count = 0;
        Scope::Word(counters_.active).FetchAddRelaxed(1);
      }
      pairs_.Start(0);
      while (!context_.Cancelled() && FindWork()) {
        pairs_.Round();
        if (pairs_.Count() >= spill_from_) Spill();
      }
      pairs_.Finish();
      if (steals_ != 0) Scope::Word(counters_.steals).FetchAddRelaxed(steals_);
    }

   private:
    /// One pair for each thread. With few threads it is several pairs, because otherwise they would
    /// access the deque for each pair.
    WY_HD std::uint32_t DefaultBatch() const { return scope_.Size() < 4 ? 4 : scope_.Size(); }
    /// This many pairs, but no more than leave the stack room for a descent.
    WY_HD std::uint32_t Least(std::uint32_t pairs) const {
      const std::uint32_t most = work_.shared_pairs - kDepthRoom;
      return pairs < most ? pairs : most;
    }

    /// Fills the stack. Returns false if there is no more work for this worker.
    WY_HD bool FindWork() {
      if (pairs_.Count() != 0) return true;
      if (TakeOwn() || TakeStart() || TakeStolen()) return true;
      if (scope_.Rank() == 0) Scope::Word(counters_.active).FetchSubRelaxed(1);
      return AwaitWork();
    }

    WY_HD bool TakeOwn() {
      TakenRange range{};
      if (scope_.Rank() == 0) range = DequeOf(self_).PopBottom(batch_);
      range = scope_.Broadcast(range);
      return Fill(PairsOf(self_), range);
    }

    WY_HD bool TakeStart() {
      std::uint32_t first = work_.start_count;
      // Stops at the end, because beyond it the cursor could wrap around.
      if (scope_.Rank() == 0 && HasStart()) {
        first = Scope::Word(counters_.cursor).FetchAddRelaxed(batch_);
      }
      first = scope_.Broadcast(first);
      if (first >= work_.start_count) return false;
      const std::uint32_t left = work_.start_count - first;
      return Fill(work_.start, {first, left < batch_ ? left : batch_});
    }

    /// Reads one of the stolen ranges.
    WY_HD bool TakeStolen() {
      const std::uint32_t count = scratch_.stolen_count;
      if (count == 0) return false;
      const Stolen stolen = scratch_.stolen[count - 1];
      Fill(PairsOf(stolen.victim), stolen.range);
      if (scope_.Rank() == 0) {
        scratch_.stolen_count = count - 1;
        DequeOf(stolen.victim).CountCopied(stolen.range.count);
      }
      scope_.Barrier();
      return true;
    }

    /// Copies pairs to the empty stack. Returns false if there are none.
    WY_HD bool Fill(const NodePair* from, const TakenRange& range) {
      if (range.count == 0) return false;
      for (std::uint32_t i = scope_.Rank(); i < range.count; i += scope_.Size()) {
        scratch_.stack[i] = from[range.first + i];
      }
      if (scope_.Rank() == 0) scratch_.worker.count = range.count;
      scope_.Barrier();
      return true;
    }

    /// Steals until it has work. Returns false if no worker has work, or none gives any.
    WY_HD bool AwaitWork() {
      const std::uint64_t begin = Scope::NowNs();
      for (std::uint32_t round = 0;; ++round) {
        Steal();
        if (scratch_.stolen_count != 0) {
          if (scope_.Rank() == 0) Scope::Word(counters_.active).FetchAddRelaxed(1);
          return TakeStolen();
        }
        bool leave = false;
        if (scope_.Rank() == 0) {
          leave = Scope::Word(counters_.active).LoadRelaxed() == 0 ||
                  Scope::NowNs() - begin > kPatienceNs;
        }
        if (scope_.Any(leave) || context_.Cancelled()) return false;
        Scope::Pause(round);
      }
    }

    /// Steals a batch from every deque that can spare one; the threads divide the deques among
    /// themselves.
    WY_HD void Steal() {
      scope_.Barrier();
      for (std::uint32_t i = 1 + scope_.Rank(); i < work_.workers; i += scope_.Size()) {
        const std::uint32_t victim = (self_ + i) % work_.workers;
        const TakenRange range = DequeOf(victim).PopTop(batch_);
        if (range.count == 0) continue;
        const std::uint32_t place = Scope::BlockWord(scratch_.stolen_count).FetchAddRelaxed(1);
        scratch_.stolen[place] = {victim, range};
        ++steals_;
      }
      scope_.Barrier();
    }

    /// Moves the oldest pairs from the stack to the own deque, if there is room: a multiple of the
    /// number of threads.
    WY_HD void Spill() {
      const std::uint32_t count = pairs_.Count(), moved = count - count % scope_.Size();
      std::uint32_t place = work_.capacity;
      if (scope_.Rank() == 0) place = DequeOf(self_).PlaceFor(moved);
      place = scope_.Broadcast(place);
      if (place == work_.capacity) return;
      NodePair* const to = PairsOf(self_) + place;
      for (std::uint32_t i = scope_.Rank(); i < moved; i += scope_.Size()) {
        to[i] = scratch_.stack[i];
      }
      const std::uint32_t i = moved + scope_.Rank();
      NodePair rest{};
      if (i < count) rest = scratch_.stack[i];
      scope_.Barrier();
      if (i < count) scratch_.stack[scope_.Rank()] = rest;
      if (scope_.Rank() == 0) {
        DequeOf(self_).Publish(moved);
        scratch_.worker.count = count - moved;
      }
      scope_.Barrier();
    }

    WY_HD bool HasStart() const {
      return Scope::Word(counters_.cursor).LoadRelaxed() < work_.start_count;
    }
    WY_HD StealDeque<Scope> DequeOf(std::uint32_t worker) const {
      return {work_.deques[worker], work_.capacity};
    }
    WY_HD NodePair* PairsOf(std::uint32_t worker) const {
      return work_.pairs + std::size_t{worker} * work_.capacity;
    }

    procedure::Context<Scope, CollisionJob>& context_;
    Scope& scope_;
    const TraversalView& work_;
    TraversalCounters& counters_;
    Scratch& scratch_;
    PairWorker<Scope> pairs_;
    const std::uint32_t self_;
    const std::uint32_t batch_;
    const std::uint32_t spill_from_;
    std::uint64_t steals_ = 0;  // of this thread
  };
};

/// Indices of StealPairs.
struct EachStealer {
  template <class Scope>
  WY_HD static std::uint32_t Count(const CollisionJob& job) {
    return job.scene.mesh.triangles < 2 ? 0 : job.step.work.workers;
  }
};

/// @shape kOf: kStealing or kFront; the host decides from which pairs it starts
template <Traversal kOf>
struct StealingTraversalOf {
  static constexpr Traversal kTraversal = kOf;
  static constexpr TraversalTraits kTraits{
      .oriented = true, .deques = true, .front = kOf == Traversal::kFront};
  using Stages =
      JoinedStages<OrientedStagesBeforeRounds,
                   StageList<Stage<StealPairs, StepPhase::kBroad, Deal::kGrains, EachStealer>>,
                   StagesAfterRounds>;
};
using StealingTraversal = StealingTraversalOf<Traversal::kStealing>;
using FrontTraversal = StealingTraversalOf<Traversal::kFront>;
static_assert(TraversalMethod<StealingTraversal> && TraversalMethod<FrontTraversal>);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_STEALING_TRAVERSAL_H_
