// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Scenes of the grammar benchmarks: a grammar on parcels side by side.
#ifndef WARPYARD_BENCHMARKS_GRAMMAR_SCENE_H_
#define WARPYARD_BENCHMARKS_GRAMMAR_SCENE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/workload/grammar/grammar_types.h"

namespace warpyard::grammar_bench {

struct Scene {
  std::string file;
  std::uint32_t parcels = 1;
  float size[3] = {1, 1, 1};
  std::vector<std::pair<std::string, float>> values;  ///< of attributes
};

/// Reads FILE:PARCELS:XxYxZ[:NAME=VALUE,...]. @errors INVALID_ARGUMENT
absl::StatusOr<Scene> ReadScene(const std::string& word);

/// Parcels in a square, with streets between them.
grammar::DeriveOptions OptionsOf(const Scene& scene, const grammar::GrammarInfo& info);

/// The text of a file. @errors NOT_FOUND
absl::StatusOr<std::string> ReadText(const std::string& file);

/// The text of a grammar with as many threads for each rule. @shape lanes: 0: without @threads
std::string WithLanes(const std::string& text, int lanes);

}  // namespace warpyard::grammar_bench

#endif  // WARPYARD_BENCHMARKS_GRAMMAR_SCENE_H_
