// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Execution model 'kernels with queues': the host launches a kernel for each procedure that has
// elements, again and again until none has. [Steinberger §6.2]
//
// When to use: as the baseline for the resident megakernel, and under a debugger or profiler, which
// then sees each procedure by its name and no resident kernel.
// When not: short jobs, deep recursion, or many jobs at once. Every round costs the host's look and
// launches; a round lasts as long as its slowest element; one event runs at a time, in the order of
// arrival; and levels (Context::SpawnAt) mean nothing, since a round executes all waiting elements.
// Deviates from [Steinberger §6.2]: the fill levels are not copied back. The kernel that ends a
// round writes them to memory of the host, with the next stage's plan, so the host learns both by
// looking at one place, sooner than a copy would end.
#ifndef WARPYARD_BENCHMARKS_KERNELS_WITH_QUEUES_KERNELS_WITH_QUEUES_CUH_
#define WARPYARD_BENCHMARKS_KERNELS_WITH_QUEUES_KERNELS_WITH_QUEUES_CUH_

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/kernels_with_queues/kernel_round.cuh"
#include "benchmarks/kernels_with_queues/kernels_memory.cuh"
#include "core/base/macros.h"
#include "core/device/cuda_backend.h"
#include "core/device/cuda_status.h"
#include "core/model/event/event_end.h"
#include "core/model/execution_model.h"
#include "core/model/megakernel/resident_options.h"
#include "core/procedure/procedure_list.h"

namespace warpyard::bench {

/// Thread-safe; callers of Run wait for their turn.
template <class Program>
class KernelsWithQueues final : public model::ExecutionModel<Program> {
 public:
  using Job = typename Program::Job;
  using Procedures = typename Program::Procedures;

  /// Elements of a procedure that one round may leave for the next.
  static constexpr std::uint32_t kQueueElements = 1u << 22;

  /// Of the options only the event limit matters. @shape queue_elements: less than 2^31
  /// @errors RESOURCE_EXHAUSTED, UNAVAILABLE
  static absl::StatusOr<std::unique_ptr<KernelsWithQueues>> Create(
      device::CudaBackend& backend, const model::ResidentOptions& options = {},
      std::uint32_t queue_elements = kQueueElements) {
    std::unique_ptr<KernelsWithQueues> model(
        new KernelsWithQueues(backend, options, queue_elements));
    WY_RETURN_IF_ERROR(model->memory_.Allocate(backend, queue_elements));
    WY_RETURN_IF_ERROR(Kernels::Prepare());
    return model;
  }

  std::uint32_t MaxEvents() const override { return 1; }
  bool CallsFinish() const override { return false; }

  absl::StatusOr<procedure::StageTimes> Run(const Job& job,
                                            const policy::EventAttributes& attributes,
                                            const procedure::CancelToken& token) override {
    AwaitTurn();
    const Clock::time_point begin = Clock::now();
    event_limit_ = begin + std::chrono::nanoseconds(options_.event_limit_ns);
    cancel_sent_ = false;
    const absl::StatusOr<procedure::StageTimes> result = RunEvent(job, token);
    // A late copy of the cancel must not end the next event.
    if (cancel_sent_ && Health().ok()) static_cast<void>(LoseIfError(memory_.AwaitCancel()));
    EndTurn(attributes, begin);
    return result;
  }

  /// The device counts as one worker, busy while an event runs. Procedures have no times here: use
  /// a profiler for their kernels.
  std::uint32_t Workers() const override { return 1; }

  model::ModelStatistics Statistics() const override {
    std::lock_guard lock(mutex_);
    return statistics_;
  }

  absl::Status Health() const override {
    std::lock_guard lock(mutex_);
    return lost_;
  }

  /// Just runs `work`: no kernel is resident. @errors those of `work`
  absl::Status RunQuietly(const std::function<absl::Status()>& work) override {
    WY_RETURN_IF_ERROR(Health());
    return work();
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Kernels = ProcedureKernels<Program, Procedures>;
  using Report = RoundReport<Program>;
  static constexpr std::uint32_t kCount = Procedures::kCount;
  static constexpr std::chrono::microseconds kSpin{500};
  static constexpr std::chrono::microseconds kPause{20};
  static constexpr std::chrono::milliseconds kHealthPeriod{1};

  KernelsWithQueues(device::CudaBackend& backend, const model::ResidentOptions& options,
                    std::uint32_t queue_elements)
      : backend_(backend), options_(options), queue_elements_(queue_elements) {
    statistics_.procedures.resize(kCount);
    for (std::uint32_t p = 0; p < kCount; ++p) {
      statistics_.queues.push_back({0, Procedures::IsSpawnedId(p) ? queue_elements : 0});
    }
    statistics_.tenant_ns.resize(policy::kMaxTenants);
    statistics_.workers = 1;
  }

  /// In the order of calls.
  void AwaitTurn() {
    std::unique_lock lock(mutex_);
    const std::uint64_t ticket = tickets_++;
    turn_came_.wait(lock, [&] { return serving_ == ticket; });
    statistics_.running_events = 1;
  }

  void EndTurn(const policy::EventAttributes& attributes, Clock::time_point begin) {
    const auto ns = static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count());
    {
      std::lock_guard lock(mutex_);
      ++serving_;
      statistics_.running_events = 0;
      statistics_.busy_ns += ns;
      statistics_.tenant_ns[attributes.tenant % policy::kMaxTenants] += ns;
      for (model::QueueFill& queue : statistics_.queues) queue.size = 0;
    }
    turn_came_.notify_all();
  }

  absl::StatusOr<procedure::StageTimes> RunEvent(const Job& job,
                                                 const procedure::CancelToken& token) {
    if (token.Cancelled()) return CancelledByToken();
    WY_RETURN_IF_ERROR(Health());
    WY_RETURN_IF_ERROR(LoseIfError(backend_.Use()));
    Report report{}, before{};
    buffer_ = 0;
    StartEventKernel<Program><<<1, 32, 0, memory_.stream(0)>>>(NextRound(), job);
    WY_RETURN_IF_ERROR(LoseIfError(device::ToStatus(cudaGetLastError())));
    WY_RETURN_IF_ERROR(AwaitReport(token, report));
    while (report.done == 0 && report.error == 0) {
      if (token.Cancelled()) return CancelledByToken();
      WY_RETURN_IF_ERROR(LoseIfError(LaunchRound(report)));
      std::swap(report, before);
      WY_RETURN_IF_ERROR(AwaitReport(token, report));
      Count(before, report);
      WY_RETURN_IF_ERROR(CheckRoom(report));
    }
    return model::ReadEnd<Program>(job, report.begin_ns, cancel_sent_ ? 1 : 0, report.error);
  }

  static absl::Status CancelledByToken() { return absl::CancelledError("cancelled while running"); }

  RoundArguments<Program> NextRound() {
    if (++turn_ == 0) ++turn_;  // an empty message has turn 0
    ++launches_;
    return {memory_.event(), memory_.queues(), memory_.device_message(), buffer_, turn_};
  }

  /// Elements of a procedure that the round after this report executes.
  static std::uint32_t ElementsOf(const Report& report, std::uint32_t p) {
    const procedure::StagePlan& plan = report.plan;
    if (plan.count == 0) return static_cast<std::uint32_t>(report.wanted[p]);
    return p == plan.procedure ? (plan.count - 1) / plan.grain + 1 : 0;
  }

  /// Launches a kernel for each procedure that has elements, side by side, then the round's end.
  /// Their input was written before the report came, so they need not wait for the kernel that
  /// wrote it.
  absl::Status LaunchRound(const Report& report) {
    buffer_ = 1 - buffer_;  // the buffer that the last round filled
    bool used[KernelsMemory<Program>::kStreams] = {};
    std::uint32_t next = 0;
    for (std::uint32_t p = 0; p < kCount; ++p) {
      const std::uint32_t elements = ElementsOf(report, p);
      if (elements == 0) continue;
      const KernelArguments<Program> arguments{memory_.event(), memory_.queues(), buffer_, elements,
                                               report.plan};
      const std::uint32_t stream = next++ % KernelsMemory<Program>::kStreams;
      WY_RETURN_IF_ERROR(Kernels::Launch(p, arguments, memory_.stream(stream)));
      used[stream] = true;
      ++launches_;
    }
    for (std::uint32_t i = 1; i < KernelsMemory<Program>::kStreams; ++i) {
      if (used[i]) WY_RETURN_IF_ERROR(memory_.Join(i));
    }
    FinishRoundKernel<Program><<<1, 32, 0, memory_.stream(0)>>>(NextRound());
    return device::ToStatus(cudaGetLastError());
  }

  absl::Status AwaitReport(const procedure::CancelToken& token, Report& report) {
    const Clock::time_point begin = Clock::now();
    Clock::time_point checked = begin;
    for (std::uint32_t looks = 1; !memory_.message().ReadOnHost(report, turn_); ++looks) {
      if (looks % 64 != 0) continue;
      const Clock::time_point now = Clock::now();
      if (token.Cancelled() && !cancel_sent_) {
        cancel_sent_ = true;
        WY_RETURN_IF_ERROR(LoseIfError(memory_.SetCancel()));
      }
      if (now - checked > kHealthPeriod) {
        checked = now;
        WY_RETURN_IF_ERROR(LoseIfError(CheckRound(now)));
      }
      if (now - begin > kSpin) std::this_thread::sleep_for(kPause);
    }
    std::lock_guard lock(mutex_);
    statistics_.launches = launches_;
    return absl::OkStatus();
  }

  /// Whether a round that has not ended may still end.
  absl::Status CheckRound(Clock::time_point now) {
    const cudaError_t state = cudaStreamQuery(memory_.stream(0));
    if (state != cudaSuccess && state != cudaErrorNotReady) return device::ToStatus(state);
    if (now < event_limit_) return absl::OkStatus();
    return absl::UnavailableError(
        absl::StrCat("a job runs longer than ", options_.event_limit_ns / 1'000'000'000, " s"));
  }

  /// @errors RESOURCE_EXHAUSTED: elements were lost, so the event cannot go on
  absl::Status CheckRoom(const Report& report) const {
    for (std::uint32_t p = 0; p < kCount; ++p) {
      const std::uint64_t room = Procedures::IsSpawnedId(p) ? queue_elements_ : 0;
      if (report.wanted[p] <= room) continue;
      return absl::ResourceExhaustedError(absl::StrCat(
          "the job spawned more elements than the queues have room for: ", report.wanted[p], " of ",
          Procedures::kNames[p], " at once, at most ", room));
    }
    return absl::OkStatus();
  }

  /// Adds the counts of a round. @shape before: the report that launched it
  void Count(const Report& before, const Report& report) {
    std::lock_guard lock(mutex_);
    for (std::uint32_t p = 0; p < kCount; ++p) {
      model::ProcedureCounters& sums = statistics_.procedures[p];
      sums.executed += ElementsOf(before, p) - (report.dropped[p] - before.dropped[p]);
      sums.spawned += report.spawned[p] - before.spawned[p];
      statistics_.queues[p].size =
          std::min<std::uint64_t>(report.wanted[p], statistics_.queues[p].capacity);
    }
  }

  /// After an error of the device every Run fails.
  absl::Status LoseIfError(const absl::Status& status) {
    if (status.ok()) return status;
    std::lock_guard lock(mutex_);
    lost_.Update(absl::UnavailableError(absl::StrCat("device lost: ", status.message())));
    return lost_;
  }

  device::CudaBackend& backend_;
  const model::ResidentOptions options_;
  const std::uint32_t queue_elements_;
  KernelsMemory<Program> memory_;
  // The caller whose turn it is uses these.
  std::uint32_t buffer_ = 0;  ///< that the round reads
  std::uint32_t turn_ = 0;    ///< of the report that is to come
  std::uint64_t launches_ = 0;
  bool cancel_sent_ = false;
  Clock::time_point event_limit_;

  mutable std::mutex mutex_;
  std::condition_variable turn_came_;
  std::uint64_t tickets_ = 0;
  std::uint64_t serving_ = 0;
  model::ModelStatistics statistics_;
  absl::Status lost_;
};

}  // namespace warpyard::bench

#endif  // WARPYARD_BENCHMARKS_KERNELS_WITH_QUEUES_KERNELS_WITH_QUEUES_CUH_
