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
#ifndef WARPYARD_CORE_MODEL_KERNELS_WITH_QUEUES_CUH_
#define WARPYARD_CORE_MODEL_KERNELS_WITH_QUEUES_CUH_

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/device/cuda_backend.h"
#include "core/device/cuda_status.h"
#include "core/memory/device_array.h"
#include "core/model/event/event_end.h"
#include "core/model/execution_model.h"
#include "benchmarks/kernels_with_queues/kernel_round.cuh"
#include "core/model/megakernel/resident_options.h"
#include "core/procedure/procedure_list.h"

namespace warpyard::model {

/// The kernels of a program's procedures, by id. @shape List: Program::Procedures
template <class Program, class List>
struct ProcedureKernels;
template <class Program, class... Ps>
struct ProcedureKernels<Program, procedure::ProcedureList<Ps...>> {
  using Arguments = KernelArguments<Program>;

  /// Allows the kernels the shared memory that they need.
  static absl::Status Prepare() {
    absl::Status status;
    (status.Update(PrepareOne<Ps>()), ...);
    return status;
  }

  static absl::Status Launch(std::uint32_t id, const Arguments& arguments, cudaStream_t stream) {
    using Launcher = absl::Status (*)(const Arguments&, cudaStream_t);
    static constexpr Launcher kLaunchers[] = {&LaunchOne<Ps>...};
    return kLaunchers[id](arguments, stream);
  }

 private:
  template <class P>
  static absl::Status PrepareOne() {
    constexpr int kBytes = static_cast<int>(sizeof(KernelMemory<Program, P>));
    return device::ToStatus(
        cudaFuncSetAttribute(reinterpret_cast<const void*>(&ExecuteProcedureKernel<Program, P>),
                             cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  }

  template <class P>
  static absl::Status LaunchOne(const Arguments& arguments, cudaStream_t stream) {
    using Shape = KernelShape<P>;
    const std::uint32_t blocks = (arguments.elements - 1) / Shape::kGroups + 1;
    ExecuteProcedureKernel<Program, P>
        <<<blocks, Shape::kThreads, sizeof(KernelMemory<Program, P>), stream>>>(arguments);
    return device::ToStatus(cudaGetLastError());
  }
};

/// Memory and streams of the kernels, all taken before the first event.
template <class Program>
class KernelsMemory {
 public:
  using Procedures = typename Program::Procedures;
  using Queues = KernelQueues<Program>;
  using Message = message::SlottedMessage<RoundReport<Program>>;
  static constexpr std::uint32_t kCount = Procedures::kCount;
  /// Kernels that may overlap. More streams than the device has queues would wait for each other,
  /// and the backend needs some queues too.
  static constexpr std::uint32_t kStreams = std::min(kCount, 16u);

  KernelsMemory() = default;
  KernelsMemory(const KernelsMemory&) = delete;
  KernelsMemory& operator=(const KernelsMemory&) = delete;
  ~KernelsMemory() {
    for (cudaEvent_t event : ended_) {
      if (event != nullptr) cudaEventDestroy(event);
    }
    for (cudaStream_t stream : streams_) {
      if (stream != nullptr) cudaStreamDestroy(stream);
    }
    if (cancel_stream_ != nullptr) cudaStreamDestroy(cancel_stream_);
    if (mapped_ != nullptr) cudaFreeHost(mapped_);
  }

  using OneEvent = Event<exec::DeviceScope, Program>;

  /// @errors RESOURCE_EXHAUSTED, UNAVAILABLE
  absl::Status Allocate(device::CudaBackend& backend, std::uint32_t queue_elements) {
    using device::ToStatus;
    WY_RETURN_IF_ERROR(backend.Use());
    for (std::uint32_t i = 0; i < kStreams; ++i) {
      WY_RETURN_IF_ERROR(ToStatus(cudaStreamCreateWithFlags(&streams_[i], cudaStreamNonBlocking)));
      WY_RETURN_IF_ERROR(ToStatus(cudaEventCreateWithFlags(&ended_[i], cudaEventDisableTiming)));
    }
    WY_RETURN_IF_ERROR(ToStatus(cudaStreamCreateWithFlags(&cancel_stream_, cudaStreamNonBlocking)));
    void* mapped = nullptr;
    WY_RETURN_IF_ERROR(ToStatus(cudaHostAlloc(&mapped, sizeof(Mapped), cudaHostAllocMapped)));
    mapped_ = new (mapped) Mapped{};
    void* on_device = nullptr;
    WY_RETURN_IF_ERROR(ToStatus(cudaHostGetDevicePointer(&on_device, mapped_, 0)));
    device_message_ = &static_cast<Mapped*>(on_device)->message;
    WY_ASSIGN_OR_RETURN(event_, memory::DeviceArray<OneEvent>::Create(backend, 1));
    return AllocateQueues(backend, queue_elements);
  }

  OneEvent* event() { return event_.data(); }
  Queues* queues() { return queues_.data(); }
  Message& message() { return mapped_->message; }
  Message* device_message() { return device_message_; }
  cudaStream_t stream(std::uint32_t i) { return streams_[i]; }

  /// Makes the first stream wait for the work of another stream.
  absl::Status Join(std::uint32_t i) {
    WY_RETURN_IF_ERROR(device::ToStatus(cudaEventRecord(ended_[i], streams_[i])));
    return device::ToStatus(cudaStreamWaitEvent(streams_[0], ended_[i], 0));
  }

  /// Tells the kernels that run that their event is to end.
  absl::Status SetCancel() {
    return device::ToStatus(cudaMemcpyAsync(&event()->cancel, &mapped_->one, sizeof mapped_->one,
                                            cudaMemcpyHostToDevice, cancel_stream_));
  }
  absl::Status AwaitCancel() { return device::ToStatus(cudaStreamSynchronize(cancel_stream_)); }

 private:
  struct Mapped {
    Message message;
    std::uint32_t one = 1;
  };

  absl::Status AllocateQueues(device::CudaBackend& backend, std::uint32_t queue_elements) {
    WY_ASSIGN_OR_RETURN(queues_, memory::DeviceArray<Queues>::Create(backend, 1));
    const auto table = std::make_unique<Queues>();
    for (std::uint32_t buffer = 0; buffer < 2; ++buffer) {
      for (std::uint32_t p = 0; p < kCount; ++p) {
        QueuedItem* items = nullptr;
        if (Procedures::IsSpawnedId(p)) {
          WY_ASSIGN_OR_RETURN(auto memory,
                              memory::DeviceArray<QueuedItem>::Create(backend, queue_elements));
          items = memory.data();
          items_.push_back(std::move(memory));
        }
        auto& ends = queues()->ends[buffer][p];  // its address on the device
        table->queues[buffer][p] = {items, items == nullptr ? 0 : queue_elements, &ends.pushed,
                                    &ends.taken};
      }
    }
    return backend.CopyIn(queues(), table.get(), sizeof *table);
  }

  cudaStream_t streams_[kStreams] = {};
  cudaEvent_t ended_[kStreams] = {};
  cudaStream_t cancel_stream_ = nullptr;
  Mapped* mapped_ = nullptr;
  Message* device_message_ = nullptr;
  memory::DeviceArray<OneEvent> event_;
  memory::DeviceArray<Queues> queues_;
  std::vector<memory::DeviceArray<QueuedItem>> items_;
};

/// Thread-safe; callers of Run wait for their turn.
template <class Program>
class KernelsWithQueues final : public ExecutionModel<Program> {
 public:
  using Job = typename Program::Job;
  using Procedures = typename Program::Procedures;

  /// Elements of a procedure that one round may leave for the next.
  static constexpr std::uint32_t kQueueElements = 1u << 22;

  /// Of the options only the event limit matters. @shape queue_elements: less than 2^31
  /// @errors RESOURCE_EXHAUSTED, UNAVAILABLE
  static absl::StatusOr<std::unique_ptr<KernelsWithQueues>> Create(
      device::CudaBackend& backend, const ResidentOptions& options = {},
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

  ModelStatistics Statistics() const override {
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

  KernelsWithQueues(device::CudaBackend& backend, const ResidentOptions& options,
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
      for (QueueFill& queue : statistics_.queues) queue.size = 0;
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
    return ReadEnd<Program>(job, report.begin_ns, cancel_sent_ ? 1 : 0, report.error);
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
      ProcedureCounters& sums = statistics_.procedures[p];
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
  const ResidentOptions options_;
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
  ModelStatistics statistics_;
  absl::Status lost_;
};

}  // namespace warpyard::model

#endif  // WARPYARD_CORE_MODEL_KERNELS_WITH_QUEUES_CUH_
