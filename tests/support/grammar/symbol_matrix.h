// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Scopes as 4x4 matrices of doubles, beside the quaternions of the workers: an oracle for tests.
#ifndef WARPYARD_TESTS_SUPPORT_GRAMMAR_SYMBOL_MATRIX_H_
#define WARPYARD_TESTS_SUPPORT_GRAMMAR_SYMBOL_MATRIX_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <random>

#include "core/workload/geometry/vector3.h"
#include "core/workload/grammar/job/frame.h"

namespace warpyard::test_support {

using geometry::Vector3d;

/// Row by row; columns multiply (x, y, z, 1).
using Matrix4 = std::array<std::array<double, 4>, 4>;

inline constexpr Matrix4 kUnitMatrix = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};

/// The matrix that applies b and then a.
inline Matrix4 Product(const Matrix4& a, const Matrix4& b) {
  Matrix4 product{};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < 4; ++k) product[i][j] += a[i][k] * b[k][j];
    }
  }
  return product;
}

inline Vector3d Applied(const Matrix4& m, const Vector3d& p) {
  const auto row = [&](std::size_t i) {
    return m[i][0] * p.x + m[i][1] * p.y + m[i][2] * p.z + m[i][3];
  };
  return {row(0), row(1), row(2)};
}

inline Matrix4 MoveMatrix(const Vector3d& v) {
  Matrix4 m = kUnitMatrix;
  m[0][3] = v.x;
  m[1][3] = v.y;
  m[2][3] = v.z;
  return m;
}

/// Turns counter-clockwise, seen from the tip of the axis.
inline Matrix4 TurnMatrix(std::size_t axis, double degrees) {
  const double angle = degrees * 3.14159265358979323846 / 180;
  const std::size_t y = (axis + 1) % 3, z = (axis + 2) % 3;
  Matrix4 m = kUnitMatrix;
  m[y][y] = m[z][z] = std::cos(angle);
  m[z][y] = std::sin(angle);
  m[y][z] = -m[z][y];
  return m;
}

/// The axis points the other way.
inline Matrix4 FlipMatrix(std::size_t axis) {
  Matrix4 m = kUnitMatrix;
  m[axis][axis] = -1;
  return m;
}

/// From metres along the axes of a symbol's scope to those of the parcel.
inline Matrix4 MatrixOf(const grammar::Symbol& symbol) {
  const auto& q = symbol.scope.rotation;
  const double x = q.x, y = q.y, z = q.z, w = q.w;
  const auto& p = symbol.scope.position;
  const Matrix4 m = {{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), p.x},
                      {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), p.y},
                      {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), p.z},
                      {0, 0, 0, 1}}};
  return symbol.mirrored != 0 ? Product(m, FlipMatrix(0)) : m;
}

/// The greatest difference of two elements.
inline double DifferenceOf(const Matrix4& a, const Matrix4& b) {
  double most = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) most = std::max(most, std::fabs(a[i][j] - b[i][j]));
  }
  return most;
}

/// From the parcel's metres to those of the scope: the axes are perpendicular.
inline Matrix4 InverseOf(const Matrix4& m) {
  Matrix4 inverse = kUnitMatrix;
  for (std::size_t i = 0; i < 3; ++i) {
    inverse[i][3] = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      inverse[i][j] = m[j][i];
      inverse[i][3] -= m[j][i] * m[j][3];
    }
  }
  return inverse;
}

inline Vector3d SizeOf(const grammar::Symbol& symbol) {
  const auto& size = symbol.scope.size;
  return {size.x, size.y, size.z};
}

/// A point of the scope. @shape part: of the size along each axis
inline Vector3d PointOf(const grammar::Symbol& symbol, const Vector3d& part) {
  const Vector3d size = SizeOf(symbol);
  return Applied(MatrixOf(symbol), {part.x * size.x, part.y * size.y, part.z * size.z});
}

/// A scope with random place, axes and sizes, mirrored every other time.
inline grammar::Symbol RandomSymbol(std::mt19937& random) {
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> place(-50, 50), size(1, 20);
  grammar::Symbol symbol;
  float q[4];
  for (float& x : q) x = normal(random);
  const float length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  symbol.scope.position = {place(random), place(random), place(random)};
  symbol.scope.rotation = {q[0] / length, q[1] / length, q[2] / length, q[3] / length};
  symbol.scope.size = {size(random), size(random), size(random)};
  symbol.mirrored = static_cast<std::uint8_t>(random() % 2);
  return symbol;
}

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_SUPPORT_GRAMMAR_SYMBOL_MATRIX_H_
