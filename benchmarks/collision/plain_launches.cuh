// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Events without a scheduler: every stage is a kernel of its own procedure, one after the other on
// a stream. The resident megakernel is compared with these launches.
#ifndef WARPYARD_BENCHMARKS_COLLISION_PLAIN_LAUNCHES_CUH_
#define WARPYARD_BENCHMARKS_COLLISION_PLAIN_LAUNCHES_CUH_

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <source_location>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/exec/device_group.cuh"
#include "core/procedure/event_runner.h"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"

namespace warpyard::bench {

inline void Require(cudaError_t error,
                    std::source_location where = std::source_location::current()) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "plain launches, line %u: %s\n", static_cast<unsigned>(where.line()),
               cudaGetErrorString(error));
  std::exit(1);
}

/// A scope for planning on the host. The procedure of a stage does not depend on memory of the
/// device, so every read of that memory returns zero.
struct PlanScope {
  template <class T>
  struct Zero {
    WY_HD T LoadRelaxed() const { return T{}; }
  };
  template <class T>
  WY_HD static Zero<T> Word(T&) {
    return {};
  }
};

inline constexpr std::uint32_t kPlainThreads = 128;

/// Threads of a group of P, as in a worker block.
template <class P>
constexpr std::uint32_t GroupThreads() {
  constexpr std::uint32_t kDeclared = procedure::ThreadsOf<P>();
  return kDeclared == procedure::kWholeBlock || kDeclared > kPlainThreads ? kPlainThreads
                                                                          : kDeclared;
}

/// Shared memory of a group of P.
template <class P>
constexpr std::size_t GroupBytes() {
  return (P::kSharedBytes + 15) / 16 * 16;
}

/// Groups take ranges of the stage until none is left. @shape next: 0 at first
template <class Program, class P>
__global__ void __launch_bounds__(kPlainThreads)
    ExecuteStageKernel(const __grid_constant__ typename Program::Job job, std::uint32_t stage,
                       std::uint32_t* next) {
  extern __shared__ __align__(16) std::byte shared[];
  constexpr std::uint32_t kSize = GroupThreads<P>();
  static_assert(kSize >= 32);
  __shared__ std::uint64_t mailbox[kPlainThreads / kSize][2];
  const std::uint32_t index = threadIdx.x / kSize, rank = threadIdx.x % kSize;
  exec::DeviceGroup<kSize> group(shared + index * GroupBytes<P>(), mailbox[index], rank, index);
  typename Program::Job own = job;
  procedure::Context<exec::DeviceGroup<kSize>, typename Program::Job> context{group, own};
  const procedure::StagePlan plan = Program::template Plan<exec::DeviceScope>(job, stage);
  while (true) {
    std::uint32_t begin = 0;
    if (group.Rank() == 0) begin = atomicAdd(next, plan.grain);
    begin = group.Broadcast(begin);
    if (begin >= plan.count) return;
    const std::uint32_t left = plan.count - begin;
    const std::uint32_t end = begin + (left < plan.grain ? left : plan.grain);
    P::Execute(context, procedure::Range{begin, end});
    group.Barrier();
  }
}

template <class Program>
class PlainLaunches final : public procedure::EventRunner<typename Program::Job> {
 public:
  using Job = typename Program::Job;

  /// @shape priority: of the stream, less is sooner; times: whether to measure each stage, which
  ///     takes time itself
  explicit PlainLaunches(int priority = 0, bool times = true) : times_(times) {
    int device = 0;
    Require(cudaGetDevice(&device));
    Require(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, device));
    Require(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, priority));
    Require(cudaMalloc(&next_, Program::kMaxStages * sizeof *next_));
    for (cudaEvent_t& event : events_) Require(cudaEventCreate(&event));
  }
  PlainLaunches(const PlainLaunches&) = delete;
  PlainLaunches& operator=(const PlainLaunches&) = delete;
  ~PlainLaunches() override {
    for (cudaEvent_t event : events_) Require(cudaEventDestroy(event));
    Require(cudaFree(next_));
    Require(cudaStreamDestroy(stream_));
  }

  absl::StatusOr<procedure::StageTimes> Run(const Job& job,
                                            const procedure::CancelToken&) override {
    // A program without the job's stages would return too few times, which callers index by stage.
    if (const char* const missing = Program::Missing(job)) {
      return absl::UnimplementedError(
          absl::StrCat("the program of these launches does not have: ", missing));
    }
    const std::uint32_t stages = Program::StageCount(job);
    Require(cudaMemsetAsync(next_, 0, Program::kMaxStages * sizeof *next_, stream_));
    Record(0);
    for (std::uint32_t stage = 0; stage < stages; ++stage) {
      LaunchOneOf(typename Program::Procedures{}, job, stage);
      Record(stage + 1);
    }
    Require(cudaStreamSynchronize(stream_));
    procedure::StageTimes times;
    times.begin_ns.resize(stages + 1);
    for (std::uint32_t stage = 1; times_ && stage <= stages; ++stage) {
      float milliseconds = 0;
      Require(cudaEventElapsedTime(&milliseconds, events_[0], events_[stage]));
      times.begin_ns[stage] = static_cast<std::uint64_t>(milliseconds * 1e6f);
    }
    return times;
  }

  /// The number of worker blocks of the resident kernel. So both divide a stage into the same
  /// elements.
  std::uint32_t Workers() const override { return 2 * static_cast<std::uint32_t>(processors_) - 1; }

 private:
  void Record(std::uint32_t event) {
    if (times_) Require(cudaEventRecord(events_[event], stream_));
  }

  /// Launches the stage's procedure, one of Ps.
  template <class... Ps>
  void LaunchOneOf(procedure::ProcedureList<Ps...>, const Job& job, std::uint32_t stage) {
    const std::uint32_t id = Program::template Plan<PlanScope>(job, stage).procedure;
    std::uint32_t position = 0;
    ((position++ == id ? Launch<Ps>(job, stage) : void()), ...);
  }

  /// Number of blocks: as many as are resident at once.
  template <class P>
  void Launch(const Job& job, std::uint32_t stage) {
    constexpr std::size_t kBytes = kPlainThreads / GroupThreads<P>() * GroupBytes<P>();
    const auto kernel = ExecuteStageKernel<Program, P>;
    static const int blocks = [=] {  // of a multiprocessor, asked for once
      Require(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(kBytes)));
      int most = 0;
      Require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &most, kernel, static_cast<int>(kPlainThreads), kBytes));
      return most;
    }();
    kernel<<<static_cast<unsigned>(blocks * processors_), kPlainThreads, kBytes, stream_>>>(
        job, stage, next_ + stage);
    Require(cudaGetLastError());
  }

  cudaStream_t stream_ = nullptr;
  const bool times_;
  int processors_ = 0;
  std::uint32_t* next_ = nullptr;
  cudaEvent_t events_[Program::kMaxStages + 1] = {};
};

}  // namespace warpyard::bench

#endif  // WARPYARD_BENCHMARKS_COLLISION_PLAIN_LAUNCHES_CUH_
