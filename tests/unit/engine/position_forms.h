// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Quantised positions and poses for tests, and the doubles that they mean, computed by separate
// formulas.
#ifndef WARPYARD_TESTS_UNIT_ENGINE_POSITION_FORMS_H_
#define WARPYARD_TESTS_UNIT_ENGINE_POSITION_FORMS_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/workload/ccd/collision_types.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/motion.h"

namespace warpyard::test_support {

/// Positions as places in a box.
class QuantizedPositions {
 public:
  /// Takes the box around the positions. @shape x y z a vertex
  explicit QuantizedPositions(const std::vector<double>& values) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      box_.low[axis] = box_.high[axis] = values[axis];
      for (std::size_t i = axis; i < values.size(); i += 3) {
        box_.low[axis] = std::min(box_.low[axis], values[i]);
        box_.high[axis] = std::max(box_.high[axis], values[i]);
      }
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double low = box_.low[i % 3], size = box_.high[i % 3] - low;
      const double place = size == 0 ? 0 : std::round((values[i] - low) / size * 65535);
      places_.push_back(static_cast<std::uint16_t>(place));
    }
  }

  ccd::PositionsView View() const {
    return {ccd::ScalarType::kQuantized16, places_.data(), places_.size() / 3, box_};
  }

  std::vector<double> Doubles() const {
    std::vector<double> doubles;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const double low = box_.low[i % 3];
      const double step = (box_.high[i % 3] - low) / 65535;
      const double offset = step * places_[i];
      doubles.push_back(low + offset);
    }
    return doubles;
  }

 private:
  ccd::QuantizationBox box_;
  std::vector<std::uint16_t> places_;
};

/// A 3x4 matrix, row by row.
using Matrix = std::array<double, 12>;

inline constexpr Matrix kIdentity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

/// Turns by an angle about an axis through the origin, then moves. @shape axis: of any length
inline Matrix Turn(Vec3 axis, double angle, const Vec3& translation = {0, 0, 0}) {
  const double length = std::hypot(axis[0], axis[1], axis[2]);
  for (double& a : axis) a /= length;
  const double c = std::cos(angle), s = std::sin(angle);
  Matrix m{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    m[4 * i + i] = c + (1 - c) * axis[i] * axis[i];
    m[4 * i + j] = (1 - c) * axis[i] * axis[j] - s * axis[k];
    m[4 * i + k] = (1 - c) * axis[i] * axis[k] + s * axis[j];
    m[4 * i + 3] = translation[i];
  }
  return m;
}

inline Matrix RandomTransform(Random& random, double largest_angle, double largest_way) {
  const Vec3 axis = random.Point(1);
  return Turn(axis, random.Uniform(-largest_angle, largest_angle), random.Point(largest_way));
}

inline Vec3 Transformed(const Matrix& m, const Vec3& p) {
  Vec3 result;
  for (std::size_t row = 0; row < 3; ++row) {
    double sum = m[4 * row] * p[0];
    sum = sum + m[4 * row + 1] * p[1];
    sum = sum + m[4 * row + 2] * p[2];
    result[row] = sum + m[4 * row + 3];
  }
  return result;
}

/// A matrix for each body.
class Pose {
 public:
  explicit Pose(std::vector<Matrix> matrices) : matrices_(std::move(matrices)) {}

  static Pose Random(test_support::Random& random, std::size_t bodies, double angle, double way) {
    std::vector<Matrix> matrices(bodies);
    for (Matrix& matrix : matrices) matrix = RandomTransform(random, angle, way);
    return Pose(std::move(matrices));
  }

  ccd::PoseView View() const { return {matrices_.data(), matrices_.size()}; }
  const std::vector<Matrix>& matrices() const { return matrices_; }

  /// The positions of vertices after the pose, from their rest positions.
  std::vector<double> Doubles(const std::vector<double>& rest,
                              const std::vector<std::uint32_t>& body_of) const {
    std::vector<double> doubles;
    for (std::size_t v = 0; v < body_of.size(); ++v) {
      const Vec3 p = {rest[3 * v], rest[3 * v + 1], rest[3 * v + 2]};
      for (const double x : Transformed(matrices_[body_of[v]], p)) doubles.push_back(x);
    }
    return doubles;
  }

 private:
  std::vector<Matrix> matrices_;
};

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_UNIT_ENGINE_POSITION_FORMS_H_
