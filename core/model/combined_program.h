// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Several programs as one: the procedures of all of them, a job of any of them.
//
// One resident kernel runs all workloads, so it needs all procedures; the workloads do not know
// each other.
#ifndef WARPYARD_CORE_MODEL_COMBINED_PROGRAM_H_
#define WARPYARD_CORE_MODEL_COMBINED_PROGRAM_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/procedure/any_job.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"

namespace warpyard::model {

/// A job of one of the programs.
template <class... Programs>
struct CombinedJob {
  std::uint32_t program = 0;
  alignas(8) std::byte bytes[std::max({sizeof(typename Programs::Job)...})] = {};
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
template <class P, class SubJob, std::uint32_t kFirstProcedure>
struct CombinedProcedure : procedure::SameDeclarations<P> {
  template <class Scope, class Job>
  WY_HD static void Execute(procedure::Context<Scope, Job>& context, const typename P::Item& item) {
    procedure::Context<Scope, SubJob> own{context.scope,  context.job.template As<SubJob>(),
                                          context.cancel, context.spawns,
                                          context.head,   kFirstProcedure,
                                          context.error};
    P::Execute(own, item);
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
    using Type = procedure::ProcedureList<CombinedProcedure<Ps, typename Program::Job, kFirst>...>;
  };
  using Own = typename Wrapped<typename Program::Procedures>::Type;
  static constexpr std::uint32_t kNext = kFirst + Program::Procedures::kCount;

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

/// @shape Programs: each with a job type of its own
template <class... Programs>
struct CombinedProgram {
  using Job = CombinedJob<Programs...>;
  using Procedures = typename internal::AllProcedures<0, Programs...>::Type;
  static constexpr std::uint32_t kMaxStages = std::max({Programs::kMaxStages...});

  template <class Program>
  static constexpr bool kIsOnly =
      ((std::is_same_v<typename Program::Job, typename Programs::Job> ? 1 : 0) + ...) == 1;
  static_assert((kIsOnly<Programs> && ...), "a job's type tells its program");

  /// A job of one of the programs as a job of this. A program may say what a job needs that it does
  /// not have: `static const char* Missing(const Job&)`.
  /// @errors UNIMPLEMENTED: no program has such jobs, or the one that has them lacks something
  static absl::Status Wrap(const procedure::AnyJob& any, Job& wrapped) {
    std::uint32_t position = 0;
    const char* missing = "the workload of this job";
    ((any.type == procedure::JobTypeOf<typename Programs::Job>()
          ? static_cast<void>(missing = Fill<Programs>(any, position, wrapped))
          : static_cast<void>(0),
      ++position),
     ...);
    if (missing == nullptr) return absl::OkStatus();
    return absl::UnimplementedError(
        absl::StrCat("the program of these workers does not have: ", missing));
  }

  WY_HD static std::uint32_t StageCount(const Job& job) {
    std::uint32_t stages = 0, position = 0;
    ((stages = position++ == job.program
                   ? Programs::StageCount(job.template As<typename Programs::Job>())
                   : stages),
     ...);
    return stages;
  }

  template <class Scope>
  WY_HD static procedure::StagePlan Plan(const Job& job, std::uint32_t stage) {
    procedure::StagePlan plan;
    std::uint32_t position = 0, first = 0;
    (PlanIfOwn<Programs, Scope>(job, stage, position++, first, plan), ...);
    return plan;
  }

  template <class Scope>
  WY_HD static void Finish(const Job& job) {
    std::uint32_t position = 0;
    (FinishIfOwn<Programs, Scope>(job, position++), ...);
  }

 private:
  /// Returns what the program lacks for the job, or null.
  template <class Program>
  static const char* Fill(const procedure::AnyJob& any, std::uint32_t position, Job& wrapped) {
    const auto& job = *static_cast<const typename Program::Job*>(any.bytes);
    if constexpr (requires { Program::Missing(job); }) {
      if (const char* const missing = Program::Missing(job)) return missing;
    }
    wrapped.program = position;
    std::memcpy(wrapped.bytes, any.bytes, sizeof job);
    return nullptr;
  }

  template <class Program, class Scope>
  WY_HD static void FinishIfOwn(const Job& job, std::uint32_t position) {
    using Own = typename Program::Job;
    if constexpr (requires(const Own& own) { Program::template Finish<Scope>(own); }) {
      if (position == job.program) Program::template Finish<Scope>(job.template As<Own>());
    }
  }

  template <class Program, class Scope>
  WY_HD static void PlanIfOwn(const Job& job, std::uint32_t stage, std::uint32_t position,
                              std::uint32_t& first, procedure::StagePlan& plan) {
    if (position == job.program) {
      plan = Program::template Plan<Scope>(job.template As<typename Program::Job>(), stage);
      plan.procedure = plan.procedure + first;
    }
    first += Program::Procedures::kCount;
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_COMBINED_PROGRAM_H_
