// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/scenes/moving_scene.h"
#include "client_examples/demo/cloth_simulation.h"

namespace warpyard::scenes {
namespace {

/// Frames of the simulation until the cloth lies in folds.
constexpr int kFramesBefore = 40;

}  // namespace

MovingScene MakeClothBall(int frames) {
  demo::ClothSimulation simulation(demo::ClothOptions{});
  MovingScene scene;
  scene.name = "cloth-ball-like";
  scene.triangles = simulation.Triangles();
  for (int frame = 0; frame < kFramesBefore; ++frame) simulation.Advance();
  for (int frame = 0; frame < frames; ++frame) {
    if (frame > 0) simulation.Advance();
    scene.frames.push_back(simulation.Positions());
  }
  return scene;
}

}  // namespace warpyard::scenes
