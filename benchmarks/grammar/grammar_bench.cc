// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// bench.grammar.engine: derives grammars on parcels side by side, through the engine.
//
//   grammar_bench FILE:PARCELS:XxYxZ[:NAME=VALUE,...]... [--backend cpu|cuda] [--threads N]
//     [--repeat N] [--budget SECONDS] [--seed N] [--results count|ordered] [--max-bytes N]
//     [--view X,Y,Z,PIXELS] [--machine TEXT] [--commit TEXT]
//   grammar_bench --tables FOLDER [--threads N,...] ...
//   grammar_bench --figure FOLDER ...
//
// Writes JSON: for each scene the counts, the checksum of all instances, and the median, least and
// greatest time of the phases. With `--results count` instances are made and read back, but not
// ordered. A view has no planes: it is for @lod alone.
//
// bench.grammar.tables and bench.grammar.figure are the rows of [Steinberger Tables 10.2, 10.3] and
// the frames of [Steinberger Figure 10.10], with the grammars of a folder:
// tables: ../shared/data/grammars; figure: benchmarks/grammar/scenes.

#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "benchmarks/grammar/figure.h"
#include "benchmarks/grammar/scene.h"
#include "benchmarks/grammar/session.h"
#include "benchmarks/grammar/tables.h"
#include "benchmarks/support/command_line.h"
#include "benchmarks/support/device_work.h"
#include "core/base/macros.h"

namespace warpyard::grammar_bench {
namespace {

class Bench {
 public:
  Bench(std::map<std::string, std::string> options, std::string command)
      : options_(std::move(options)), command_(std::move(command)) {}

  absl::Status Run(const std::vector<std::string>& words) {
    if (!options_["tables"].empty()) return WriteTables();
    WY_ASSIGN_OR_RETURN(session_, Session::Create(options_["backend"], Threads().front()));
    if (!options_["figure"].empty()) return WriteFigure();
    WriteHead("engine", "scenes");
    std::cout << "[";
    for (std::size_t i = 0; i < words.size(); ++i) {
      WY_ASSIGN_OR_RETURN(const Scene scene, ReadScene(words[i]));
      WY_ASSIGN_OR_RETURN(const std::string cell, Measure(scene));
      std::cout << (i == 0 ? "\n  " : ",\n  ") << cell << std::flush;
    }
    std::cout << "],\n \"procedures\": " << DeviceWork::RoundsJson(session_->engine()) << "}\n";
    return absl::OkStatus();
  }

 private:
  double Number(const std::string& option) {
    double number = 0;
    return absl::SimpleAtod(options_[option], &number) ? number : 0;
  }

  std::uint64_t MaxBytes() { return static_cast<std::uint64_t>(Number("max-bytes")); }

  std::vector<int> Threads() {
    std::vector<int> threads;
    for (const auto word : absl::StrSplit(options_["threads"], ',')) {
      int number = 0;
      threads.push_back(absl::SimpleAtoi(word, &number) ? number : 0);
    }
    return threads;
  }

  Repeats RepeatsOf() { return {static_cast<int>(Number("repeat")), Number("budget")}; }

  void WriteHead(const char* benchmark, const char* list) {
    std::cout << "{\"benchmark\": \"bench.grammar." << benchmark << "\", \"backend\": \""
              << options_["backend"] << "\",\n \"machine\": \"" << options_["machine"]
              << "\", \"commit\": \"" << options_["commit"] << "\",\n \"command\": \"grammar_bench"
              << command_ << "\",\n \"" << list << "\": ";
  }

  absl::Status WriteTables() {
    WriteHead("tables", "rows");
    WY_RETURN_IF_ERROR(WriteRows(
        {options_["tables"], options_["backend"], Threads(), MaxBytes(), RepeatsOf()}, std::cout));
    std::cout << "}\n";
    return absl::OkStatus();
  }

  absl::Status WriteFigure() {
    WriteHead("figure", "series");
    WY_RETURN_IF_ERROR(WriteSeries({options_["figure"], MaxBytes()}, *session_, std::cout));
    std::cout << "}\n";
    return absl::OkStatus();
  }

  void SetView(grammar::DeriveOptions& options) {
    const std::vector<std::string> numbers = absl::StrSplit(options_["view"], ',');
    if (numbers.size() != 4) return;
    grammar::View& view = options.view.emplace();
    for (std::size_t i = 0; i < 3; ++i)
      static_cast<void>(absl::SimpleAtof(numbers[i], &view.position[i]));
    static_cast<void>(absl::SimpleAtof(numbers[3], &view.pixels));
  }

  absl::StatusOr<std::string> Measure(const Scene& scene) {
    WY_ASSIGN_OR_RETURN(const std::string text, ReadText(scene.file));
    WY_ASSIGN_OR_RETURN(const grammar::CompiledGrammar compiled,
                        session_->Compile(scene.file, text));
    grammar::DeriveOptions options = OptionsOf(scene, compiled.info);
    options.seed = static_cast<std::uint64_t>(Number("seed"));
    if (MaxBytes() > 0) options.max_bytes = MaxBytes();
    SetView(options);
    if (options_["results"] == "ordered") {
      options.take = [](grammar::DerivedBatch, const procedure::CancelToken&) {
        return absl::OkStatus();
      };
    }
    WY_ASSIGN_OR_RETURN(Measured measured, session_->Measure(compiled.id, options, RepeatsOf()));
    WY_RETURN_IF_ERROR(session_->Close(compiled.id));
    return absl::StrCat("{\"scene\": \"", collision_bench::WithoutFolders(scene.file),
                        "\", \"parcels\": ", scene.parcels, ", ", MembersOf(measured), "}");
  }

  std::map<std::string, std::string> options_;
  const std::string command_;
  std::unique_ptr<Session> session_;
};

}  // namespace
}  // namespace warpyard::grammar_bench

int main(int argc, char** argv) {
  std::vector<std::string> words;
  std::map<std::string, std::string> options = {
      {"backend", "cpu"}, {"threads", "0"},     {"repeat", "5"},    {"budget", "1e9"},
      {"seed", "0"},      {"results", "count"}, {"max-bytes", "0"}, {"machine", ""},
      {"commit", ""},     {"view", ""},         {"tables", ""},     {"figure", ""}};
  std::string command;
  if (!warpyard::collision_bench::ReadCommandLine(argc, argv, words, options, command) ||
      (words.empty() && options["tables"].empty() && options["figure"].empty())) {
    std::cerr << "usage: grammar_bench FILE:PARCELS:XxYxZ[:NAME=VALUE,...]... [--backend cpu|cuda] "
                 "[--threads N] [--repeat N] [--budget SECONDS] [--seed N] "
                 "[--results count|ordered] [--max-bytes N] [--view X,Y,Z,PIXELS] "
                 "[--machine TEXT] [--commit TEXT]\n"
                 "       grammar_bench --tables FOLDER [--threads N,...] ...\n"
                 "       grammar_bench --figure FOLDER ...\n";
    return 2;
  }
  const absl::Status status =
      warpyard::grammar_bench::Bench(std::move(options), command).Run(words);
  if (status.ok()) return 0;
  std::cerr << status << "\n";
  return 1;
}
