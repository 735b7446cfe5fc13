// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.grammar.by_hand: derives scenes by the interpreter, and by rules that are written in C++.
//
//   grammar_by_hand SCENE... [--backend cpu|cuda] [--threads N] [--repeat N] [--max-bytes N]
//     [--machine TEXT] [--commit TEXT]
//
// A scene is as in grammar_bench; there are rules for tree.wyg and skyscraper.wyg. All contenders
// run on the host code of the workload, and have to make the same instances, byte by byte: the
// program fails if checksums differ. Kernels and contenders take turns, so that other work on the
// machine hits all of them.

#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "benchmarks/grammar/by_hand/machine.h"
#include "benchmarks/grammar/scene.h"
#include "benchmarks/support/command_line.h"
#include "benchmarks/support/job_times.h"
#include "benchmarks/support/samples.h"
#include "core/base/macros.h"
#include "core/device/cpu_backend.h"
#include "core/model/cpu/cpu_workers.h"
#include "core/workload/grammar/code/compiler.h"
#include "core/workload/grammar/derivation/grammar.h"

namespace warpyard::grammar_by_hand {
namespace {

using grammar::DeriveJob;
using grammar::DeriveStatistics;

/// Runs the workload's jobs as those of a program by hand.
template <class Program>
class HandRunner final : public grammar::GrammarRunner {
 public:
  explicit HandRunner(model::ExecutionModel<AllByHand>& model) : runner_(model, {}) {}

  absl::StatusOr<procedure::StageTimes> Run(const DeriveJob& job,
                                            const procedure::CancelToken& token) override {
    return runner_.Run(typename Program::Job{job}, token);
  }
  bool CallsFinish() const override { return runner_.CallsFinish(); }
  std::uint32_t Workers() const override { return runner_.Workers(); }

 private:
  model::BoundRunner<AllByHand, Program> runner_;
};

/// One way to derive a scene, and its times.
struct Contender {
  std::string name;
  std::unique_ptr<grammar::GrammarRunner> runner;
  std::unique_ptr<grammar::Grammar> grammar = nullptr;
  DeriveStatistics last = {};
  bench::Times times = {};
};

template <class Rules>
std::vector<Contender> HandContenders(model::ExecutionModel<AllByHand>& model) {
  std::vector<Contender> contenders;
  const auto add = [&]<class Program>(const char* name, std::type_identity<Program>) {
    contenders.push_back({name, std::make_unique<HandRunner<Program>>(model)});
  };
  add("by_hand", std::type_identity<HandProgram<Rules, Grouping::kByLanes>>());
  add("by_hand_grouped", std::type_identity<HandProgram<Rules, Grouping::kByBlock>>());
  add("by_hand_grouped_one_thread", std::type_identity<HandProgram<Rules, Grouping::kOneByOne>>());
  return contenders;
}

/// Empty where nobody wrote the rules of the scene.
std::vector<Contender> ContendersOf(const std::string& name, Machine<AllByHand>& machine) {
  if (name == Tree::kFile) return HandContenders<Tree>(machine.model());
  if (name == Skyscraper::kFile) return HandContenders<Skyscraper>(machine.model());
  return {};
}
std::vector<Contender> ContendersOf(const std::string&, Machine<Interpreter>& machine) {
  using Runner = model::BoundRunner<Interpreter, grammar::GrammarProgram>;
  std::vector<Contender> contenders;
  contenders.push_back(
      {"bytecode", std::make_unique<Runner>(machine.model(), policy::EventAttributes{})});
  return contenders;
}

class Bench {
 public:
  Bench(std::map<std::string, std::string> options, std::string command)
      : options_(std::move(options)), command_(std::move(command)) {}

  absl::Status Run(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      WY_ASSIGN_OR_RETURN(Cell cell, CellOf(word));
      cells_.push_back(std::move(cell));
    }
    for (int turn = 0; turn < kTurns; ++turn) {
      WY_RETURN_IF_ERROR(RunProgram<Interpreter>());
      WY_RETURN_IF_ERROR(RunProgram<AllByHand>());
    }
    std::cout << "{\"benchmark\": \"bench.grammar.by_hand\", \"backend\": \"" << description_
              << "\",\n \"machine\": \"" << options_["machine"] << "\", \"commit\": \""
              << options_["commit"] << "\",\n \"command\": \"grammar_by_hand" << command_
              << "\",\n \"scenes\": [";
    bool agree = true;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      std::cout << (i == 0 ? "\n  " : ",\n  ") << ToJson(cells_[i]);
      agree = agree && Agree(cells_[i]);
    }
    std::cout << "]}\n";
    return agree ? absl::OkStatus() : absl::InternalError("contenders differ");
  }

 private:
  static constexpr int kTurns = 3;

  struct Cell {
    grammar_bench::Scene scene;
    std::string name;  ///< the file without its folders
    grammar::CompiledCode code;
    grammar::DeriveOptions options;
    std::vector<Contender> contenders = {};
  };

  std::uint64_t Number(const std::string& option) {
    std::uint64_t number = 0;
    return absl::SimpleAtoi(options_[option], &number) ? number : 0;
  }

  absl::StatusOr<Cell> CellOf(const std::string& word) {
    WY_ASSIGN_OR_RETURN(grammar_bench::Scene scene, grammar_bench::ReadScene(word));
    WY_ASSIGN_OR_RETURN(std::string text, grammar_bench::ReadText(scene.file));
    const grammar::SourceFile files[] = {{scene.file, std::move(text)}};
    grammar::Diagnostics diagnostics(files);
    grammar::CompiledCode code =
        grammar::CompileFiles(files, diagnostics, procedure::CancelToken());
    if (diagnostics.HasErrors()) {
      return absl::InvalidArgumentError(TextOf(diagnostics.Sorted().front()));
    }
    grammar::DeriveOptions options = OptionsOf(scene, code.info);
    if (Number("max-bytes") > 0) options.max_bytes = Number("max-bytes");
    const std::string name = collision_bench::WithoutFolders(scene.file);
    return Cell{std::move(scene), name, std::move(code), std::move(options)};
  }

  template <class Program>
  absl::StatusOr<std::unique_ptr<Machine<Program>>> CreateMachine() {
    if (options_["backend"] == "cuda") return CreateCudaMachine<Program>();
    const int threads = static_cast<int>(Number("threads"));
    return std::make_unique<Machine<Program>>(
        std::make_unique<device::CpuBackend>(threads, 0),
        std::make_unique<model::CpuWorkers<Program>>(threads));
  }

  template <class Program>
  absl::Status RunProgram() {
    WY_ASSIGN_OR_RETURN(const auto machine, CreateMachine<Program>());
    description_ = machine->backend().Description();
    for (Cell& cell : cells_) {
      std::vector<Contender> contenders = ContendersOf(cell.name, *machine);
      for (Contender& contender : contenders) {
        WY_ASSIGN_OR_RETURN(contender.grammar,
                            grammar::Grammar::Open(machine->backend(), cell.code));
      }
      WY_RETURN_IF_ERROR(Measure(cell.options, contenders));
      for (Contender& contender : contenders) {
        contender.grammar = nullptr;  // before its device goes
        contender.runner = nullptr;
        Add(std::move(contender), cell);
      }
    }
    return absl::OkStatus();
  }

  /// Adds the times of a turn to those before.
  static void Add(Contender contender, Cell& cell) {
    for (Contender& before : cell.contenders) {
      if (before.name != contender.name) continue;
      for (const auto& [phase, times] : contender.times) {
        before.times[phase].insert(before.times[phase].end(), times.begin(), times.end());
      }
      return;
    }
    cell.contenders.push_back(std::move(contender));
  }

  absl::Status Measure(const grammar::DeriveOptions& options, std::vector<Contender>& contenders) {
    const procedure::CancelToken token;
    for (std::uint64_t round = 0; round <= Number("repeat"); ++round) {
      for (Contender& contender : contenders) {
        const absl::Time begin = absl::Now();
        WY_ASSIGN_OR_RETURN(contender.last,
                            contender.grammar->Derive(*contender.runner, options, token));
        // The first one takes memory.
        if (round != 0) bench::AddPhases(contender.last.phases, begin, contender.times);
      }
    }
    return absl::OkStatus();
  }

  static bool Agree(const Cell& cell) {
    const DeriveStatistics& first = cell.contenders.front().last;
    for (const Contender& contender : cell.contenders) {
      const DeriveStatistics& last = contender.last;
      if (last.nodes != first.nodes || last.terminals != first.terminals ||
          last.checksum != first.checksum) {
        return false;
      }
    }
    return true;
  }

  static std::string ToJson(Cell& cell) {
    const DeriveStatistics& first = cell.contenders.front().last;
    std::string json = absl::StrFormat(
        "{\"scene\": \"%s\", \"parcels\": %d, \"nodes\": %d, \"terminals\": %d, \"checksum\": "
        "\"%016x\", \"agree\": %s,\n   \"contenders\": [",
        cell.name, cell.scene.parcels, first.nodes, first.terminals, first.checksum,
        Agree(cell) ? "true" : "false");
    const double bytecode = bench::Median(cell.contenders.front().times["derive"]);
    for (std::size_t i = 0; i < cell.contenders.size(); ++i) {
      Contender& contender = cell.contenders[i];
      absl::StrAppendFormat(
          &json,
          "%s{\"name\": \"%s\", \"checksum\": \"%016x\", \"bytecode_over_this\": %.3f,\n"
          "     \"milliseconds\": %s}",
          i == 0 ? "\n    " : ",\n    ", contender.name, contender.last.checksum,
          bytecode / bench::Median(contender.times["derive"]), bench::Json(contender.times));
    }
    return json + "]}";
  }

  std::map<std::string, std::string> options_;
  const std::string command_;
  std::string description_;
  std::vector<Cell> cells_;
};

}  // namespace
}  // namespace warpyard::grammar_by_hand

int main(int argc, char** argv) {
  std::vector<std::string> words;
  std::map<std::string, std::string> options = {{"backend", "cpu"}, {"threads", "2"},
                                                {"repeat", "7"},    {"max-bytes", "0"},
                                                {"machine", ""},    {"commit", ""}};
  std::string command;
  if (!warpyard::collision_bench::ReadCommandLine(argc, argv, words, options, command) ||
      words.empty()) {
    std::cerr << "usage: grammar_by_hand FILE:PARCELS:XxYxZ[:NAME=VALUE,...]... [--backend "
                 "cpu|cuda] [--threads N] [--repeat N] [--max-bytes N] [--machine TEXT] "
                 "[--commit TEXT]\n";
    return 2;
  }
  const absl::Status status =
      warpyard::grammar_by_hand::Bench(std::move(options), command).Run(words);
  if (status.ok()) return 0;
  std::cerr << status << "\n";
  return 1;
}
