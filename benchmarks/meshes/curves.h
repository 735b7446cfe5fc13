// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Sines, and smooth noise in space, with the same bits on every machine.
#ifndef WARPYARD_BENCHMARKS_MESHES_CURVES_H_
#define WARPYARD_BENCHMARKS_MESHES_CURVES_H_

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "benchmarks/meshes/triangle_mesh.h"
#include "benchmarks/scenes/shapes.h"

namespace warpyard::meshes {

/// The sine of a number of turns, to about 1e-15. std::sin may differ between libraries.
inline double SineOfTurns(double turns) {
  double x = turns - std::floor(turns + 0.5);  // -0.5 to 0.5
  if (x > 0.25) x = 0.5 - x;
  if (x < -0.25) x = -0.5 - x;
  const double angle = 6.283185307179586 * x, squared = angle * angle;
  double term = angle, sum = angle;
  for (int i = 2; i <= 22; i += 2) {
    term = -term * squared / (i * (i + 1.0));
    sum = sum + term;
  }
  return sum;
}

inline double CosineOfTurns(double turns) { return SineOfTurns(turns + 0.25); }

/// Smooth noise between -1 and 1: random values on the grid of integers, blended between.
inline double SmoothNoise(const Point& point, std::uint64_t seed) {
  std::uint64_t cell[3];
  double blend[3];
  for (std::size_t k = 0; k < 3; ++k) {
    const double floor = std::floor(point[k]), t = point[k] - floor;
    cell[k] = static_cast<std::uint64_t>(static_cast<std::int64_t>(floor));
    blend[k] = t * t * (3 - 2 * t);
  }
  double sum = 0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    double weight = 1;
    std::uint64_t at[3];
    for (unsigned k = 0; k < 3; ++k) {
      const unsigned up = corner >> k & 1u;
      at[k] = cell[k] + up;
      weight = weight * (up != 0 ? blend[k] : 1 - blend[k]);
    }
    sum = sum + weight * scenes::Noise(at[0] + (seed << 32), at[1], at[2]);
  }
  return 2 * sum - 1;
}

/// Smooth noise of several sizes: each octave has half the size and half the height of the one
/// before it.
inline double Hills(Point point, std::uint64_t seed, int octaves) {
  double sum = 0, height = 1;
  for (int octave = 0; octave < octaves; ++octave) {
    sum = sum + height * SmoothNoise(point, seed + static_cast<std::uint64_t>(octave));
    for (double& value : point) value = 2 * value;
    height = height / 2;
  }
  return sum;
}

}  // namespace warpyard::meshes

#endif  // WARPYARD_BENCHMARKS_MESHES_CURVES_H_
