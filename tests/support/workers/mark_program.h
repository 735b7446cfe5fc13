// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A program whose jobs may share an event. It checks that each index of each stage is executed
// once, after the stage before and after the job was fetched, and that each job is finished once,
// after its last stage.
//
// How many indices a stage has is known only when the stage before is done, as in most programs.
#ifndef WARPYARD_TESTS_SUPPORT_WORKERS_MARK_PROGRAM_H_
#define WARPYARD_TESTS_SUPPORT_WORKERS_MARK_PROGRAM_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/macros.h"
#include "core/procedure/any_job.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"

namespace warpyard::test_support {

inline constexpr std::uint32_t kMarkStages = 3;

struct MarkJob {
  /// Words before the marks.
  enum Place : std::uint32_t {
    kFaults,                       ///< that groups found
    kFinished,                     ///< how often the job was finished
    kFetched,                      ///< byte p: how often part p was fetched
    kKnown,                        ///< @shape [kMarkStages]: counts, once they are known
    kDone = kKnown + kMarkStages,  ///< @shape [kMarkStages]: indices that were executed
    kHeader = kDone + kMarkStages
  };
  static constexpr std::uint32_t kAllFetched = 0x01010101;

  std::uint32_t counts[kMarkStages];
  std::uint32_t grain;
  std::uint32_t skips_last;  ///< not 0: batches pass over the last stage
  std::uint32_t is_real;     ///< 0: stands in the memory of a batch until the job is fetched
  std::uint32_t* words;      ///< @shape [Words()], memory that all workers reach; see ClearMarks
  std::uint32_t* holds;      ///< stage 0 waits until it is 0; or null

  WY_HD std::size_t Words() const {
    return std::size_t{kHeader} + counts[0] + counts[1] + counts[2];
  }
  /// How often an index was executed.
  WY_HD std::uint32_t& Mark(std::uint32_t stage, std::uint32_t index) const {
    std::size_t first = kHeader;
    for (std::uint32_t s = 0; s < stage; ++s) first += counts[s];
    return words[first + index];
  }
  /// Indices of a stage: none if a stage before has none.
  WY_HD std::uint32_t CountOf(std::uint32_t stage) const {
    for (std::uint32_t s = 0; s < stage; ++s) {
      if (counts[s] == 0) return 0;
    }
    return counts[stage];
  }

  template <class Scope>
  WY_HD void Check(bool right) const {
    if (!right) Scope::Word(words[kFaults]).FetchAddRelaxed(1u);
  }
  template <class Scope>
  WY_HD bool IsDone(std::uint32_t stage) const {
    return Scope::Word(words[kDone + stage]).LoadRelaxed() == CountOf(stage);
  }
};

/// Prepares the words of a job. @shape words: [job.Words()]
inline void ClearMarks(const MarkJob& job, std::uint32_t* words) {
  std::fill_n(words, job.Words(), 0);
  words[MarkJob::kKnown] = job.counts[0];
}

template <std::uint32_t kStage>
struct Mark {
  using Item = procedure::Range;
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::size_t kSharedBytes = 0;
  static constexpr bool kUneven = true;
  static constexpr const char* kName = "Mark";

  template <class Scope>
  WY_HD static void Execute(procedure::Context<Scope, MarkJob>& context,
                            const procedure::Range& range) {
    const MarkJob& job = context.job;
    const bool may = context.scope.Rank() == 0 && CheckBefore<Scope>(job, range);
    if (context.scope.Broadcast(may ? 1u : 0u) == 0) return;
    for (std::uint32_t i = range.begin + context.scope.Rank(); i < range.end;
         i += context.scope.Size()) {
      if constexpr (kStage != 0) {  // a plain read, which needs the order of the stages
        job.template Check<Scope>(job.Mark(kStage - 1, i % job.counts[kStage - 1]) == 1);
      }
      Scope::Word(job.Mark(kStage, i)).FetchAddRelaxed(1u);
      if constexpr (kStage + 1 < kMarkStages) {
        if (i == 0) {
          Scope::Word(job.words[MarkJob::kKnown + kStage + 1]).StoreRelaxed(job.counts[kStage + 1]);
        }
      }
      Scope::Word(job.words[MarkJob::kDone + kStage]).FetchAddRelaxed(1u);
    }
  }

 private:
  /// Returns whether the range may be executed. @scope one thread
  template <class Scope>
  WY_HD static bool CheckBefore(const MarkJob& job, const procedure::Range& range) {
    const std::uint32_t fetched = Scope::Word(job.words[MarkJob::kFetched]).LoadRelaxed();
    bool is_right = job.is_real != 0 && (fetched == 0 || fetched == MarkJob::kAllFetched);
    is_right &= range.begin < range.end && range.end <= job.CountOf(kStage);
    is_right &= Scope::Word(job.words[MarkJob::kFinished]).LoadRelaxed() == 0;
    if constexpr (kStage != 0) {
      is_right &= job.template IsDone<Scope>(kStage - 1);
    } else if (job.holds != nullptr) {
      while (Scope::Word(*job.holds).LoadAcquire() != 0) Scope::Pause(0);
    }
    job.template Check<Scope>(is_right);
    return is_right;
  }
};

struct MarkProgram {
  using Job = MarkJob;
  using Procedures = procedure::ProcedureList<Mark<0>, Mark<1>, Mark<2>>;
  using Batched = Procedures;
  static constexpr std::uint32_t kMaxStages = kMarkStages;

  WY_HD static std::uint32_t StageCount(const Job&) { return kMarkStages; }
  template <class Scope>
  WY_HD static procedure::StagePlan Plan(const Job& job, std::uint32_t stage) {
    job.template Check<Scope>(job.is_real != 0);
    const auto known = Scope::Word(job.words[MarkJob::kKnown + stage]);
    return {ProcedureId(stage), known.LoadRelaxed(), job.grain};
  }

  static std::uint64_t BatchKey(const Job& job) { return job.grain << 1 | job.skips_last; }
  static bool PassesOver(const Job& job, std::uint32_t stage) {
    return job.skips_last != 0 && stage + 1 == kMarkStages;
  }
  template <class Scope>
  WY_HD static void Fetch(Scope& scope, const Job& source, Job&, std::uint32_t part,
                          std::uint32_t) {
    if (scope.Rank() != 0) return;
    Scope::Word(source.words[MarkJob::kFetched]).FetchAddRelaxed(1u << 8 * part);
  }
  /// A job alone that is cancelled is finished, too; one of a batch is not.
  template <class Scope>
  WY_HD static void Finish(const Job& job) {
    if (Scope::Word(job.words[MarkJob::kFetched]).LoadRelaxed() != 0) {
      const std::uint32_t stages = kMarkStages - job.skips_last;
      for (std::uint32_t stage = 0; stage < stages; ++stage) {
        job.template Check<Scope>(job.template IsDone<Scope>(stage));
      }
    }
    Scope::Word(job.words[MarkJob::kFinished]).FetchAddRelaxed(1u);
  }
};

enum class MarkEnd {
  kAlone,
  kInBatch,
  kCancelled,  ///< within a batch
};

/// What is wrong after the event of a job; empty when nothing is.
/// @shape words: [job.Words()], memory of the host
inline std::string FindMarkFault(const MarkJob& job, const std::uint32_t* words, MarkEnd end) {
  MarkJob own = job;
  own.words = const_cast<std::uint32_t*>(words);
  const std::uint32_t faults = words[MarkJob::kFaults], finished = words[MarkJob::kFinished];
  if (faults != 0) return "workers found " + std::to_string(faults) + " faults";
  const bool cancelled = end == MarkEnd::kCancelled;
  if (finished > 1 || (finished == 0 && !cancelled)) {
    return "finished " + std::to_string(finished) + " times";
  }
  if (end == MarkEnd::kInBatch && words[MarkJob::kFetched] != MarkJob::kAllFetched) {
    return "not fetched once";
  }
  for (std::uint32_t stage = 0; stage < kMarkStages; ++stage) {
    const bool skips = end != MarkEnd::kAlone && MarkProgram::PassesOver(job, stage);
    const std::uint32_t wanted = skips || own.CountOf(stage) == 0 ? 0 : 1;
    for (std::uint32_t i = 0; i < job.counts[stage]; ++i) {
      const std::uint32_t found = own.Mark(stage, i);
      if (found == wanted || (found == 0 && cancelled && finished == 0)) continue;
      return "index " + std::to_string(i) + " of stage " + std::to_string(stage) + " executed " +
             std::to_string(found) + " times, not " + std::to_string(wanted);
    }
  }
  return "";
}

/// A job and its words in the memory of the host.
class HostMarks {
 public:
  HostMarks(const std::array<std::uint32_t, kMarkStages>& counts, std::uint32_t grain,
            bool skips_last = false) {
    std::ranges::copy(counts, job.counts);
    job.grain = grain;
    job.skips_last = skips_last ? 1 : 0;
    job.is_real = 1;
    words_.resize(job.Words());
    job.words = words_.data();
    ClearMarks(job, job.words);
  }
  HostMarks(const HostMarks&) = delete;
  HostMarks& operator=(const HostMarks&) = delete;

  std::string FindFault(MarkEnd end) const { return FindMarkFault(job, job.words, end); }

  MarkJob job{};

 private:
  std::vector<std::uint32_t> words_;
};

/// An event of several jobs whose memory is on the host. @shape Program: a model::CombinedProgram
template <class Program>
class HostBatch {
 public:
  using Jobs = std::vector<std::unique_ptr<HostMarks>>;

  /// @shape hosts: at least one; their jobs may share an event
  explicit HostBatch(Jobs hosts)
      : hosts_(std::move(hosts)), sources_(hosts_.size()), room_(hosts_.size(), none_.job) {
    std::vector<procedure::AnyJob> jobs;
    for (const auto& host : hosts_) jobs.push_back(procedure::AnyJob::Of(host->job));
    static_assert(Program::kBatchedBytes == sizeof(MarkJob));
    Program::WrapBatch(jobs, reinterpret_cast<std::byte*>(sources_.data()),
                       reinterpret_cast<std::byte*>(room_.data()), job);
  }
  HostBatch(const HostBatch&) = delete;
  HostBatch& operator=(const HostBatch&) = delete;

  /// Empty when nothing is wrong after the event.
  std::string FindFault(bool cancelled) const {
    if (none_.job.words[MarkJob::kFaults] != 0) return "a job was used before it was fetched";
    for (std::size_t i = 0; i < hosts_.size(); ++i) {
      const std::string fault =
          hosts_[i]->FindFault(cancelled ? MarkEnd::kCancelled : MarkEnd::kInBatch);
      if (!fault.empty()) return "job " + std::to_string(i) + ": " + fault;
    }
    return "";
  }
  bool HasFetched() const {
    return std::ranges::any_of(room_, [](const MarkJob& job) { return job.is_real != 0; });
  }

  typename Program::Job job;

 private:
  /// What is in the memory of a batch before its first stage.
  struct NoJob : HostMarks {
    NoJob() : HostMarks({0, 0, 0}, 1) { job.is_real = 0; }
  };

  const Jobs hosts_;
  const NoJob none_;
  std::vector<MarkJob> sources_, room_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_WORKERS_MARK_PROGRAM_H_
