// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Numbers of triangles in the names of scenes and meshes.
#ifndef WARPYARD_BENCHMARKS_SCENES_TRIANGLE_COUNT_H_
#define WARPYARD_BENCHMARKS_SCENES_TRIANGLE_COUNT_H_

#include <cstdint>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace warpyard::scenes {

/// Indices of a soup's vertices stay below 2^31.
inline constexpr std::uint64_t kMostTriangles = 500'000'000;

/// A number of triangles: "64", "100k", "10m". Nothing for other text or more than kMostTriangles.
inline std::optional<std::uint32_t> ParseCount(absl::string_view text) {
  std::uint64_t unit = 1, count = 0;
  if (absl::ConsumeSuffix(&text, "k")) {
    unit = 1'000;
  } else if (absl::ConsumeSuffix(&text, "m")) {
    unit = 1'000'000;
  }
  if (!absl::SimpleAtoi(text, &count) || count > kMostTriangles / unit) return std::nullopt;
  return static_cast<std::uint32_t>(count * unit);
}

}  // namespace warpyard::scenes

#endif  // WARPYARD_BENCHMARKS_SCENES_TRIANGLE_COUNT_H_
