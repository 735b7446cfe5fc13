// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.scheduler.models: the versatile megakernel compared with kernels with queues, in elements
// per second. [Steinberger §6.5.2, §6.5.3]
//
// Recursion: for 20 rounds as many elements as at the start, then fewer and fewer until the 40th.
// Trees: nodes of four procedures; full binary trees from one root, sparse trees from 65,536 roots.
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/scheduler/session.h"
#include "benchmarks/support/samples.h"
#include "core/base/macros.h"
#include "core/memory/device_array.h"

namespace warpyard::bench {
namespace {

constexpr std::uint32_t kMemoryWords = 1u << 28;  // more than the caches hold

/// A job and its results so far.
struct Example {
  std::vector<std::pair<std::string, std::string>> axes;
  synthetic::SyntheticJob job;
  synthetic::SyntheticTotals totals;
  std::vector<double> rates[2];  // of each model; empty: its queues have no room for the example
  bool correct = true;
};

void AddRecursive(const Bench& bench, const std::uint32_t* memory, std::vector<Example>& examples) {
  struct Kind {
    const char* name;
    synthetic::SyntheticKind kind;
    std::uint32_t elements;
  };
  constexpr Kind kKinds[] = {
      {"items", synthetic::SyntheticKind::kRecursiveItems, 1u << 18},
      {"sets of 8", synthetic::SyntheticKind::kRecursiveSets, 1u << 15},
      {"packages of 64", synthetic::SyntheticKind::kRecursivePackages64, 1u << 14},
      {"packages", synthetic::SyntheticKind::kRecursivePackages, 1u << 13}};
  for (const Kind& kind : kKinds) {
    for (const bool arithmetic : {true, false}) {
      synthetic::SyntheticJob job;
      job.kind = kind.kind;
      job.elements = bench.quick ? kind.elements / 4 : kind.elements;
      job.growth = synthetic::RecursiveGrowth();
      job.work.kind = arithmetic ? synthetic::WorkKind::kFma : synthetic::WorkKind::kMemory;
      job.work.amount = arithmetic ? 512 : 64;
      job.work.memory = memory;
      job.work.memory_words = kMemoryWords;
      examples.push_back({{{"example", "recursive"},
                           {"elements", kind.name},
                           {"work", arithmetic ? "fma 512" : "memory 64"}},
                          job,
                          synthetic::CountNodes(job),
                          {},
                          true});
    }
  }
}

void AddTrees(const Bench& bench, std::vector<Example>& examples) {
  struct Change {
    const char* name;
    std::uint32_t permille;
  };
  constexpr Change kChanges[] = {{"even", synthetic::kEvenPermille},
                                 {"stay", synthetic::kStayPermille},
                                 {"change", synthetic::kChangePermille}};
  for (const Change& change : kChanges) {
    const auto add = [&](const std::string& shape, std::uint32_t roots,
                         const synthetic::Growth& growth) {
      synthetic::SyntheticJob job;
      job.kind = synthetic::SyntheticKind::kTree;
      job.elements = roots;
      job.growth = growth;
      job.work = {synthetic::WorkKind::kFma, 120, 0, 0, nullptr};
      examples.push_back({{{"example", "tree"}, {"elements", shape}, {"work", change.name}},
                          job,
                          synthetic::CountNodes(job),
                          {},
                          true});
    };
    for (const std::uint32_t depths : {16u, 20u, 22u, 24u}) {
      if (bench.quick && depths != 20) continue;
      add("full, " + std::to_string(depths) + " deep", 1,
          synthetic::FullTreeGrowth(depths, change.permille));
    }
    add("forest", bench.quick ? 1u << 14 : 1u << 16, synthetic::ForestGrowth(200, change.permille));
  }
}

/// @errors RESOURCE_EXHAUSTED: the model's queues have no room for it
absl::Status MeasureExample(const Bench& bench, Session& session, std::size_t model,
                            Example& example) {
  synthetic::SyntheticJob job = example.job;
  job.results = session.counters().device();
  WY_RETURN_IF_ERROR(session.counters().Clear());
  WY_RETURN_IF_ERROR(session.Run(job).status());
  WY_ASSIGN_OR_RETURN(const synthetic::SyntheticTotals totals, session.counters().Read());
  example.correct &= totals == example.totals;
  job.counting = synthetic::Counting::kOff;
  for (int i = 0; i < bench.Repetitions(); ++i) {
    const std::uint64_t begin_ns = NowNs();
    WY_RETURN_IF_ERROR(session.Run(job).status());
    const auto ns = static_cast<double>(NowNs() - begin_ns);
    example.rates[model].push_back(static_cast<double>(totals.executed) / ns * 1e3);
  }
  return absl::OkStatus();
}

absl::Status MeasureModel(const Bench& bench, Session& session, std::size_t model,
                          std::vector<Example>& examples) {
  for (Example& example : examples) {
    const absl::Status measured = MeasureExample(bench, session, model, example);
    if (measured.ok()) continue;
    if (!absl::IsResourceExhausted(measured)) return measured;
    example.rates[model].clear();
  }
  return absl::OkStatus();
}

void AddCells(const Bench& bench, const std::vector<Example>& examples) {
  for (const Example& example : examples) {
    Cell cell;
    for (const auto& [axis, value] : example.axes) cell.On(axis, value);
    cell.On("count", static_cast<double>(example.totals.executed));
    cell.correct = example.correct;
    constexpr const char* kNames[] = {"megakernel_million_per_s", "kernels_million_per_s"};
    for (std::size_t model = 0; model < 2; ++model) {
      for (const double rate : example.rates[model]) cell.Add(kNames[model], rate);
      if (example.rates[model].empty())
        cell.On("no_room_in", model == 0 ? "megakernel" : "kernels");
    }
    if (!example.rates[0].empty() && !example.rates[1].empty()) {
      cell.Add("speedup", Median(example.rates[0]) / Median(example.rates[1]));
    }
    bench.report.Add(cell);
  }
}

}  // namespace

absl::Status MeasureModels(const Bench& bench) {
  if (bench.machine.IsCpu()) {
    bench.report.Skip("kernels with queues need a CUDA device");
    return absl::OkStatus();
  }
  WY_ASSIGN_OR_RETURN(const auto memory, memory::DeviceArray<std::uint32_t>::Create(
                                             bench.machine.backend(), kMemoryWords));
  std::vector<Example> examples;
  AddRecursive(bench, memory.data(), examples);
  AddTrees(bench, examples);
  {
    WY_ASSIGN_OR_RETURN(
        const auto session,
        Session::Create(bench.machine, AlwaysResident(bench, policy::PolicyKind::kService)));
    WY_RETURN_IF_ERROR(MeasureModel(bench, *session, 0, examples));
  }
  WY_ASSIGN_OR_RETURN(auto kernels, bench.machine.CreateKernelsWithQueues());
  if (kernels != nullptr) {
    WY_ASSIGN_OR_RETURN(const auto session, Session::Adopt(bench.machine, std::move(kernels)));
    WY_RETURN_IF_ERROR(MeasureModel(bench, *session, 1, examples));
  }
  AddCells(bench, examples);
  return absl::OkStatus();
}

}  // namespace warpyard::bench
