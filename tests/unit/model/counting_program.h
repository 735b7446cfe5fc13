// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A program that only records how it is run: which indices, how often, in which order.
#ifndef WARPYARD_TESTS_UNIT_MODEL_COUNTING_PROGRAM_H_
#define WARPYARD_TESTS_UNIT_MODEL_COUNTING_PROGRAM_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/macros.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"

namespace warpyard::test_support {

/// An event of up to three stages over `words`, memory that all workers reach.
struct CountingJob {
  static constexpr std::uint32_t kStages = 3;

  std::uint32_t stage_count[kStages];  ///< indices of each stage
  std::uint32_t grain;
  std::uint32_t most;     ///< largest of stage_count
  std::uint32_t* words;   ///< @shape [Words(most)], zero before use
  std::uint64_t spin_ns;  ///< how long each element takes at least

  static constexpr std::size_t Words(std::size_t most) { return 2 * kStages * most + kStages + 1; }

  /// Number of times that an index was executed.
  WY_HD std::uint32_t& Mark(std::uint32_t stage, std::uint32_t i) const {
    return words[std::size_t{stage} * most + i];
  }
  /// A plain word, written by the index and read by the next stage.
  WY_HD std::uint32_t& Note(std::uint32_t stage, std::uint32_t i) const {
    return words[std::size_t{kStages + stage} * most + i];
  }
  /// Number of executed indices of a stage.
  WY_HD std::uint32_t& Finished(std::uint32_t stage) const {
    return words[std::size_t{2 * kStages} * most + stage];
  }
  /// Number of indices that found the stage before them unfinished.
  WY_HD std::uint32_t& TooEarly() const { return Finished(kStages); }
};

template <std::uint32_t kStage>
struct MarkStage {
  using Item = procedure::Range;
  static constexpr std::size_t kSharedBytes = 16 * (kStage + 1);
  static constexpr const char* kName = kStage == 0   ? "MarkFirst"
                                       : kStage == 1 ? "MarkSecond"
                                                     : "MarkThird";

  template <class Scope>
  WY_HD static void Execute(procedure::Context<Scope, CountingJob>& context,
                            const procedure::Range& range) {
    const CountingJob& job = context.job;
    const std::uint64_t begin_ns = Scope::NowNs();
    std::uint32_t done = 0;
    for (std::uint32_t i = range.begin + context.scope.Rank(); i < range.end;
         i += context.scope.Size()) {
      if (!StageBeforeIsDone<Scope>(job, i)) Scope::Word(job.TooEarly()).FetchAddRelaxed(1);
      job.Note(kStage, i) = i + 1;
      Scope::Word(job.Mark(kStage, i)).FetchAddRelaxed(1);
      ++done;
    }
    if (done != 0) Scope::Word(job.Finished(kStage)).FetchAddRelaxed(done);
    while (job.spin_ns != 0 && Scope::NowNs() - begin_ns < job.spin_ns) Scope::Pause(0);
  }

 private:
  template <class Scope>
  WY_HD static bool StageBeforeIsDone(const CountingJob& job, std::uint32_t i) {
    if constexpr (kStage == 0) {
      return true;
    } else {
      const std::uint32_t count = job.stage_count[kStage - 1];
      if (count == 0) return true;
      const std::uint32_t other =
          static_cast<std::uint32_t>((i * std::uint64_t{7919} + 13) % count);
      return Scope::Word(job.Finished(kStage - 1)).LoadRelaxed() == count &&
             job.Note(kStage - 1, other) == other + 1;
    }
  }
};

/// Counting stages for warps, which claim more of a stage by themselves.
template <std::uint32_t kStage>
struct ClaimStage : MarkStage<kStage> {
  static constexpr std::uint32_t kThreads = 32;
  static constexpr bool kUneven = true;
};

template <class First, class Second, class Third>
struct CountingProgramOf {
  using Job = CountingJob;
  using Procedures = procedure::ProcedureList<First, Second, Third>;
  static constexpr std::uint32_t kMaxStages = CountingJob::kStages;

  WY_HD static std::uint32_t StageCount(const Job&) { return CountingJob::kStages; }

  template <class Scope>
  WY_HD static procedure::StagePlan Plan(const Job& job, std::uint32_t stage) {
    return {ProcedureId(stage), job.stage_count[stage], job.grain};
  }
};

using CountingProgram = CountingProgramOf<MarkStage<0>, MarkStage<1>, MarkStage<2>>;
/// Blocks go from stage to stage by themselves (stage_crossing.h).
using ClaimingProgram = CountingProgramOf<ClaimStage<0>, ClaimStage<1>, ClaimStage<2>>;
/// Blocks must leave the second stage to the scheduler.
using PartlyClaimingProgram = CountingProgramOf<ClaimStage<0>, MarkStage<1>, ClaimStage<2>>;

/// A job whose memory is on the host.
class HostCounting {
 public:
  HostCounting(std::uint32_t first, std::uint32_t second, std::uint32_t third, std::uint32_t grain)
      : job{{first, second, third}, grain, 0, nullptr, 0} {
    for (const std::uint32_t count : job.stage_count)
      job.most = count > job.most ? count : job.most;
    words_.assign(CountingJob::Words(job.most), 0);
    job.words = words_.data();
  }
  HostCounting(const HostCounting&) = delete;
  HostCounting& operator=(const HostCounting&) = delete;

  /// What is wrong after an event that was not cancelled; empty when nothing is.
  std::string FindFault() const {
    for (std::uint32_t stage = 0; stage < CountingJob::kStages; ++stage) {
      for (std::uint32_t i = 0; i < job.stage_count[stage]; ++i) {
        if (job.Mark(stage, i) == 1) continue;
        return "stage " + std::to_string(stage) + ", index " + std::to_string(i) + ": executed " +
               std::to_string(job.Mark(stage, i)) + " times";
      }
    }
    return job.TooEarly() == 0 ? "" : "a stage began before the one before it was done";
  }

  CountingJob job;

 private:
  std::vector<std::uint32_t> words_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_MODEL_COUNTING_PROGRAM_H_
