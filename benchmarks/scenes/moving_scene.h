// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Computed scenes that move, for the benchmarks of collision detection.
//
// They replace the scenes of the thesis [SilvaThesis §4.2], whose files we may not distribute;
// README.md says how they differ. Coordinates are floats. Only operations that IEEE 754 rounds
// correctly make them (no sine, no power), so that a name gives the same bits everywhere.
#ifndef WARPYARD_BENCHMARKS_SCENES_MOVING_SCENE_H_
#define WARPYARD_BENCHMARKS_SCENES_MOVING_SCENE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpyard::scenes {

/// A mesh and consecutive frames of its motion. Between two frames vertices move on straight lines.
struct MovingScene {
  std::string name;
  /// @shape 3 vertex indices a triangle
  std::vector<std::uint32_t> triangles;
  /// @shape one a vertex. Empty: everything may collide with everything, also with itself.
  /// Otherwise only different groups should collide (collisions between objects).
  std::vector<std::uint32_t> vertex_groups;
  /// @shape [frames][x y z a vertex]
  std::vector<std::vector<float>> frames;

  std::size_t Vertices() const { return frames.front().size() / 3; }
  std::size_t Triangles() const { return triangles.size() / 3; }
};

/// Makes a scene by its name: "cloth-ball-like", "funnel-like", "bart-N" or "cloth-N" with N
/// triangles, where N may end in "k" or "m" (thousands, millions).
/// @shape frames: at least 2
/// @errors INVALID_ARGUMENT: no such scene, or it cannot have so many triangles
absl::StatusOr<MovingScene> MakeScene(absl::string_view name, int frames);

/// Triangles that move separately, in two groups that are to be tested against each other. In a
/// step each triangle moves straight from one place of its part of a cube to another. Places are
/// random and far apart, so the motion determines the size of a box, and not the size of the
/// triangle, as in BART's museum. So about one in twelve pairs of triangles has boxes that overlap,
/// however many triangles there are. @shape triangles: even
MovingScene MakeBart(std::uint32_t triangles, int frames);

/// A sheet in four layers, folded like a letter, with waves that run through the layers; each layer
/// touches its neighbours where a crest meets a trough. Quads have side 1 and waves a fixed length,
/// so pairs and collisions grow with the number of triangles. This is the scene for scaling.
/// @shape triangles: even, at least 64
MovingScene MakeFoldedCloth(std::uint32_t triangles, int frames);

/// A square cloth whose middle is drawn into a funnel: 18,504 triangles, with those of the funnel.
/// The surplus of its circumference forms pleats that fold over.
MovingScene MakeFunnel(int frames);

/// A cloth that has fallen on a spinning ball, 91,922 triangles: the simulation of the demo,
/// starting at the frame in which the cloth lies in folds. Takes seconds to make.
MovingScene MakeClothBall(int frames);

}  // namespace warpyard::scenes

#endif  // WARPYARD_BENCHMARKS_SCENES_MOVING_SCENE_H_
