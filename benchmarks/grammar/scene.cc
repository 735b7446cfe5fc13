// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/grammar/scene.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <regex>
#include <sstream>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace warpyard::grammar_bench {

absl::StatusOr<Scene> ReadScene(const std::string& word) {
  const absl::Status wrong =
      absl::InvalidArgumentError(absl::StrCat(word, ": expected FILE:PARCELS:XxYxZ[:NAME=VALUE]"));
  const std::vector<std::string> parts = absl::StrSplit(word, ':');
  if (parts.size() < 3) return wrong;
  Scene scene;
  scene.file = parts[0];
  const std::vector<std::string> sizes = absl::StrSplit(parts[2], 'x');
  if (!absl::SimpleAtoi(parts[1], &scene.parcels) || sizes.size() != 3) return wrong;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!absl::SimpleAtof(sizes[axis], &scene.size[axis])) return wrong;
  }
  if (parts.size() < 4) return scene;
  for (const auto pair : absl::StrSplit(parts[3], ',')) {
    const std::vector<std::string> value = absl::StrSplit(pair, '=');
    if (value.size() != 2) return wrong;
    scene.values.emplace_back(value[0], 0.0f);
    if (!absl::SimpleAtof(value[1], &scene.values.back().second)) return wrong;
  }
  return scene;
}

grammar::DeriveOptions OptionsOf(const Scene& scene, const grammar::GrammarInfo& info) {
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

absl::StatusOr<std::string> ReadText(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) return absl::NotFoundError(absl::StrCat("cannot read ", file));
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string WithLanes(const std::string& text, int lanes) {
  static const std::regex kThreads("@threads\\s*\\([^)]*\\)"), kRule("\\brule\\b");
  const std::string without = std::regex_replace(text, kThreads, "");
  if (lanes == 0) return without;
  return std::regex_replace(without, kRule, absl::StrCat("@threads(", lanes, ") rule"));
}

}  // namespace warpyard::grammar_bench
