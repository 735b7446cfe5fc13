// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "benchmarks/scenes/moving_scene.h"
#include "benchmarks/scenes/shapes.h"

namespace warpyard::scenes {
namespace {

// Lengths in sides of a quad.
constexpr std::uint32_t kLayers = 4;
constexpr double kGap = 0.75;      // between layers
constexpr double kTurn = 2.0;      // in which the sheet climbs from a layer to the next
constexpr double kHeight = 0.3;    // of each of the two waves in a layer
constexpr double kLengthX = 19.0;  // of the waves
constexpr double kLengthY = 23.0;
constexpr double kPeriod = 20.0;     // frames in which a wave runs its own length
constexpr double kIrregular = 0.05;  // of vertices

/// The largest divisor of `number` that is at most its square root.
std::uint32_t MiddleDivisor(std::uint32_t number) {
  std::uint32_t best = 1;
  for (std::uint32_t d = 1; std::uint64_t{d} * d <= number; ++d) {
    if (number % d == 0) best = d;
  }
  return best;
}

std::vector<float> Frame(std::uint32_t rows, std::uint32_t columns, int frame) {
  const double width = static_cast<double>(columns) / kLayers;
  const double phase = frame / kPeriod;
  std::vector<float> positions;
  positions.reserve(3 * (std::size_t{rows} + 1) * (columns + 1));
  for (std::uint32_t row = 0; row <= rows; ++row) {
    for (std::uint32_t column = 0; column <= columns; ++column) {
      const auto layer = std::min(kLayers - 1, kLayers * column / columns);
      const double along = column - layer * width;
      const double x = layer % 2 == 0 ? along : width - along;
      const double y = row;
      // Neighbouring layers have different waves, which move in opposite directions.
      const double way = layer % 2 == 0 ? 1.0 : -1.0;
      const double waves = Wave(x / kLengthX + way * phase + 0.37 * layer) +
                           Wave(y / kLengthY + 0.5 * way * phase + 0.19 * layer);
      const double base = layer == 0 ? 0.0 : layer - 1.0 + std::min(1.0, along / kTurn);
      const auto irregular = [&](std::uint64_t axis) {
        return kIrregular * (2.0 * Noise(row, column, axis) - 1.0);
      };
      AppendPoint(x + irregular(0), y + irregular(1), kGap * base + kHeight * waves + irregular(2),
                  positions);
    }
  }
  return positions;
}

}  // namespace

MovingScene MakeFoldedCloth(std::uint32_t triangles, int frames) {
  const std::uint32_t rows = MiddleDivisor(triangles / 2), columns = triangles / 2 / rows;
  MovingScene scene;
  scene.name = absl::StrCat("cloth-", triangles);
  scene.triangles.reserve(3 * std::size_t{triangles});
  AppendSheet(0, rows, columns, false, scene.triangles);
  for (int frame = 0; frame < frames; ++frame) scene.frames.push_back(Frame(rows, columns, frame));
  return scene;
}

}  // namespace warpyard::scenes
