// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/rigid_bodies.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "absl/strings/str_cat.h"

namespace warpyard::ccd {
namespace {

using geometry::RigidTransform;
using geometry::Vector3d;

/// Largest magnitude of a coordinate; the service accepts positions up to the same limit.
constexpr double kFarthest = 1e38;

double Norm(const Vector3d& v) { return std::hypot(v.x, v.y, v.z); }

double Deviation(const BodyBall& ball, const RigidTransform& start, const RigidTransform& end) {
  double squares = 0;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      const double change = end.rows[row][column] - start.rows[row][column];
      squares += change * change;
    }
  }
  // Rotations an angle apart differ by sqrt(8) sin(angle / 2) in the Frobenius norm. This is
  // accurate for small angles, where the arc cosine of the trace is not.
  const double sine = std::min(1.0, std::sqrt(squares / 8));
  const double tangent = sine / (1 + std::sqrt(1 - sine * sine));  // of a quarter of the angle
  const double way = Norm(Apply(end, ball.centre) - Apply(start, ball.centre));
  return tangent * (ball.radius * sine + way / 2);
}

}  // namespace

std::uint32_t CountBodies(std::span<const std::uint32_t> vertex_groups) {
  if (vertex_groups.empty()) return 0;
  const std::uint32_t last = *std::max_element(vertex_groups.begin(), vertex_groups.end());
  return last < vertex_groups.size() ? last + 1 : 0;
}

std::vector<BodyBall> BallsOf(std::span<const Vector3d> rest,
                              std::span<const std::uint32_t> body_of, std::uint32_t bodies) {
  struct Extent {
    Vector3d low, high;
  };
  std::vector<Extent> extents(bodies);
  std::vector<BodyBall> balls(bodies, BodyBall{{0, 0, 0}, -1});
  for (std::size_t v = 0; v < rest.size(); ++v) {
    const Vector3d& p = rest[v];
    auto& [low, high] = extents[body_of[v]];
    double& radius = balls[body_of[v]].radius;
    if (radius < 0) low = high = p;
    radius = 0;
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  for (std::size_t b = 0; b < bodies; ++b) {
    balls[b].centre = 0.5 * (extents[b].low + extents[b].high);
  }
  for (std::size_t v = 0; v < rest.size(); ++v) {
    BodyBall& ball = balls[body_of[v]];
    ball.radius = std::max(ball.radius, Norm(rest[v] - ball.centre));
  }
  return balls;
}

absl::Status CheckReach(std::span<const BodyBall> balls, std::span<const RigidTransform> pose) {
  for (std::size_t b = 0; b < balls.size(); ++b) {
    if (balls[b].radius < 0) continue;
    const Vector3d centre = Apply(pose[b], balls[b].centre);
    const double reach =
        std::max({std::abs(centre.x), std::abs(centre.y), std::abs(centre.z)}) + balls[b].radius;
    if (reach <= kFarthest) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("the pose takes body ", b, " further than ", kFarthest, " from the origin"));
  }
  return absl::OkStatus();
}

double PathDeviation(std::span<const BodyBall> balls, std::span<const RigidTransform> start,
                     std::span<const RigidTransform> end) {
  double largest = 0;
  for (std::size_t b = 0; b < balls.size(); ++b) {
    if (balls[b].radius < 0) continue;
    largest = std::max(largest, Deviation(balls[b], start[b], end[b]));
  }
  return largest;
}

}  // namespace warpyard::ccd
