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
#include <span>
#include <tuple>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/model/batched_jobs.h"
#include "core/model/combined_procedures.h"
#include "core/procedure/any_job.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"
#include "core/procedure/visit_number.h"

namespace warpyard::model {

/// @shape Programs: each with a job type of its own
template <class... Programs>
struct CombinedProgram {
  using Job = CombinedJob<Programs...>;
  using Procedures = typename internal::AllProcedures<0, Programs...>::Type;
  static constexpr std::uint32_t kMaxStages =
      std::max({Programs::kMaxStages + (BatchingProgram<Programs> ? 2 : 0)...});
  /// Memory of a job in a batch.
  static constexpr std::size_t kBatchedBytes =
      std::max({(BatchingProgram<Programs> ? sizeof(typename Programs::Job) : 0)...});

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

  /// Jobs with the same type and the same key may be batched. 0: the job is always alone.
  static std::uint64_t BatchKey(const procedure::AnyJob& any) {
    std::uint64_t key = 0;
    ((any.type == procedure::JobTypeOf<typename Programs::Job>()
          ? static_cast<void>(key = KeyOf<Programs>(any))
          : static_cast<void>(0)),
     ...);
    return key;
  }

  /// Several jobs as one. @shape jobs: with the same type, and the same key, which is not 0;
  ///     sources, room: kBatchedBytes for each job, memory that host and device reach, and memory
  ///     of the device; they live until the event is over
  static void WrapBatch(std::span<const procedure::AnyJob> jobs, std::byte* sources,
                        std::byte* room, Job& wrapped) {
    std::uint32_t position = 0;
    ((jobs[0].type == procedure::JobTypeOf<typename Programs::Job>()
          ? FillBatch<Programs>(jobs, position, sources, room, wrapped)
          : static_cast<void>(0),
      ++position),
     ...);
  }

  WY_HD static std::uint32_t StageCount(const Job& job) {
    std::uint32_t stages = 0, position = 0;
    ((stages = position++ == job.program ? StagesOf<Programs>(job) : stages), ...);
    return stages;
  }

  template <class Scope>
  WY_HD static procedure::StagePlan Plan(const Job& job, std::uint32_t stage) {
    procedure::StagePlan plan;
    const auto plan_own = [&]<std::uint32_t k>() {
      using Own = std::tuple_element_t<k, std::tuple<Programs...>>;
      constexpr std::uint32_t kFirst = FirstProcedureOf(k);
      plan = PlanOf<Own, Scope>(job, stage, kFirst);
    };
    procedure::VisitNumber<0, sizeof...(Programs)>(job.program, plan_own);
    return plan;
  }

  /// The plan of a batch reads its jobs, which its first stage fetches.
  WY_HD static bool CanPlanDropped(const Job& job) { return job.is_batch == 0; }

  /// The jobs of a batch have been finished by FinishJobs, unless the batch was cancelled.
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
    wrapped.is_batch = 0;
    std::memcpy(wrapped.bytes, any.bytes, sizeof job);
    return nullptr;
  }

  template <class Program>
  static std::uint64_t KeyOf(const procedure::AnyJob& any) {
    if constexpr (BatchingProgram<Program>) {
      const auto& job = *static_cast<const typename Program::Job*>(any.bytes);
      if constexpr (requires { Program::Missing(job); }) {
        if (Program::Missing(job) != nullptr) return 0;
      }
      return Program::BatchKey(job);
    } else {
      return 0;
    }
  }

  template <class Program>
  static void FillBatch(std::span<const procedure::AnyJob> jobs, std::uint32_t position,
                        std::byte* sources, std::byte* room, Job& wrapped) {
    if constexpr (BatchingProgram<Program>) {
      using Own = typename Program::Job;
      using Batch = BatchedJobs<Own>;
      static_assert(Program::kMaxStages <= Batch::kMostStages);
      auto* const copies = reinterpret_cast<Own*>(sources);
      for (std::size_t i = 0; i < jobs.size(); ++i) {
        std::memcpy(copies + i, jobs[i].bytes, sizeof(Own));
      }
      Batch batch{static_cast<std::uint32_t>(jobs.size()), Program::StageCount(copies[0]), 0,
                  copies, reinterpret_cast<Own*>(room)};
      for (std::uint32_t stage = 0; stage < batch.stages; ++stage) {
        if (Program::PassesOver(copies[0], stage)) batch.passed_over |= std::uint64_t{1} << stage;
      }
      wrapped.program = position;
      wrapped.is_batch = 1;
      std::memcpy(wrapped.bytes, &batch, sizeof batch);
    }
  }

  template <class Program>
  WY_HD static std::uint32_t StagesOf(const Job& job) {
    using Own = typename Program::Job;
    if constexpr (BatchingProgram<Program>) {
      if (job.is_batch != 0) return job.template As<BatchedJobs<Own>>().StageCount();
    }
    return Program::StageCount(job.template As<Own>());
  }

  /// @shape first: id of the program's first procedure
  template <class Program, class Scope>
  WY_HD static procedure::StagePlan PlanOf(const Job& job, std::uint32_t stage,
                                           std::uint32_t first) {
    using Own = typename Program::Job;
    procedure::StagePlan plan;
    if constexpr (BatchingProgram<Program>) {
      if (job.is_batch != 0) {
        const auto& batch = job.template As<BatchedJobs<Own>>();
        constexpr std::uint32_t kFetch = Program::Procedures::kCount;
        if (stage == 0) {
          return {ProcedureId(first + kFetch), batch.count * FetchJobs<Program>::kParts, 1};
        }
        if (stage > batch.stages) return {ProcedureId(first + kFetch + 1), batch.count, 1};
        plan = PlanOfShares<Scope, Program>(batch, stage - 1);
        plan.procedure = plan.procedure + first;
        return plan;
      }
    }
    plan = Program::template Plan<Scope>(job.template As<Own>(), stage);
    plan.procedure = plan.procedure + first;
    return plan;
  }

  template <class Program, class Scope>
  WY_HD static void FinishIfOwn(const Job& job, std::uint32_t position) {
    using Own = typename Program::Job;
    if constexpr (requires(const Own& own) { Program::template Finish<Scope>(own); }) {
      if (position == job.program && job.is_batch == 0) {
        Program::template Finish<Scope>(job.template As<Own>());
      }
    }
  }

  /// Id of the first procedure of program k.
  static constexpr std::uint32_t FirstProcedureOf(std::uint32_t k) {
    std::uint32_t first = 0, position = 0;
    ((first +=
      position++ < k ? Programs::Procedures::kCount + (BatchingProgram<Programs> ? 2u : 0u) : 0u),
     ...);
    return first;
  }
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_COMBINED_PROGRAM_H_
