// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Parts of scenes: sheets of quads, waves, and numbers that look random.
#ifndef WARPYARD_BENCHMARKS_SCENES_SHAPES_H_
#define WARPYARD_BENCHMARKS_SCENES_SHAPES_H_

#include <cmath>
#include <cstdint>
#include <vector>

#include "client_examples/mesh_measure/noise.h"

namespace warpyard::scenes {

using mesh_measure::Noise;

/// A wave of period 1 between -1 and 1, smooth at its ends: a cubic for each half.
inline double Wave(double x) {
  const double t = 4.0 * std::fabs(x - std::floor(x) - 0.5) - 1.0;
  return t * (1.5 - 0.5 * t * t);
}

/// Appends two triangles for each quad of a sheet of (rows + 1) x (columns + 1) vertices, row by
/// row, that starts at vertex `first`. The diagonals alternate, so that the sheet has no preferred
/// direction. A `closed` sheet has no last column: the first column follows the last quad.
inline void AppendSheet(std::uint32_t first, std::uint32_t rows, std::uint32_t columns, bool closed,
                        std::vector<std::uint32_t>& triangles) {
  const std::uint32_t width = closed ? columns : columns + 1;
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t column = 0; column < columns; ++column) {
      const std::uint32_t next = (column + 1) % width;
      const std::uint32_t a = first + row * width + column, b = first + row * width + next;
      const std::uint32_t c = a + width, d = b + width;
      if ((row + column) % 2 == 0) {
        triangles.insert(triangles.end(), {a, b, d, a, d, c});
      } else {
        triangles.insert(triangles.end(), {a, b, c, b, d, c});
      }
    }
  }
}

/// Appends a point as floats.
inline void AppendPoint(double x, double y, double z, std::vector<float>& positions) {
  positions.push_back(static_cast<float>(x));
  positions.push_back(static_cast<float>(y));
  positions.push_back(static_cast<float>(z));
}

}  // namespace warpyard::scenes

#endif  // WARPYARD_BENCHMARKS_SCENES_SHAPES_H_
