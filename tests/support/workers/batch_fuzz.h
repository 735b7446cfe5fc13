// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Random events of several jobs from several callers at once, beside random loads (fuzz.h), on any
// execution model. What each job must have executed follows from the job (mark_program.h).
//
// A seed decides the jobs of each event, their sizes, deadlines, priorities and tenants, and which
// events are cancelled and when.
#ifndef WARPYARD_TESTS_SUPPORT_WORKERS_BATCH_FUZZ_H_
#define WARPYARD_TESTS_SUPPORT_WORKERS_BATCH_FUZZ_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/macros.h"
#include "core/device/backend.h"
#include "core/memory/device_array.h"
#include "core/memory/host_vector.h"
#include "core/policy/policy.h"
#include "core/procedure/any_job.h"
#include "core/procedure/event_runner.h"
#include "core/workload/synthetic/synthetic_job.h"
#include "tests/support/workers/fuzz.h"
#include "tests/support/workers/mark_and_load.h"
#include "tests/support/workers/mark_program.h"

namespace warpyard::test_support {

/// The loads of a model of MarkAndLoadProgram.
template <class Model>
class FuzzLoads {
 public:
  explicit FuzzLoads(Model& model) : model_(model) {}

  absl::StatusOr<procedure::StageTimes> Run(const synthetic::SyntheticJob& job,
                                            const policy::EventAttributes& attributes,
                                            const procedure::CancelToken& token) {
    MarkAndLoadProgram::Job wrapped;
    WY_RETURN_IF_ERROR(MarkAndLoadProgram::Wrap(procedure::AnyJob::Of(job), wrapped));
    return model_.Run(wrapped, attributes, token);
  }
  absl::Status Health() const { return model_.Health(); }

 private:
  Model& model_;
};

/// Sizes of a run of the fuzz.
struct BatchFuzzLimits {
  std::uint32_t callers = 4;
  std::uint32_t events = 12;  ///< of each caller
  std::uint32_t jobs = 64;    ///< of an event
  /// Of a stage: of one job, and of all others together.
  std::uint32_t indices = 20'000;

  std::size_t Words() const {
    return std::size_t{jobs + 1} * MarkJob::kHeader + std::size_t{2} * kMarkStages * indices;
  }
};

/// The memory of a caller's events. All is allocated before events run.
struct BatchFuzzMemory {
  BatchFuzzMemory(device::Backend& backend, const BatchFuzzLimits& limits)
      : sources(limits.jobs, memory::HostAllocator<MarkJob>(backend.HostMemory())) {
    const bool has = words.Reserve(backend, limits.Words()).ok() &&
                     room.Reserve(backend, limits.jobs).ok() && backend.Reaches(sources.data());
    if (!has) std::abort();
  }

  memory::HostVector<MarkJob> sources;
  memory::DeviceArray<std::uint32_t> words;  ///< behind those of a job that is not real
  memory::DeviceArray<MarkJob> room;
};

/// An event of the fuzz: some jobs, or one that shares no event.
class FuzzBatch {
 public:
  FuzzBatch(FuzzRandom& random, const BatchFuzzLimits& limits) {
    is_alone_ = random.OnceIn(8);
    const std::uint32_t count = is_alone_ ? 1 : random.Size(limits.jobs);
    const std::uint32_t heavy = random.OnceIn(3) ? random.Below(count) : count;
    MarkJob job{};
    job.grain = random.Size(random.OnceIn(2) ? 4 : 500);
    job.skips_last = random.OnceIn(4) ? 1 : 0;
    job.is_real = 1;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t most = i == heavy ? limits.indices : limits.indices / count;
      for (std::uint32_t& indices : job.counts) indices = random.OnceIn(8) ? 0 : random.Size(most);
      jobs_.push_back(job);
    }
    attributes_ = random.Attributes();
    if (!is_alone_ && random.OnceIn(4)) cancel_us_ = random.OnceIn(4) ? 0 : random.Size(1'500);
  }

  /// What is wrong; empty when nothing is. @shape Model: of MarkAndLoadProgram
  template <class Model>
  std::string FindFault(Model& model, device::Backend& backend, BatchFuzzMemory& memory) {
    std::vector<std::uint32_t> words = PlaceJobs(memory);
    const std::size_t bytes = words.size() * sizeof(std::uint32_t);
    if (!backend.CopyIn(memory.words.data(), words.data(), bytes).ok()) return "no copy";
    MarkAndLoadProgram::Job wrapped;
    if (!Wrap(backend, memory, wrapped)) return "no job";
    const absl::Status status = RunAndCancel(model, wrapped, attributes_, cancel_us_);
    if (!backend.CopyOut(words.data(), memory.words.data(), bytes).ok()) return "no copy";
    return Judge(status, memory, words);
  }

 private:
  /// Gives the jobs their words, and returns what these begin with.
  std::vector<std::uint32_t> PlaceJobs(const BatchFuzzMemory& memory) {
    std::size_t size = MarkJob::kHeader;
    for (MarkJob& job : jobs_) {
      job.words = memory.words.data() + size;
      size += job.Words();
    }
    std::vector<std::uint32_t> words(size);
    for (const MarkJob& job : jobs_)
      ClearMarks(job, words.data() + (job.words - memory.words.data()));
    return words;
  }

  bool Wrap(device::Backend& backend, BatchFuzzMemory& memory,
            MarkAndLoadProgram::Job& wrapped) const {
    if (is_alone_) return MarkAndLoadProgram::Wrap(procedure::AnyJob::Of(jobs_[0]), wrapped).ok();
    MarkJob none{};
    none.grain = 1;
    none.words = memory.words.data();
    const std::vector<MarkJob> nones(jobs_.size(), none);
    const std::size_t bytes = nones.size() * sizeof none;
    if (!backend.CopyIn(memory.room.data(), nones.data(), bytes).ok()) return false;
    std::vector<procedure::AnyJob> any;
    for (const MarkJob& job : jobs_) any.push_back(procedure::AnyJob::Of(job));
    MarkAndLoadProgram::WrapBatch(any, reinterpret_cast<std::byte*>(memory.sources.data()),
                                  reinterpret_cast<std::byte*>(memory.room.data()), wrapped);
    return true;
  }

  std::string Judge(const absl::Status& status, const BatchFuzzMemory& memory,
                    const std::vector<std::uint32_t>& words) const {
    const bool cancelled = cancel_us_.has_value() && absl::IsCancelled(status);
    if (!cancelled && !status.ok()) return status.ToString();
    if (words[MarkJob::kFaults] != 0) return "a job was used before it was fetched";
    const MarkEnd end = cancelled   ? MarkEnd::kCancelled
                        : is_alone_ ? MarkEnd::kAlone
                                    : MarkEnd::kInBatch;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const std::uint32_t* const own = words.data() + (jobs_[i].words - memory.words.data());
      const std::string fault = FindMarkFault(jobs_[i], own, end);
      if (!fault.empty()) return "job " + std::to_string(i) + ": " + fault;
    }
    return "";
  }

  bool is_alone_;
  std::vector<MarkJob> jobs_;
  policy::EventAttributes attributes_;
  std::optional<std::uint32_t> cancel_us_;  // as of RunAndCancel
};

/// Runs the events of a seed on a model of MarkAndLoadProgram. @shape Results: as of Fuzz;
/// memories:
///     one a caller
template <class Model, class Results>
class BatchFuzz {
 public:
  BatchFuzz(Model& model, device::Backend& backend, Results& results,
            std::vector<BatchFuzzMemory>& memories, const BatchFuzzLimits& limits)
      : model_(model), backend_(backend), results_(results), memories_(memories), limits_(limits) {}

  /// The first thing that is wrong; empty when nothing is. @shape loads: those that run beside
  std::string FindFault(std::uint32_t seed, const FuzzLimits& loads) {
    std::string of_loads;
    std::thread beside([&] {
      FuzzLoads<Model> part(model_);
      of_loads = Fuzz<FuzzLoads<Model>, Results>(part, results_, loads).FindFault(seed);
    });
    const std::string of_batches = FaultOfCallers(
        limits_.callers, [this, seed](std::uint32_t caller) { return Call(seed, caller); });
    beside.join();
    if (of_batches.empty()) return of_loads;
    return "batches of seed " + std::to_string(seed) + ", " + of_batches;
  }

 private:
  std::string Call(std::uint32_t seed, std::uint32_t caller) {
    constexpr std::uint32_t kFirst = 500;  // other callers than those of the loads
    FuzzRandom random(seed, kFirst + caller);
    for (std::uint32_t i = 0; i < limits_.events; ++i) {
      const std::string fault =
          FuzzBatch(random, limits_).FindFault(model_, backend_, memories_[caller]);
      if (!fault.empty()) return ", event " + std::to_string(i) + ": " + fault;
    }
    return "";
  }

  Model& model_;
  device::Backend& backend_;
  Results& results_;
  std::vector<BatchFuzzMemory>& memories_;
  const BatchFuzzLimits limits_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_WORKERS_BATCH_FUZZ_H_
