// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A square cloth that falls on a spinning ball: a scene for the collision service.
//
// A mass-spring cloth by extended position-based dynamics with small steps: one pass over all
// springs in each of many substeps (Macklin et al., "Small Steps in Physics Simulation", 2019). The
// simulation keeps the cloth out of the ball, but not out of itself: the service is to find its
// folds. The same options give the same bits on every run.
#ifndef WARPYARD_CLIENT_EXAMPLES_DEMO_CLOTH_SIMULATION_H_
#define WARPYARD_CLIENT_EXAMPLES_DEMO_CLOTH_SIMULATION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpyard::demo {

using Vec3 = std::array<double, 3>;

struct ClothOptions {
  /// Vertices along each side of the cloth. With the default ball: 91,922 triangles.
  std::uint32_t side_vertices = 190;
  /// How often each triangle of an icosahedron is divided into four to make the ball.
  int ball_subdivisions = 5;
  /// Seed of the small irregularities of the cloth and its place.
  std::uint64_t seed = 1;
  double frame_seconds = 1.0 / 40;
  int substeps = 20;
};

/// @units metres, seconds; z is up
class ClothSimulation {
 public:
  static constexpr double kBallRadius = 0.5;  ///< around the origin
  static constexpr double kClothSide = 2.0;

  explicit ClothSimulation(const ClothOptions& options);

  /// @shape 3 vertex indices a triangle; the cloth's first, then the ball's
  const std::vector<std::uint32_t>& Triangles() const { return triangles_; }

  /// @shape one a vertex: 0 cloth, 1 ball
  std::vector<std::uint32_t> VertexGroups() const;

  std::size_t ClothVertices() const { return cloth_vertices_; }

  /// The positions now.
  /// @shape x y z a vertex
  std::vector<float> Positions() const;

  /// Moves on by one frame.
  void Advance();

 private:
  struct Spring {
    std::uint32_t a, b;
    double length;
    double compliance;  ///< scaled by mass and the squared time of a substep: no unit
  };

  void MakeCloth();
  void MakeSprings();
  void AddSpring(std::uint32_t a, std::uint32_t b, double compliance);
  void MakeBall();
  void Substep();
  void RelaxSprings();
  void Relax(const Spring& spring);
  void KeepOutOfBall();

  ClothOptions options_;
  double substep_seconds_;
  std::size_t cloth_vertices_;
  std::vector<std::uint32_t> triangles_;
  std::vector<Spring> springs_;
  /// @shape the cloth's vertices, then the ball's
  std::vector<Vec3> positions_;
  /// @shape the cloth's vertices
  std::vector<Vec3> previous_;
  std::vector<Vec3> velocities_;
  bool backwards_ = false;
};

}  // namespace warpyard::demo

#endif  // WARPYARD_CLIENT_EXAMPLES_DEMO_CLOTH_SIMULATION_H_
