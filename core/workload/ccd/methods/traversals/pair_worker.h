// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A block that expands pairs of nodes from a stack, one pair for each thread at a time.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_PAIR_WORKER_H_
#define WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_PAIR_WORKER_H_

#include <cstdint>

#include "core/base/macros.h"
#include "core/procedure/block_buffer.h"
#include "core/procedure/procedure_concept.h"
#include "core/workload/ccd/job/collision_job.h"
#include "core/workload/ccd/methods/traversals/bvtt.h"

namespace warpyard::ccd {

struct PairWorkerScratch {
  std::uint32_t count;  ///< pairs in the stack
  procedure::BlockBuffer<PairIds, 1024> meetings;
  procedure::BlockBuffer<NodePair, 1024> front;
};

/// @scope all members: the block
template <class Scope>
class PairWorker {
 public:
  using Scratch = PairWorkerScratch;
  using Context = procedure::Context<Scope, CollisionJob>;

  /// @shape stack: `capacity` pairs, more than kDepthRoom, in memory of this block alone
  WY_HD PairWorker(Context& context, Scratch& scratch, NodePair* stack, std::uint32_t capacity)
      : context_(context), scratch_(scratch), stack_(stack), capacity_(capacity) {}

  /// Starts with `count` pairs in the stack.
  WY_HD void Start(std::uint32_t count) {
    context_.scope.Barrier();
    if (context_.scope.Rank() == 0) {
      scratch_.count = count;
      scratch_.meetings.count = scratch_.front.count = 0;
    }
    context_.scope.Barrier();
  }

  WY_HD std::uint32_t Count() const { return scratch_.count; }

  /// Whether another stack of the same size would have room to continue with the pairs.
  WY_HD bool MayStop() const { return scratch_.count <= capacity_ - kDepthRoom; }

  /// Expands the newest pairs, one for each thread, or fewer if the stack is nearly full, so that
  /// it never overflows. @shape Count() is not 0
  WY_HD void Round() {
    Scope& scope = context_.scope;
    const StepView& step = context_.job.step;
    const bool keeps_front = step.work.front.items != nullptr;
    const std::uint32_t threads = scope.Size();
    if (!scratch_.meetings.HasRoom(scope, threads)) {
      scratch_.meetings.FlushTo(scope, step.lists.meetings);
    }
    if (!scratch_.front.HasRoom(scope, threads)) scratch_.front.FlushTo(scope, step.work.front);
    const std::uint32_t count = scratch_.count, taken = Taken(count);
    const bool mine = scope.Rank() < taken;
    NodePair pair{};
    if (mine) pair = stack_[count - taken + scope.Rank()];
    scope.Barrier();
    if (scope.Rank() == 0) {
      scratch_.count = count - taken;
      visited_ += taken;
    }
    scope.Barrier();
    if (mine) {
      const Expansion found = ExpandPair(context_.job.scene, step.work, pair);
      for (std::uint32_t i = 0; i < found.count; ++i) {
        stack_[Scope::BlockWord(scratch_.count).FetchAddRelaxed(1)] = found.children[i];
      }
      if (found.meets) {
        scratch_.meetings.template Push<Scope>({found.leaves.a, found.leaves.b});
      }
      if (found.ends && keeps_front) scratch_.front.template Push<Scope>(pair);
    }
    scope.Barrier();
  }

  /// Writes the pairs in the buffers to their lists, and adds to the counters.
  WY_HD void Finish() {
    const StepView& step = context_.job.step;
    scratch_.meetings.FlushTo(context_.scope, step.lists.meetings);
    scratch_.front.FlushTo(context_.scope, step.work.front);
    if (visited_ != 0) Scope::Word(step.counters->traversal.visited).FetchAddRelaxed(visited_);
  }

 private:
  /// Number of pairs that a round takes. Each pair is replaced by at most three. The last
  /// kDepthRoom places are for the descent of a single pair.
  WY_HD std::uint32_t Taken(std::uint32_t count) const {
    const std::uint32_t threads = context_.scope.Size();
    const std::uint32_t most = count < threads ? count : threads;
    const std::uint32_t room = capacity_ - count;
    const std::uint32_t fit = room > kDepthRoom + 2 ? (room - kDepthRoom) / 2 : 1;
    return most < fit ? most : fit;
  }

  Context& context_;
  Scratch& scratch_;
  NodePair* const stack_;
  const std::uint32_t capacity_;
  std::uint64_t visited_ = 0;  // counted by thread 0
};

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_METHODS_TRAVERSALS_PAIR_WORKER_H_
