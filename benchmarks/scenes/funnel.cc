// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "benchmarks/scenes/moving_scene.h"
#include "benchmarks/scenes/shapes.h"

namespace warpyard::scenes {
namespace {

// Lengths are in half sides of the cloth. The funnel's axis is z, and its upper rim is at z = 0.
constexpr std::uint32_t kClothQuads = 90;               // along a side: 16,200 triangles
constexpr std::uint32_t kAround = 64, kDown = 18;       // quads of the funnel: 2,304 triangles
constexpr double kNeck = 0.2, kRim = 1.0;               // radii
constexpr double kConeDepth = 0.8, kDepth = 1.6;        // ends of the cone, of the tube below it
constexpr double kSlant = 1.1313708498984762;           // of the cone: length along it
constexpr double kClearance = 0.02;                     // of the cloth from the funnel
constexpr double kFirstDraw = 0.6, kDrawOfStep = 0.02;  // how far the middle has gone down
constexpr double kPleats = 6.0;                         // in a quarter of the circumference
constexpr double kPleatDepth = 0.5, kPleatFold = 0.5;
constexpr double kSwingOfStep = 0.03;  // of the pleats, in periods
constexpr double kTurnOfStep = 0.01;   // half the angle, as a tangent

struct Direction {
  double x, y;
};

/// Turns by a rational formula, because sine and cosine differ between libraries.
Direction Turn(Direction of, double half_tangent) {
  const double t = half_tangent;
  const double cosine = (1 - t * t) / (1 + t * t), sine = 2 * t / (1 + t * t);
  return {cosine * of.x - sine * of.y, sine * of.x + cosine * of.y};
}

/// A number that grows from 0 to 4 around the axis.
double Around(Direction at) {
  const double p = at.y / (std::fabs(at.x) + std::fabs(at.y));
  if (at.x < 0) return 2 - p;
  return at.y < 0 ? 4 + p : p;
}

/// A point of the funnel's inner side, by its distance along the side from the lower end of the
/// cone.
struct Profile {
  double radius, z;
};

Profile ProfileAt(double along) {
  if (along <= 0) return {kNeck, along - kConeDepth};
  const double share = along / kSlant;
  if (share < 1) return {kNeck + share * (kRim - kNeck), (share - 1) * kConeDepth};
  return {kRim + along - kSlant, 0};
}

void AppendCloth(int frame, std::vector<float>& positions) {
  const double draw = kFirstDraw + kDrawOfStep * frame;
  for (std::uint32_t row = 0; row <= kClothQuads; ++row) {
    for (std::uint32_t column = 0; column <= kClothQuads; ++column) {
      const auto coordinate = [&](std::uint32_t index, std::uint64_t axis) {
        return (2.0 * index + 0.1 * Noise(row, column, axis)) / kClothQuads - 1.0;
      };
      const double x = coordinate(column, 0), y = coordinate(row, 1);
      const double rest = std::sqrt(x * x + y * y) + 1e-9;
      Direction at{(x + 1e-9) / rest, y / rest};
      // The middle of the cloth hangs in the tube. The points at distance `draw` from the middle
      // are where the cone begins.
      const Profile place = ProfileAt(rest - draw);
      // Where the funnel is narrower than the cloth was, the surplus cloth forms pleats. The pleats
      // point inward, and their sides lie over one another.
      const double radius = std::min(place.radius - kClearance, rest);
      const double excess = 1.0 - radius / rest;
      const double turns = kPleats * Around(at) + 0.3 * Noise(row / 8, column / 8, 2);
      const double inward = kPleatDepth * excess * (0.5 + 0.5 * Wave(turns));
      at = Turn(at, kPleatFold * excess * Wave(turns + 0.25 + 0.3 * rest + kSwingOfStep * frame) /
                        kPleats);
      at = Turn(at, kTurnOfStep * frame * excess * (1.0 + Wave(0.7 * rest + 0.05 * frame)));
      const double r = radius * (1.0 - inward);
      AppendPoint(r * at.x, r * at.y, place.z + 0.002 * Noise(row, column, 3), positions);
    }
  }
}

void AppendFunnel(std::vector<float>& positions) {
  for (std::uint32_t row = 0; row <= kDown; ++row) {
    const double from_rim = (kDepth - kConeDepth + kSlant) * row / kDown;
    const Profile place = ProfileAt(kSlant - from_rim);
    Direction at{1, 0};
    for (std::uint32_t column = 0; column < kAround; ++column) {
      AppendPoint(place.radius * at.x, place.radius * at.y, place.z, positions);
      at = Turn(at, 0.04912684976946725);  // the tangent of half of a 64th of a circle
    }
  }
}

}  // namespace

MovingScene MakeFunnel(int frames) {
  MovingScene scene;
  scene.name = "funnel-like";
  AppendSheet(0, kClothQuads, kClothQuads, false, scene.triangles);
  AppendSheet((kClothQuads + 1) * (kClothQuads + 1), kDown, kAround, true, scene.triangles);
  for (int frame = 0; frame < frames; ++frame) {
    std::vector<float>& positions = scene.frames.emplace_back();
    AppendCloth(frame, positions);
    AppendFunnel(positions);
  }
  return scene;
}

}  // namespace warpyard::scenes
