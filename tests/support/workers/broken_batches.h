// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Events of several jobs that nearly go right: each has one fault, in the program or in what
// executes its elements.
#ifndef WARPYARD_TESTS_SUPPORT_WORKERS_BROKEN_BATCHES_H_
#define WARPYARD_TESTS_SUPPORT_WORKERS_BROKEN_BATCHES_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "core/model/batched_jobs.h"
#include "core/model/cpu/thread_executor.h"
#include "core/model/worker/workspace.h"
#include "core/procedure/element.h"
#include "core/procedure/procedure_concept.h"
#include "tests/support/workers/batch_run.h"
#include "tests/support/workers/mark_program.h"

namespace warpyard::test_support {

enum class BatchFault {
  kNone,           ///< right: shows that the suite blames the fault, not the frame
  kRestForgotten,  ///< the shares of further jobs in an element are never executed
  kRestTwice,      ///< one share is executed with the job before it, and again
  kRestLate,       ///< the rest of an element is executed after the element was counted out
  kFetchesLess,    ///< the first stage leaves out a part of a job
  kPlansDropped,   ///< plans stages of jobs that were not fetched, since the event was cancelled
  kFinishesAgain   ///< the end of the event finishes the jobs, too
};

template <BatchFault kFault>
struct BrokenBatchProgram : MarkAndLoadProgram {
  using Right = MarkAndLoadProgram;
  using Marks = model::BatchedJobs<MarkJob>;

  template <class Scope>
  static procedure::StagePlan Plan(const Job& job, std::uint32_t stage) {
    procedure::StagePlan plan = Right::Plan<Scope>(job, stage);
    if (kFault == BatchFault::kFetchesLess && job.is_batch != 0 && stage == 0) --plan.count;
    return plan;
  }
  static bool CanPlanDropped(const Job& job) {
    return kFault == BatchFault::kPlansDropped || Right::CanPlanDropped(job);
  }
  template <class Scope>
  static void Finish(const Job& job) {
    Right::Finish<Scope>(job);
    if (kFault != BatchFault::kFinishesAgain || job.is_batch == 0) return;
    const auto& batch = job.template As<Marks>();
    for (std::uint32_t i = 0; i < batch.count; ++i) MarkProgram::Finish<Scope>(batch.jobs[i]);
  }
};

template <BatchFault kFault>
using BrokenBatchSpace = model::Workspace<SchedulerScope, BrokenBatchProgram<kFault>, TinyShape>;

/// What ThreadExecutor does, but for the rest of an element.
template <BatchFault kFault>
class BrokenExecutor : public model::ThreadExecutor<SchedulerScope, BrokenBatchSpace<kFault>> {
 public:
  using Space = BrokenBatchSpace<kFault>;
  using Right = model::ThreadExecutor<SchedulerScope, Space>;

  BrokenExecutor(SchedulerScope& scope, Space& space, std::uint32_t in_block)
      : Right(scope, space, in_block), scope_(scope), space_(space) {}

  template <class ClaimMore>
  void Run(const model::Round& round, const procedure::Element& mine,
           procedure::SpawnBuffer& spawns, ClaimMore& claim_more) {
    if (late_) {
      const procedure::Element late = *std::exchange(late_, std::nullopt);
      auto context = model::MakeContext(scope_, space_, spawns, late.head);
      Space::Procedures::Execute(late.Procedure(), context, late.payload);
    }
    procedure::Element element = mine;
    bool goes_on = false;
    do {
      auto context = model::MakeContext(scope_, space_, spawns, element.head);
      Space::Procedures::Execute(round.procedure, context, element.payload);
      goes_on = Space::Procedures::IsUnevenId(round.procedure) &&
                (TakeRest(context, element) || claim_more(element));
    } while (goes_on);
  }

 private:
  template <class Context>
  bool TakeRest(Context& context, procedure::Element& element) {
    if (kFault == BatchFault::kRestForgotten) return false;
    const bool has = context.rest.begin != context.rest.end;
    if (has && kFault == BatchFault::kRestTwice) --context.rest.begin;
    const bool takes = context.TakeRest(element);
    if (takes && kFault == BatchFault::kRestLate) late_ = element;
    return takes && kFault != BatchFault::kRestLate;
  }

  SchedulerScope& scope_;
  Space& space_;
  std::optional<procedure::Element> late_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_WORKERS_BROKEN_BATCHES_H_
