// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Transforms against products of matrices.

#include "core/workload/grammar/derive/transform.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/support/grammar/symbol_matrix.h"

namespace warpyard {
namespace {

using geometry::Vector3d;
using grammar::Symbol;
using grammar::Vector3f;
using test_support::Applied;
using test_support::DifferenceOf;
using test_support::FlipMatrix;
using test_support::Matrix4;
using test_support::MatrixOf;
using test_support::MoveMatrix;
using test_support::PointOf;
using test_support::RandomSymbol;
using test_support::SizeOf;
using test_support::TurnMatrix;

/// A symbol, and its scope by products of matrices.
class SymbolAndMatrix {
 public:
  explicit SymbolAndMatrix(const Symbol& symbol) : symbol_(symbol), matrix_(MatrixOf(symbol)) {}

  void Move(const Vector3f& v) {
    Translate(symbol_, v);
    Apply(MoveMatrix({v.x, v.y, v.z}));
  }

  /// @shape halves: of the sizes: the pivot
  void TurnAbout(std::uint32_t axis, float degrees, const std::uint32_t (&halves)[3]) {
    symbol_.pivot = static_cast<std::uint8_t>(halves[0] | halves[1] << 2 | halves[2] << 4);
    Turn(symbol_, grammar::TurnOf(axis, degrees));
    const Vector3d size = SizeOf(symbol_);
    const Vector3d pivot{size.x * halves[0] / 2, size.y * halves[1] / 2, size.z * halves[2] / 2};
    Apply(MoveMatrix(pivot));
    Apply(TurnMatrix(axis, degrees));
    Apply(MoveMatrix(-1.0 * pivot));
  }

  void Flip(std::uint32_t axis) {
    Vector3d v{0, 0, 0};
    (axis == 0 ? v.x : axis == 1 ? v.y : v.z) = grammar::At(symbol_.scope.size, axis);
    Mirror(symbol_, axis);
    Apply(MoveMatrix(v));
    Apply(FlipMatrix(axis));
  }

  double Error() const { return DifferenceOf(MatrixOf(symbol_), matrix_); }

 private:
  void Apply(const Matrix4& m) { matrix_ = test_support::Product(matrix_, m); }

  Symbol symbol_;
  Matrix4 matrix_;
};

TEST(Transform, ComposesAsMatricesDo) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> length(-5, 5), degrees(-400, 400);
  for (int run = 0; run < 300; ++run) {
    SymbolAndMatrix both(RandomSymbol(random));
    for (int step = 0; step < 25; ++step) {
      const auto axis = static_cast<std::uint32_t>(random() % 3);
      const auto half = [&] { return static_cast<std::uint32_t>(random() % 3); };
      switch (random() % 3) {
        case 0:
          both.Move({length(random), length(random), length(random)});
          break;
        case 1:
          both.TurnAbout(axis, degrees(random), {half(), half(), half()});
          break;
        default:
          both.Flip(axis);
      }
    }
    EXPECT_LT(both.Error(), 5e-4) << run;
  }
}

TEST(Transform, DoesNotDriftOverManyTurns) {
  Symbol symbol;
  symbol.scope = {{0, 0, 0}, {0, 0, 0, 1}, {1, 2, 3}};
  for (std::uint32_t i = 0; i < 36'000; ++i) Turn(symbol, grammar::TurnOf(i % 3, 0.03f));
  const auto& q = symbol.scope.rotation;
  EXPECT_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-6);
}

TEST(Mirror, KeepsTheBox) {
  std::mt19937 random(2);
  for (int run = 0; run < 100; ++run) {
    const Symbol before = RandomSymbol(random);
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      Symbol after = before;
      Mirror(after, axis);
      // A point at a part of the sizes is the one at the rest of that part.
      const Vector3d part{0.1, 0.2, 0.3};
      Vector3d other = part;
      double& mirrored = axis == 0 ? other.x : axis == 1 ? other.y : other.z;
      mirrored = 1 - mirrored;
      const Vector3d away = PointOf(after, part) - PointOf(before, other);
      EXPECT_LT(std::sqrt(Dot(away, away)), 1e-4);
      Mirror(after, axis);
      EXPECT_LT(DifferenceOf(MatrixOf(after), MatrixOf(before)), 1e-4);
      EXPECT_EQ(after.mirrored, before.mirrored);
    }
  }
}

TEST(Align, PointsUpByTheLeastTurn) {
  std::mt19937 random(3);
  for (int run = 0; run < 200; ++run) {
    const Symbol before = RandomSymbol(random);
    Symbol after = before;
    Align(after);
    const Matrix4 old = MatrixOf(before), made = MatrixOf(after);
    EXPECT_NEAR(made[1][1], 1, 1e-5);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(made[i][3], old[i][3], 1e-6);
    // The trace of the turn tells its angle: that between the old y axis and the vertical.
    double trace = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 3; ++k) trace += made[i][k] * old[i][k];
    }
    EXPECT_NEAR((trace - 1) / 2, old[1][1], 1e-4);
  }
}

TEST(Align, TurnsAScopeThatIsUpsideDown) {
  Symbol symbol;
  symbol.scope = {{1, 2, 3}, {1, 0, 0, 0}, {1, 1, 1}};
  Align(symbol);
  EXPECT_NEAR(MatrixOf(symbol)[1][1], 1, 1e-6);
}

TEST(MoveToCenter, MovesTheMiddleAlongTheNamedAxesAlone) {
  std::mt19937 random(4);
  for (std::uint32_t axes = 0; axes < 8; ++axes) {
    const Symbol before = RandomSymbol(random);
    Symbol after = before;
    const Vector3d goal{3, -4, 5};
    MoveToCenter(after, {3, -4, 5}, axes);
    // In metres of the scope before: its axes stay.
    const Matrix4 inverse = test_support::InverseOf(MatrixOf(before));
    const Vector3d half = 0.5 * SizeOf(before);
    const Vector3d middle = Applied(inverse, PointOf(after, {0.5, 0.5, 0.5}));
    const Vector3d wanted = Applied(inverse, goal);
    EXPECT_NEAR(middle.x, (axes & 1) != 0 ? wanted.x : half.x, 1e-4);
    EXPECT_NEAR(middle.y, (axes & 2) != 0 ? wanted.y : half.y, 1e-4);
    EXPECT_NEAR(middle.z, (axes & 4) != 0 ? wanted.z : half.z, 1e-4);
  }
}

TEST(CenterOf, IsTheMiddle) {
  std::mt19937 random(5);
  for (int run = 0; run < 100; ++run) {
    const Symbol symbol = RandomSymbol(random);
    const Vector3f center = grammar::CenterOf(symbol);
    const Vector3d expected = PointOf(symbol, {0.5, 0.5, 0.5});
    EXPECT_NEAR(center.x, expected.x, 1e-4);
    EXPECT_NEAR(center.y, expected.y, 1e-4);
    EXPECT_NEAR(center.z, expected.z, 1e-4);
  }
}

TEST(Extrude, GivesAFlatScopeAThickness) {
  const auto extruded = [](Vector3f size) {
    Symbol symbol;
    symbol.scope.size = size;
    grammar::Extrude(symbol, 7);
    return symbol.scope.size;
  };
  EXPECT_EQ(extruded({1, 2, 0}).z, 7);
  EXPECT_EQ(extruded({1, 2, 3}).z, 7);
  EXPECT_EQ(extruded({1, 0, 3}).y, 7);
  EXPECT_EQ(extruded({1, 0, 3}).z, 3);
  // Flat along both: a face without height.
  EXPECT_EQ(extruded({1, 0, 0}).z, 7);
}

TEST(IsSolid, AllowsOneThinAxisAndNothingWithoutEnd) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const auto solid = [](Vector3f position, Vector3f size) {
    return grammar::IsSolid({position, {0, 0, 0, 1}, size});
  };
  EXPECT_TRUE(solid({0, 0, 0}, {1, 1, 1}));
  EXPECT_TRUE(solid({0, 0, 0}, {1, 0, 1}));
  EXPECT_TRUE(solid({0, 0, 0}, {1, 1e-4f, 1e-4f}));
  EXPECT_FALSE(solid({0, 0, 0}, {1, 9e-5f, 9e-5f}));
  EXPECT_FALSE(solid({0, 0, 0}, {-1e-6f, 1, 1}));
  EXPECT_FALSE(solid({0, 0, 0}, {1, kNan, 1}));
  EXPECT_FALSE(solid({0, kNan, 0}, {1, 1, 1}));
  EXPECT_TRUE(solid({0, 0, -1e7f}, {1e7f, 1, 1}));
  EXPECT_FALSE(solid({0, 0, -1.1e7f}, {1, 1, 1}));
  EXPECT_FALSE(solid({0, 0, 0}, {1.1e7f, 1, 1}));
  EXPECT_FALSE(grammar::IsSolid({{0, 0, 0}, {kNan, 0, 0, 1}, {1, 1, 1}}));
}

}  // namespace
}  // namespace warpyard
