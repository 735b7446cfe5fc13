// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.grammar.engine: derives grammars on parcels side by side, through the engine.
//
//   grammar_bench FILE:PARCELS:XxYxZ[:NAME=VALUE,...]... [--backend cpu|cuda] [--threads N]
//     [--repeat N] [--seed N] [--results count|ordered] [--max-bytes N] [--view X,Y,Z,PIXELS]
//     [--machine TEXT] [--commit TEXT]
//
// Writes JSON: for each scene the counts, the checksum of all instances, and the median, least and
// greatest time of the phases. With `--results count` instances are made and read back, but not
// ordered. A view has no planes: it is for @lod alone.

#include <cstdint>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "benchmarks/grammar/scene.h"
#include "benchmarks/support/command_line.h"
#include "benchmarks/support/job_times.h"
#include "core/api/grammar.h"
#include "core/base/macros.h"

namespace warpyard {
namespace {

using grammar::CompiledGrammar;
using grammar::DeriveOptions;
using grammar::DeriveStatistics;
using grammar_bench::Scene;

using bench::AddPhases;
using bench::Await;
using bench::Json;
using bench::Times;

class Bench {
 public:
  Bench(std::map<std::string, std::string> options, std::string command)
      : options_(std::move(options)), command_(std::move(command)) {}

  absl::Status Run(const std::vector<std::string>& words) {
    EngineOptions engine_options;
    engine_options.backend =
        options_["backend"] == "cuda" ? BackendChoice::kCuda : BackendChoice::kCpu;
    engine_options.threads = static_cast<int>(Number("threads"));
    WY_ASSIGN_OR_RETURN(engine_, Engine::Create(engine_options));
    std::cout << "{\"benchmark\": \"bench.grammar.engine\",\n \"machine\": \""
              << options_["machine"] << "\", \"commit\": \"" << options_["commit"]
              << "\",\n \"command\": \"grammar_bench" << command_ << "\",\n \"scenes\": [\n  ";
    for (std::size_t i = 0; i < words.size(); ++i) {
      WY_ASSIGN_OR_RETURN(const Scene scene, grammar_bench::ReadScene(words[i]));
      WY_ASSIGN_OR_RETURN(const std::string cell, Measure(scene));
      std::cout << (i == 0 ? "" : ",\n  ") << cell << std::flush;
    }
    std::cout << "]}\n";
    return absl::OkStatus();
  }

 private:
  double Number(const std::string& option) {
    double number = 0;
    return absl::SimpleAtod(options_[option], &number) ? number : 0;
  }

  absl::StatusOr<CompiledGrammar> Compile(const Scene& scene) {
    WY_ASSIGN_OR_RETURN(const std::string text, grammar_bench::ReadText(scene.file));
    WY_ASSIGN_OR_RETURN(CompiledGrammar compiled, Await<CompiledGrammar>([&](auto done) {
                          grammar::Compile(*engine_, {{scene.file, text}}, {}, std::move(done));
                        }));
    if (compiled.compiled) return compiled;
    return absl::InvalidArgumentError(TextOf(compiled.diagnostics.front()));
  }

  void SetView(DeriveOptions& options) {
    const std::vector<std::string> numbers = absl::StrSplit(options_["view"], ',');
    if (numbers.size() != 4) return;
    grammar::View& view = options.view.emplace();
    for (std::size_t i = 0; i < 3; ++i)
      static_cast<void>(absl::SimpleAtof(numbers[i], &view.position[i]));
    static_cast<void>(absl::SimpleAtof(numbers[3], &view.pixels));
  }

  absl::StatusOr<std::string> Measure(const Scene& scene) {
    WY_ASSIGN_OR_RETURN(const CompiledGrammar compiled, Compile(scene));
    DeriveOptions options = grammar_bench::OptionsOf(scene, compiled.info);
    options.seed = static_cast<std::uint64_t>(Number("seed"));
    if (Number("max-bytes") > 0) {
      options.max_bytes = static_cast<std::uint64_t>(Number("max-bytes"));
    }
    SetView(options);
    if (options_["results"] == "ordered") {
      options.take = [](grammar::DerivedBatch, const procedure::CancelToken&) {
        return absl::OkStatus();
      };
    }
    Times times;
    DeriveStatistics last;
    const int repeat = static_cast<int>(Number("repeat"));
    for (int i = 0; i <= repeat; ++i) {
      const absl::Time begin = absl::Now();
      WY_ASSIGN_OR_RETURN(last, Await<DeriveStatistics>([&](auto done) {
                            grammar::Derive(*engine_, compiled.id, options, {}, std::move(done));
                          }));
      if (i == 0) continue;  // the first one takes memory
      AddPhases(last.phases, begin, times);
    }
    WY_RETURN_IF_ERROR(engine_->Close(compiled.id));
    return absl::StrFormat(
        "{\"scene\": \"%s\", \"parcels\": %d, \"nodes\": %d, \"terminals\": %d, \"triangles\": "
        "%d, \"coarse\": %d, \"batches\": %d, \"memory_bytes\": %d, \"checksum\": \"%016x\",\n"
        "   \"milliseconds\": %s}",
        collision_bench::WithoutFolders(scene.file), scene.parcels, last.nodes, last.terminals,
        last.triangles, last.coarse, last.batches, last.memory_bytes, last.checksum, Json(times));
  }

  std::map<std::string, std::string> options_;
  const std::string command_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace
}  // namespace warpyard

int main(int argc, char** argv) {
  std::vector<std::string> words;
  std::map<std::string, std::string> options = {
      {"backend", "cpu"}, {"threads", "0"}, {"repeat", "5"}, {"seed", "0"}, {"results", "count"},
      {"max-bytes", "0"}, {"machine", ""},  {"commit", ""},  {"view", ""}};
  std::string command;
  if (!warpyard::collision_bench::ReadCommandLine(argc, argv, words, options, command) ||
      words.empty()) {
    std::cerr << "usage: grammar_bench FILE:PARCELS:XxYxZ[:NAME=VALUE,...]... [--backend cpu|cuda] "
                 "[--threads N] [--repeat N] [--seed N] [--results count|ordered] [--max-bytes N] "
                 "[--view X,Y,Z,PIXELS] [--machine TEXT] [--commit TEXT]\n";
    return 2;
  }
  const absl::Status status = warpyard::Bench(std::move(options), command).Run(words);
  if (status.ok()) return 0;
  std::cerr << status << "\n";
  return 1;
}
