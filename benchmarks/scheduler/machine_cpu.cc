// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The host's cores as a machine.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "benchmarks/scheduler/machine.h"
#include "benchmarks/support/samples.h"
#include "core/device/cpu_backend.h"
#include "core/exec/thread_scope.h"
#include "core/model/cpu/cpu_workers.h"
#include "core/workload/synthetic/synthetic_procedures.h"

namespace warpyard::bench {
namespace {

class CpuMachine final : public Machine {
 public:
  explicit CpuMachine(int threads) : threads_(threads), backend_(threads, 0) {}

  device::Backend& backend() override { return backend_; }
  bool IsCpu() const override { return true; }

  absl::StatusOr<std::unique_ptr<LoadModel>> CreateModel(
      const model::ResidentOptions& options) override {
    return std::make_unique<model::CpuWorkers<synthetic::SyntheticProgram>>(threads_,
                                                                            options.policy);
  }
  absl::StatusOr<std::unique_ptr<LoadModel>> CreateKernelsWithQueues() override { return nullptr; }

  absl::StatusOr<double> RunPlain(const synthetic::SyntheticJob& job) override {
    const std::uint64_t begin_ns = NowNs();
    std::atomic<std::uint32_t> next{0};
    std::vector<std::thread> workers;
    for (int i = 0; i < threads_; ++i) {
      workers.emplace_back([&] {
        if (job.kind == synthetic::SyntheticKind::kFlat) return RunPackages(job, next);
        RunChains(job, next);
      });
    }
    for (std::thread& worker : workers) worker.join();
    return static_cast<double>(NowNs() - begin_ns);
  }

  absl::StatusOr<std::unique_ptr<PlainStreams>> CreateStreams(std::uint64_t) override {
    return nullptr;
  }

 private:
  static constexpr std::uint32_t kTaken = 8;  // at once

  static void RunPackages(synthetic::SyntheticJob job, std::atomic<std::uint32_t>& next) {
    exec::ThreadScope scope(nullptr);
    procedure::Context<exec::ThreadScope, synthetic::SyntheticJob> context{scope, job};
    while (true) {
      const std::uint32_t first = next.fetch_add(kTaken, std::memory_order_relaxed);
      if (first >= job.elements) return;
      synthetic::RunPackages::Execute(context, {first, std::min(first + kTaken, job.elements)});
    }
  }

  static void RunChains(synthetic::SyntheticJob job, std::atomic<std::uint32_t>& next) {
    exec::ThreadScope scope(nullptr);
    procedure::Element spawned[synthetic::RecursivePackage::kMaxSpawns];
    procedure::SpawnBuffer spawns{0, spawned};
    procedure::Context<exec::ThreadScope, synthetic::SyntheticJob> context{scope, job, nullptr,
                                                                           &spawns};
    while (true) {
      synthetic::Node node{next.fetch_add(1, std::memory_order_relaxed), 0};
      if (node.id >= job.elements) return;
      do {
        spawns.count = 0;
        synthetic::RecursivePackage::Execute(context, node);
        std::memcpy(&node, spawned[0].payload, sizeof node);
      } while (spawns.count != 0);
    }
  }

  const int threads_;
  device::CpuBackend backend_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Machine>> CreateCpuMachine(int threads) {
  return std::make_unique<CpuMachine>(threads);
}

}  // namespace warpyard::bench
