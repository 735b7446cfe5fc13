// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Scenes of the benchmarks of grammars: FILE:PARCELS:XxYxZ[:NAME=VALUE,...].
#ifndef WARPYARD_BENCHMARKS_GRAMMAR_SCENE_H_
#define WARPYARD_BENCHMARKS_GRAMMAR_SCENE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "benchmarks/support/command_line.h"
#include "benchmarks/support/job_times.h"
#include "core/api/grammar.h"
#include "core/base/macros.h"

namespace warpyard::bench {

struct Scene {
  std::string file;
  std::uint32_t parcels = 1;
  float size[3] = {1, 1, 1};
  std::vector<std::pair<std::string, float>> values;
};

inline bool ReadScene(const std::string& word, Scene& scene) {
  const std::vector<std::string> parts = absl::StrSplit(word, ':');
  if (parts.size() < 3) return false;
  scene.file = parts[0];
  const std::vector<std::string> sizes = absl::StrSplit(parts[2], 'x');
  if (!absl::SimpleAtoi(parts[1], &scene.parcels) || sizes.size() != 3) return false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!absl::SimpleAtof(sizes[axis], &scene.size[axis])) return false;
  }
  if (parts.size() < 4) return true;
  for (const auto pair : absl::StrSplit(parts[3], ',')) {
    const std::vector<std::string> value = absl::StrSplit(pair, '=');
    if (value.size() != 2) return false;
    scene.values.emplace_back(value[0], 0.0f);
    if (!absl::SimpleAtof(value[1], &scene.values.back().second)) return false;
  }
  return true;
}

/// Parcels in a square, with streets between them.
inline grammar::DeriveOptions OptionsOf(const Scene& scene, const grammar::GrammarInfo& info) {
  constexpr float kStreet = 8;
  grammar::DeriveOptions options;
  const auto side = static_cast<std::uint32_t>(std::ceil(std::sqrt(scene.parcels)));
  for (std::uint32_t i = 0; i < scene.parcels; ++i) {
    grammar::Parcel parcel;
    parcel.position[0] = static_cast<float>(i % side) * (scene.size[0] + kStreet);
    parcel.position[2] = static_cast<float>(i / side) * (scene.size[2] + kStreet);
    std::copy(scene.size, scene.size + 3, parcel.size);
    parcel.id = i;
    options.parcels.push_back(parcel);
  }
  for (const auto& [name, value] : scene.values) {
    for (std::uint32_t a = 0; a < info.attributes.size(); ++a) {
      if (info.attributes[a].name == name) options.attributes.push_back({a, {value}});
    }
  }
  return options;
}

/// @errors INVALID_ARGUMENT: the first error of the text
inline absl::StatusOr<grammar::CompiledGrammar> Compile(Engine& engine, const Scene& scene) {
  std::ifstream file(scene.file);
  std::ostringstream text;
  text << file.rdbuf();
  WY_ASSIGN_OR_RETURN(grammar::CompiledGrammar compiled,
                      Await<grammar::CompiledGrammar>([&](auto done) {
                        grammar::Compile(engine, {{scene.file, text.str()}}, {}, std::move(done));
                      }));
  if (compiled.compiled) return compiled;
  return absl::InvalidArgumentError(TextOf(compiled.diagnostics.front()));
}

/// What benchmarks of scenes have in common.
class SceneBench {
 public:
  SceneBench(std::map<std::string, std::string> options, std::string command)
      : options_(std::move(options)), command_(std::move(command)) {}

 protected:
  absl::Status OpenEngine() {
    EngineOptions engine_options;
    engine_options.backend =
        options_["backend"] == "cuda" ? BackendChoice::kCuda : BackendChoice::kCpu;
    engine_options.threads = static_cast<int>(Number("threads"));
    WY_ASSIGN_OR_RETURN(engine_, Engine::Create(engine_options));
    return absl::OkStatus();
  }
  double Number(const std::string& option) {
    double number = 0;
    return absl::SimpleAtod(options_[option], &number) ? number : 0;
  }

  std::map<std::string, std::string> options_;
  const std::string command_;
  std::unique_ptr<Engine> engine_;
};

/// The program of a benchmark of scenes. @shape Bench: a SceneBench with Run(words). options: the
///     defaults of those that not all have
template <class Bench>
int RunBench(int argc, char** argv, std::map<std::string, std::string> options, const char* usage) {
  options.insert({{"backend", "cpu"}, {"threads", "0"}, {"max-bytes", "0"}});
  options.insert({{"machine", ""}, {"commit", ""}});
  std::vector<std::string> words;
  std::string command;
  if (!collision_bench::ReadCommandLine(argc, argv, words, options, command) || words.empty()) {
    std::cerr << usage;
    return 2;
  }
  const absl::Status status = Bench(std::move(options), command).Run(words);
  if (status.ok()) return 0;
  std::cerr << status << "\n";
  return 1;
}

}  // namespace warpyard::bench

#endif  // WARPYARD_BENCHMARKS_GRAMMAR_SCENE_H_
