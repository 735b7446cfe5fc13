// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The job and the procedures of a combined program (combined_program.h).
#ifndef WARPYARD_CORE_MODEL_COMBINED_PROCEDURES_H_
#define WARPYARD_CORE_MODEL_COMBINED_PROCEDURES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/base/macros.h"
#include "core/model/batched_jobs.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"

namespace warpyard::model {

/// A job of one of the programs, or several jobs of one program that share an event.
template <class... Programs>
struct CombinedJob {
  std::uint32_t program = 0;
  std::uint32_t is_batch = 0;  ///< `bytes` are BatchedJobs
  alignas(8)
      std::byte bytes[std::max({sizeof(BatchedJobs<int>), sizeof(typename Programs::Job)...})] = {};
  static_assert((std::is_trivially_copyable_v<typename Programs::Job> && ...));

  template <class Job>
  WY_HD Job& As() {
    return *reinterpret_cast<Job*>(bytes);
  }
  template <class Job>
  WY_HD const Job& As() const {
    return *reinterpret_cast<const Job*>(bytes);
  }
};

/// A procedure of one program as one of the combined program.
template <class P, class Program, std::uint32_t kFirstProcedure>
struct CombinedProcedure : procedure::SameDeclarations<P> {
  using Own = typename Program::Job;

  template <class Scope, class Job>
  WY_HD static void Execute(procedure::Context<Scope, Job>& context, const typename P::Item& item) {
    if constexpr (IsBatched()) {
      // The code of P is there once, for a job alone and for those of a batch.
      JobShare<Own> share{&context.job.template As<Own>(), item, item.end};
      if (context.job.is_batch != 0) {
        const auto& batch = context.job.template As<BatchedJobs<Own>>();
        // Another stage comes before those of the jobs.
        share = FirstOf<Program>(context.scope, batch, *context.stage - 1, item);
        context.rest = {share.next, item.end};
        if (share.indices.begin == share.indices.end) return;
      }
      ExecuteOwn(context, *share.job, share.indices);
    } else {
      ExecuteOwn(context, context.job.template As<Own>(), item);
    }
  }

 private:
  static constexpr bool IsBatched() {
    if constexpr (BatchingProgram<Program>) {
      using Batched = typename Program::Batched;
      constexpr bool kIs = Batched::template IndexOf<P>() < Batched::kCount;
      static_assert(!kIs || (procedure::IsUneven<P>() && procedure::ThreadsOf<P>() == 32),
                    "only an uneven element of a warp may have a rest");
      return kIs;
    } else {
      return false;
    }
  }

  template <class Scope, class Job>
  WY_INLINED WY_HD static void ExecuteOwn(procedure::Context<Scope, Job>& context, Own& job,
                                          const typename P::Item& item) {
    procedure::Context<Scope, Own> own{context.scope,  job,          context.cancel,
                                       context.spawns, context.head, kFirstProcedure,
                                       context.error};
    P::Execute(own, item);
  }
};

/// FetchJobs or FinishJobs as a procedure of the combined program.
template <class P, class Program>
struct BatchProcedure : procedure::SameDeclarations<P> {
  template <class Scope, class Job>
  WY_HD static void Execute(procedure::Context<Scope, Job>& context,
                            const procedure::Range& range) {
    P::Execute(context.scope, context.job.template As<BatchedJobs<typename Program::Job>>(), range);
  }
};

namespace internal {

template <class A, class B>
struct Joined;
template <class... As, class... Bs>
struct Joined<procedure::ProcedureList<As...>, procedure::ProcedureList<Bs...>> {
  using Type = procedure::ProcedureList<As..., Bs...>;
};

/// The procedures of Program and those after it, from id kFirst on.
template <std::uint32_t kFirst, class Program, class... Others>
struct AllProcedures {
  template <class List>
  struct Wrapped;
  template <class... Ps>
  struct Wrapped<procedure::ProcedureList<Ps...>> {
    using Type = procedure::ProcedureList<CombinedProcedure<Ps, Program, kFirst>...>;
    using OfBatches = procedure::ProcedureList<CombinedProcedure<Ps, Program, kFirst>...,
                                               BatchProcedure<FetchJobs<Program>, Program>,
                                               BatchProcedure<FinishJobs<Program>, Program>>;
  };
  using Lists = Wrapped<typename Program::Procedures>;
  using Own =
      std::conditional_t<BatchingProgram<Program>, typename Lists::OfBatches, typename Lists::Type>;
  static constexpr std::uint32_t kNext = kFirst + Own::kCount;

  template <class... Rest>
  struct WithRest {
    using Type = Own;
  };
  template <class Next, class... Rest>
  struct WithRest<Next, Rest...> {
    using Type = typename Joined<Own, typename AllProcedures<kNext, Next, Rest...>::Type>::Type;
  };
  using Type = typename WithRest<Others...>::Type;
};

}  // namespace internal

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_COMBINED_PROCEDURES_H_
