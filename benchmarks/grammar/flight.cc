// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/grammar/flight.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "core/workload/geometry/vector3.h"

namespace warpyard::grammar_bench {
namespace {

using Vector = geometry::Vector3<double>;

constexpr double kRadians = 0.017453292519943295;
constexpr double kHalfHigh = 30, kHalfWide = 45.8;  // degrees: 16 to 9
constexpr double kSameArea = 0.9737;  // an octagon as large as a circle: its sides' distance
constexpr double kPixels = 540 / 0.5773502691896257;  // of 1080 lines

/// Details smaller than so many pixels are left out: then views have about as many triangles as in
/// the paper.
constexpr float kLeastPixels = 8;

/// Half a turn within four frames, twice on the walk.
float TurnOf(int frame) {
  const int turned = std::clamp(frame - 14, 0, 4) + std::clamp(frame - 29, 0, 4);
  return 45 * static_cast<float>(turned);
}

/// The half space of all p with (p - camera - distance * normal) . normal >= 0.
std::array<float, 4> PlaneOf(const Camera& camera, const Vector& normal, double distance) {
  const Vector at{camera.position[0], camera.position[1], camera.position[2]};
  return {static_cast<float>(normal.x), static_cast<float>(normal.y), static_cast<float>(normal.z),
          static_cast<float>(-geometry::Dot(normal, at) - distance)};
}

/// The side `number` of a polygon around the camera. @shape step: degrees from side to side
std::array<float, 4> FarPlane(const Camera& camera, int number, double step, double distance) {
  const double angle = (camera.turned + step * (number - 1.5)) * kRadians;
  return PlaneOf(camera, {-std::cos(angle), 0, -std::sin(angle)}, -distance);
}

}  // namespace

std::vector<Camera> CamerasOf() {
  std::vector<Camera> cameras;
  for (int p = 0; p < static_cast<int>(std::size(kFlight)); ++p) {
    const FlightPart& part = kFlight[p];
    for (int frame = 0; frame < part.frames; ++frame) {
      const float moved = part.speed * static_cast<float>(frame) / kFramesPerSecond;
      Camera camera{{part.begin_x, part.height, 15}, 0, 0, p, frame == 0};
      camera.position[part.rises ? 1 : 0] += moved;
      if (p == 0) camera.turned = TurnOf(frame);
      if (camera.position[1] > 100) camera.pitch = -10;
      cameras.push_back(camera);
    }
  }
  return cameras;
}

grammar::View ViewOf(const Camera& camera, float clip, Planes planes) {
  grammar::View view;
  for (int axis = 0; axis < 3; ++axis) view.position[axis] = camera.position[axis];
  view.pixels = static_cast<float>(kPixels);
  view.least_pixels = kLeastPixels;
  if (planes == Planes::kAround) {
    for (int i = 0; i < 8; ++i) view.planes.push_back(FarPlane(camera, i, 45, kSameArea * clip));
    return view;
  }
  const double turned = camera.turned * kRadians, pitch = camera.pitch * kRadians;
  const Vector ahead{std::cos(turned) * std::cos(pitch), std::sin(pitch),
                     std::sin(turned) * std::cos(pitch)};
  const Vector right{-std::sin(turned), 0, std::cos(turned)};
  const Vector up = geometry::Cross(right, ahead);
  const auto side = [&](const Vector& inwards, double half) {
    return std::cos(half * kRadians) * inwards + std::sin(half * kRadians) * ahead;
  };
  for (const double sign : {1.0, -1.0}) {
    view.planes.push_back(PlaneOf(camera, side(sign * right, kHalfWide), 0));
    view.planes.push_back(PlaneOf(camera, side(sign * up, kHalfHigh), 0));
  }
  for (int i = 0; i < 4; ++i) view.planes.push_back(FarPlane(camera, i, 22.5, clip));
  return view;
}

}  // namespace warpyard::grammar_bench
