// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/demo/cloth_simulation.h"

#include <algorithm>
#include <cmath>

#include "client_examples/demo/icosphere.h"

namespace warpyard::demo {
namespace {

constexpr double kGravity = 9.81;
constexpr double kStartHeight = 0.51;
// The cloth has already fallen 5 cm before the first frame.
constexpr double kStartSpeed = 1.0;
constexpr double kSpinPerSecond = 6.0;  // radians
constexpr double kFriction = 0.6;
constexpr double kDampingPerSecond = 0.4;
// Compliances of the three kinds of springs, times mass, divided by the square of the substep's
// time.
constexpr double kStretchCompliance = 0.3;
constexpr double kShearCompliance = 3.0;
constexpr double kBendCompliance = 40.0;

Vec3 operator+(const Vec3& a, const Vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vec3 operator-(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vec3 operator*(double s, const Vec3& v) { return {s * v[0], s * v[1], s * v[2]}; }
double Dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// SplitMix64 (Steele, Lea, Flood 2014): the same numbers with every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  // In [-1, 1).
  double Next() {
    std::uint64_t value = state_ += 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    value ^= value >> 31;
    return static_cast<double>(value >> 11) * 0x1p-52 - 1;
  }

 private:
  std::uint64_t state_;
};

// Turns a point around z. Uses a rational formula, since sine and cosine differ between libraries.
Vec3 Turn(const Vec3& p, double half_angle_tangent) {
  const double t = half_angle_tangent;
  const double cosine = (1 - t * t) / (1 + t * t);
  const double sine = 2 * t / (1 + t * t);
  return {cosine * p[0] - sine * p[1], sine * p[0] + cosine * p[1], p[2]};
}

}  // namespace

ClothSimulation::ClothSimulation(const ClothOptions& options)
    : options_(options),
      substep_seconds_(options.frame_seconds / options.substeps),
      cloth_vertices_(std::size_t{options.side_vertices} * options.side_vertices) {
  MakeCloth();
  MakeSprings();
  MakeBall();
  previous_.assign(positions_.begin(),
                   positions_.begin() + static_cast<std::ptrdiff_t>(cloth_vertices_));
  velocities_.assign(cloth_vertices_, Vec3{0, 0, -kStartSpeed});
}

void ClothSimulation::MakeCloth() {
  Random random(options_.seed);
  const std::uint32_t n = options_.side_vertices;
  const double spacing = kClothSide / (n - 1);
  const double x0 = 0.05 * random.Next() - kClothSide / 2;
  const double y0 = 0.05 * random.Next() - kClothSide / 2;
  for (std::uint32_t row = 0; row < n; ++row) {
    for (std::uint32_t column = 0; column < n; ++column) {
      Vec3 point = {x0 + spacing * column, y0 + spacing * row, kStartHeight};
      for (double& value : point) value += 0.02 * spacing * random.Next();
      positions_.push_back(point);
      if (row == 0 || column == 0) continue;
      // The diagonals alternate, so that the cloth has no preferred direction.
      const std::uint32_t d = row * n + column;
      const std::uint32_t a = d - n - 1, b = d - n, c = d - 1;
      if ((row + column) % 2 == 0) {
        triangles_.insert(triangles_.end(), {a, b, d, a, d, c});
      } else {
        triangles_.insert(triangles_.end(), {a, b, c, b, d, c});
      }
    }
  }
}

void ClothSimulation::MakeSprings() {
  const std::uint32_t n = options_.side_vertices;
  for (std::uint32_t row = 0; row < n; ++row) {
    for (std::uint32_t column = 0; column < n; ++column) {
      const std::uint32_t at = row * n + column;
      if (column + 1 < n) AddSpring(at, at + 1, kStretchCompliance);
      if (row + 1 < n) AddSpring(at, at + n, kStretchCompliance);
      if (row + 1 < n && column + 1 < n) {
        AddSpring(at, at + n + 1, kShearCompliance);
        AddSpring(at + 1, at + n, kShearCompliance);
      }
      if (column + 2 < n) AddSpring(at, at + 2, kBendCompliance);
      if (row + 2 < n) AddSpring(at, at + 2 * n, kBendCompliance);
    }
  }
}

void ClothSimulation::AddSpring(std::uint32_t a, std::uint32_t b, double compliance) {
  const Vec3 between = positions_[b] - positions_[a];
  springs_.push_back({a, b, std::sqrt(Dot(between, between)), compliance});
}

void ClothSimulation::MakeBall() {
  const Icosphere ball = MakeIcosphere(options_.ball_subdivisions);
  for (const Vec3& direction : ball.directions) positions_.push_back(kBallRadius * direction);
  for (const std::uint32_t corner : ball.triangles) {
    triangles_.push_back(static_cast<std::uint32_t>(cloth_vertices_) + corner);
  }
}

std::vector<std::uint32_t> ClothSimulation::VertexGroups() const {
  std::vector<std::uint32_t> groups(positions_.size(), 1);
  std::fill_n(groups.begin(), cloth_vertices_, 0);
  return groups;
}

std::vector<float> ClothSimulation::Positions() const {
  std::vector<float> positions;
  positions.reserve(3 * positions_.size());
  for (const Vec3& point : positions_) {
    for (const double value : point) positions.push_back(static_cast<float>(value));
  }
  return positions;
}

void ClothSimulation::Advance() {
  for (int i = 0; i < options_.substeps; ++i) Substep();
  // For a small angle the tangent nearly equals the angle; the error only makes the ball slightly
  // slower.
  const double half_angle_tangent = kSpinPerSecond * options_.frame_seconds / 2;
  for (std::size_t i = cloth_vertices_; i < positions_.size(); ++i) {
    positions_[i] = Turn(positions_[i], half_angle_tangent);
  }
}

void ClothSimulation::Substep() {
  const double dt = substep_seconds_;
  const double keep = 1 - kDampingPerSecond * dt;
  for (std::size_t i = 0; i < cloth_vertices_; ++i) {
    velocities_[i] = keep * velocities_[i];
    velocities_[i][2] -= kGravity * dt;
    previous_[i] = positions_[i];
    positions_[i] = positions_[i] + dt * velocities_[i];
  }
  RelaxSprings();
  KeepOutOfBall();
  for (std::size_t i = 0; i < cloth_vertices_; ++i) {
    velocities_[i] = (1 / dt) * (positions_[i] - previous_[i]);
  }
}

void ClothSimulation::RelaxSprings() {
  // Alternates forwards and backwards: in a fixed order, errors would accumulate at its end and
  // explode.
  if (backwards_) {
    std::for_each(springs_.rbegin(), springs_.rend(), [&](const Spring& s) { Relax(s); });
  } else {
    std::for_each(springs_.begin(), springs_.end(), [&](const Spring& s) { Relax(s); });
  }
  backwards_ = !backwards_;
}

void ClothSimulation::Relax(const Spring& spring) {
  Vec3& a = positions_[spring.a];
  Vec3& b = positions_[spring.b];
  const Vec3 between = b - a;
  const double length = std::sqrt(Dot(between, between));
  // A length of 0 has no direction and cannot be corrected.
  if (length == 0) return;
  // 2: both masses are 1.
  const double share = (length - spring.length) / (length * (2 + spring.compliance));
  a = a + share * between;
  b = b - share * between;
}

void ClothSimulation::KeepOutOfBall() {
  const double spin = kSpinPerSecond * substep_seconds_;
  for (std::size_t i = 0; i < cloth_vertices_; ++i) {
    const Vec3 point = positions_[i];
    const double square = Dot(point, point);
    if (square >= kBallRadius * kBallRadius || square == 0) continue;
    const double distance = std::sqrt(square);
    const Vec3 normal = (1 / distance) * point;
    const double depth = kBallRadius - distance;
    Vec3 surface = kBallRadius * normal;
    // Coulomb friction against the surface, which moves around z.
    const Vec3 drag = {-spin * surface[1], spin * surface[0], 0};
    Vec3 slip = surface - previous_[i] - drag;
    slip = slip - Dot(slip, normal) * normal;
    const double slip_length = std::sqrt(Dot(slip, slip));
    if (slip_length > 0) {
      surface = surface - std::min(kFriction * depth / slip_length, 1.0) * slip;
      // The correction moved the point along the tangent, so put it back on the ball.
      surface = (kBallRadius / std::sqrt(Dot(surface, surface))) * surface;
    }
    positions_[i] = surface;
  }
}

}  // namespace warpyard::demo
