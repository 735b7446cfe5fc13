// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Several jobs of one program in one event: dynamic batching. (docs/adr/0050)
//
// A stage of such an event is that stage of all of its jobs, side by side. What each job has to do
// there is known only when the stage begins, and to add it up for all jobs would take one thread as
// long as a small stage. So nothing is added up: each job has kShares shares of every stage, which
// divide what it has to do evenly. A worker that executes shares asks the job's own plan which
// indices are in them. There may be none.
// Before these stages comes one that fetches the jobs, and after them one that finishes them.
#ifndef WARPYARD_CORE_MODEL_BATCHED_JOBS_H_
#define WARPYARD_CORE_MODEL_BATCHED_JOBS_H_

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "core/base/macros.h"
#include "core/exec/bits.h"
#include "core/procedure/procedure_concept.h"

namespace warpyard::model {

/// A program whose jobs may be batched. Its elements neither fail nor spawn, and Plan gives the
/// procedure of a stage even if the stage has no indices. While elements of a stage run, its plan
/// stays the same.
///   Batched           ProcedureList of the procedures of a batched job. Each is uneven, has 32
///                     threads, and takes a Range as its item
///   BatchKey(job)     jobs with the same key may share an event: their stages have the same
///                     procedures, and they are about equally large; 0: the job shares with none
///   PassesOver(job, stage)  whether batches of jobs like this one do without the stage
/// and perhaps:
///   Fetch(scope, source, job, part, parts)  a group prepares a part of a job for its stages.
///                     `source` is the job in the host's memory; FetchJobs copies it to `job`
template <class Program>
concept BatchingProgram = requires(const typename Program::Job& job, std::uint32_t stage) {
  {Program::Batched::kCount + 0u};
  { Program::BatchKey(job) } -> std::same_as<std::uint64_t>;
  { Program::PassesOver(job, stage) } -> std::same_as<bool>;
};

/// The jobs of an event.
template <class Job>
struct BatchedJobs {
  static constexpr std::uint32_t kShareBits = 8;
  static constexpr std::uint32_t kShares = 1u << kShareBits;  ///< of each job, in every stage
  static constexpr std::uint32_t kMostStages = 64;

  std::uint32_t count;
  std::uint32_t stages;       ///< of each job
  std::uint64_t passed_over;  ///< bit s: stage s of each job
  const Job* sources;         ///< @shape [count]: memory of the host that the device reaches
  Job* jobs;                  ///< @shape [count]: memory of the device, filled by the first stage

  /// Stages of the event: those of the jobs, one before them, and one after them.
  WY_HD std::uint32_t StageCount() const { return stages + 2; }
  WY_HD bool PassesOver(std::uint32_t stage) const { return (passed_over >> stage & 1u) != 0; }
};

/// Stage over the parts of jobs: copies the jobs to the memory of the device, and calls
/// Program::Fetch, where there is one.
template <class Program>
struct FetchJobs {
  using Item = procedure::Range;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "FetchJobs";
  static constexpr std::uint32_t kParts = 4;  ///< of each job: its memory is far away

  template <class Scope, class Batch>
  WY_HD static void Execute(Scope& scope, const Batch& batch, const procedure::Range& range) {
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      const auto& source = batch.sources[i / kParts];
      auto& job = batch.jobs[i / kParts];
      const std::uint32_t part = i % kParts;
      if (part == 0) {
        Copy(scope, source, job);
        scope.Barrier();
      }
      if constexpr (requires { Program::Fetch(scope, source, job, part, kParts); }) {
        Program::Fetch(scope, source, job, part, kParts);
      }
    }
  }

 private:
  template <class Scope, class Job>
  WY_HD static void Copy(Scope& scope, const Job& from, Job& to) {
    static_assert(sizeof(Job) % sizeof(std::uint64_t) == 0);
    constexpr auto kWords = static_cast<std::uint32_t>(sizeof(Job) / sizeof(std::uint64_t));
    for (std::uint32_t i = scope.Rank(); i < kWords; i += scope.Size()) {
      reinterpret_cast<std::uint64_t*>(&to)[i] = reinterpret_cast<const std::uint64_t*>(&from)[i];
    }
  }
};

/// Stage over jobs: calls Program::Finish, where there is one. A batch that is cancelled does not
/// get here: its jobs are not finished.
template <class Program>
struct FinishJobs {
  using Item = procedure::Range;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr const char* kName = "FinishJobs";

  template <class Scope, class Batch>
  WY_HD static void Execute(Scope& scope, const Batch& batch, const procedure::Range& range) {
    if constexpr (requires { Program::template Finish<Scope>(*batch.jobs); }) {
      if (scope.Rank() != 0) return;
      for (std::uint32_t i = range.begin; i < range.end; ++i) {
        Program::template Finish<Scope>(batch.jobs[i]);
      }
    }
  }
};

/// Plans a stage of the jobs. Each job's shares are divided into as many elements as the plan of
/// the first job asks for. The results do not depend on that number.
template <class Scope, class Program>
WY_HD procedure::StagePlan PlanOfShares(const BatchedJobs<typename Program::Job>& batch,
                                        std::uint32_t stage) {
  using Batch = BatchedJobs<typename Program::Job>;
  constexpr std::uint32_t kLeast = 8;    // of a job: it may have more to do than the first one
  constexpr std::uint32_t kMost = 2048;  // of all: about one for each warp of a large device
  if (batch.PassesOver(stage)) return {};
  const procedure::StagePlan first = Program::template Plan<Scope>(batch.jobs[0], stage);
  const std::uint32_t wanted = exec::Least(first.count / first.grain, kMost / batch.count);
  std::uint32_t grain = Batch::kShares / kLeast;
  while (grain > 1 && Batch::kShares / grain < wanted) grain /= 2;
  return {first.procedure, batch.count * Batch::kShares, grain};
}

/// What a range of shares begins with.
template <class Job>
struct JobShare {
  Job* job;
  procedure::Range indices;  ///< of the job; may be empty
  std::uint32_t next;        ///< the share behind them
};

/// @shape shares: of the stage that runs; not empty @scope the group
template <class Program, class Scope>
WY_DEVICE_CALL WY_HD JobShare<typename Program::Job> FirstOf(
    Scope scope, const BatchedJobs<typename Program::Job>& batch, std::uint32_t stage,
    const procedure::Range shares) {
  using Batch = BatchedJobs<typename Program::Job>;
  const std::uint32_t number = shares.begin >> Batch::kShareBits;
  const std::uint32_t first = number << Batch::kShareBits;
  const std::uint32_t next = exec::Least(shares.end, first + Batch::kShares);
  procedure::Range indices{0, 0};
  if (scope.Rank() == 0) {
    const procedure::StagePlan plan = Program::template Plan<Scope>(batch.jobs[number], stage);
    // Shares divide the elements that the plan would have evenly: many get none where these are
    // few.
    const std::uint64_t elements = plan.count == 0 ? 0 : (plan.count - 1) / plan.grain + 1;
    const auto first_index = [&](std::uint32_t share) {
      const auto element = static_cast<std::uint32_t>(elements * share >> Batch::kShareBits);
      return exec::Least(element * plan.grain, plan.count);
    };
    indices = {first_index(shares.begin - first), first_index(next - first)};
  }
  indices = scope.Broadcast(indices);
  return {batch.jobs + number, indices, next};
}

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_BATCHED_JOBS_H_
