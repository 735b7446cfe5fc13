// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "benchmarks/scenes/moving_scene.h"
#include "benchmarks/scenes/shapes.h"

namespace warpyard::scenes {
namespace {

/// Half the sides of two cubes, in units of the side of the cube that contains the homes of all
/// triangles. In each frame the centre of a triangle is in the first cube, around its home. The
/// corners are in the second cube, around the centre.
constexpr double kTravel = 0.35, kReach = 0.05;

}  // namespace

MovingScene MakeBart(std::uint32_t triangles, int frames) {
  MovingScene scene;
  scene.name = absl::StrCat("bart-", triangles);
  for (std::uint32_t v = 0; v < 3 * triangles; ++v) {
    scene.triangles.push_back(v);
    scene.vertex_groups.push_back(v / 3 < triangles / 2 ? 0 : 1);
  }
  for (int frame = 0; frame < frames; ++frame) {
    std::vector<float>& positions = scene.frames.emplace_back();
    for (std::uint32_t t = 0; t < triangles; ++t) {
      const auto of = [&](std::uint32_t number) {
        return 2.0 * Noise(static_cast<std::uint64_t>(frame) + 1, t, number) - 1.0;
      };
      for (std::uint32_t corner = 1; corner <= 3; ++corner) {
        double point[3];
        for (std::uint32_t k = 0; k < 3; ++k) {
          point[k] = Noise(0, t, k) + kTravel * of(k) + kReach * of(3 * corner + k);
        }
        AppendPoint(point[0], point[1], point[2], positions);
      }
    }
  }
  return scene;
}

}  // namespace warpyard::scenes
