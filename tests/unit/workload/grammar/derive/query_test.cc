// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Queries against corners, sampled directions and the nearest points, all in doubles.

#include "core/workload/grammar/derive/query.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/support/grammar/derive_memory.h"
#include "tests/support/grammar/symbol_matrix.h"

namespace warpyard {
namespace {

using geometry::Dot;
using geometry::Vector3d;
using grammar::CenteredBox;
using grammar::kTouch;
using grammar::Op;
using grammar::Symbol;
using test_support::Applied;
using test_support::DeriveMemory;
using test_support::InverseOf;
using test_support::MatrixOf;
using test_support::PointOf;
using test_support::RandomSymbol;
using test_support::SizeOf;

CenteredBox BoxOfSymbol(const Symbol& symbol) {
  return grammar::BoxOf(symbol.scope, grammar::CenterOf(symbol));
}

Vector3d CornerOf(const Symbol& symbol, int corner) {
  return PointOf(symbol, {double(corner & 1), double(corner >> 1 & 1), double(corner >> 2)});
}

/// Two boxes of a few metres near each other; every fifth one is flat, as facades are.
struct BoxPair {
  Symbol a;
  Symbol b;
};

BoxPair RandomPair(std::mt19937& random) {
  std::uniform_real_distribution<float> place(-2, 2), size(0.5f, 9);
  BoxPair pair{RandomSymbol(random), RandomSymbol(random)};
  for (Symbol* const symbol : {&pair.a, &pair.b}) {
    symbol->scope.position = {place(random), place(random), place(random)};
    symbol->scope.size = {size(random), size(random), size(random)};
    if (random() % 5 == 0) symbol->scope.size.z = 0;
    // Axes that are parallel give the test of separating axes less to do.
    if (random() % 4 == 0) symbol->scope.rotation = pair.a.scope.rotation;
  }
  return pair;
}

/// @shape direction: from a to b
struct Gap {
  double width;
  Vector3d direction;
};

/// How far two boxes are from each other in the direction in which they are farthest; how deep they
/// are in each other, negative, where they meet. By many directions and small steps from the best.
Gap GapOf(const Symbol& a, const Symbol& b) {
  Vector3d from[8], to[8];
  for (int i = 0; i < 8; ++i) {
    from[i] = CornerOf(a, i);
    to[i] = CornerOf(b, i);
  }
  const auto gap = [&](const Vector3d& direction) {
    double most = -1e9, least = 1e9;
    for (int i = 0; i < 8; ++i) {
      most = std::max(most, Dot(from[i], direction));
      least = std::min(least, Dot(to[i], direction));
    }
    return least - most;
  };
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const auto some = [&] { return Vector3d{normal(random), normal(random), normal(random)}; };
  const auto unit = [](const Vector3d& v) { return (1 / std::sqrt(Dot(v, v))) * v; };
  Gap best{gap({1, 0, 0}), {1, 0, 0}};
  const auto try_direction = [&](const Vector3d& direction, Gap& found) {
    if (gap(direction) > found.width) found = {gap(direction), direction};
  };
  for (int i = 0; i < 1000; ++i) try_direction(unit(some()), best);
  // Of two thin boxes that lie on each other the opposite direction is almost as good.
  Gap opposite{gap(-1.0 * best.direction), -1.0 * best.direction};
  for (Gap* const found : {&best, &opposite}) {
    for (double step = 0.3; step > 1e-5; step *= 0.99) {
      try_direction(unit(found->direction + step * some()), *found);
    }
  }
  return best.width > opposite.width ? best : opposite;
}

TEST(Meet, AgreesWithSampledDirections) {
  std::mt19937 random(2);
  int meeting = 0;
  for (int run = 0; run < 400; ++run) {
    BoxPair pair = RandomPair(random);
    if (run % 2 == 0) {
      // Most pairs are far from the limits: one is moved to where they are near.
      const Gap before = GapOf(pair.a, pair.b);
      const auto way = static_cast<float>((run % 4 == 0 ? 0.04 : -0.06) - before.width);
      const Vector3d& d = before.direction;
      pair.b.scope.position =
          pair.b.scope.position + way * grammar::Vector3f{static_cast<float>(d.x),
                                                          static_cast<float>(d.y),
                                                          static_cast<float>(d.z)};
    }
    const double gap = GapOf(pair.a, pair.b).width;
    const CenteredBox a = BoxOfSymbol(pair.a), b = BoxOfSymbol(pair.b);
    const bool touches = Meet(a, b, kTouch), overlaps = Meet(a, b, -kTouch);
    EXPECT_EQ(touches, Meet(b, a, kTouch));
    // Sampling finds gaps a little too small; near corners the planes of the test do, too.
    constexpr double kSampling = 0.02;
    EXPECT_FALSE(touches && gap > kTouch * 1.8) << run << " " << gap;
    EXPECT_TRUE(touches || gap > kTouch - kSampling) << run << " " << gap;
    EXPECT_FALSE(overlaps && gap > -kTouch) << run << " " << gap;
    EXPECT_TRUE(overlaps || gap > -kTouch - kSampling) << run << " " << gap;
    meeting += overlaps;
  }
  EXPECT_GT(meeting, 100);
  EXPECT_LT(meeting, 300);
}

/// A box with the axes of the parcel.
Symbol BoxAt(const grammar::Vector3f& position, const grammar::Vector3f& size) {
  Symbol symbol;
  symbol.scope = {position, {0, 0, 0, 1}, size};
  return symbol;
}

TEST(Meet, AllowsACentimetreBetweenSides) {
  const CenteredBox box = BoxOfSymbol(BoxAt({0, 0, 0}, {2, 2, 2}));
  const auto meets = [&](float x, float gap) {
    return Meet(box, BoxOfSymbol(BoxAt({x, 0, 0}, {2, 2, 2})), gap);
  };
  EXPECT_TRUE(meets(2.009f, kTouch));
  EXPECT_FALSE(meets(2.011f, kTouch));
  EXPECT_TRUE(meets(1.989f, -kTouch));
  EXPECT_FALSE(meets(1.991f, -kTouch));
}

TEST(IsInside, AgreesWithCornersAndTheMiddle) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> share(0.05f, 1);
  int inside = 0;
  for (int run = 0; run < 3000; ++run) {
    BoxPair pair = RandomPair(random);
    pair.a.scope.size = share(random) * pair.a.scope.size;
    const test_support::Matrix4 to_outer = InverseOf(MatrixOf(pair.b));
    const Vector3d size = SizeOf(pair.b);
    // How far the point is below the surface; negative outside.
    const auto depth = [&](const Vector3d& point) {
      const Vector3d own = Applied(to_outer, point);
      return std::min({own.x, own.y, own.z, size.x - own.x, size.y - own.y, size.z - own.z});
    };
    double least = depth(PointOf(pair.a, {0.5, 0.5, 0.5})) - 2 * double{kTouch};
    for (int i = 0; i < 8; ++i) least = std::min(least, depth(CornerOf(pair.a, i)));
    if (std::fabs(least + kTouch) < 1e-4) continue;
    EXPECT_EQ(IsInside(BoxOfSymbol(pair.a), BoxOfSymbol(pair.b)), least > -kTouch) << run;
    inside += least > -kTouch;
  }
  EXPECT_GT(inside, 30);
}

TEST(IsInside, LeavesFacadesInTheSurfaceOutside) {
  const CenteredBox house = BoxOfSymbol(BoxAt({0, 0, 0}, {8, 6, 8}));
  EXPECT_FALSE(IsInside(BoxOfSymbol(BoxAt({1, 1, 0}, {2, 2, 0})), house));
  EXPECT_TRUE(IsInside(BoxOfSymbol(BoxAt({1, 1, 0.02f}, {2, 2, 0})), house));
  EXPECT_TRUE(IsInside(house, house));
  EXPECT_TRUE(IsInside(BoxOfSymbol(BoxAt({-0.009f, 0, 0}, {4, 4, 4})), house));
  EXPECT_FALSE(IsInside(BoxOfSymbol(BoxAt({-0.011f, 0, 0}, {4, 4, 4})), house));
}

TEST(DistanceOf, IsThatOfTheNearestPoint) {
  std::mt19937 random(4);
  for (int run = 0; run < 1000; ++run) {
    const BoxPair pair = RandomPair(random);
    const Vector3d point = PointOf(pair.a, {0.5, 0.5, 0.5});
    const Vector3d own = Applied(InverseOf(MatrixOf(pair.b)), point), size = SizeOf(pair.b);
    const Vector3d away =
        own - Vector3d{std::clamp(own.x, 0.0, size.x), std::clamp(own.y, 0.0, size.y),
                       std::clamp(own.z, 0.0, size.z)};
    EXPECT_NEAR(DistanceOf(grammar::CenterOf(pair.a), BoxOfSymbol(pair.b)),
                std::sqrt(Dot(away, away)), 1e-4);
  }
}

/// A symbol of 1 m at the origin, of a stage, which asks about label 7.
class QueryTest : public testing::Test {
 protected:
  float Answer(Op op, std::uint32_t stage, std::uint32_t volume = grammar::kNone) {
    Symbol symbol = BoxAt({0, 0, 0}, {1, 1, 1});
    symbol.rule = static_cast<std::uint16_t>(stage);
    symbol.volume = volume;
    return AnswerOf(memory_.Job(), symbol, op, kLabel, steps_);
  }
  /// A volume of 1 m from x on. Returns its unit.
  std::uint32_t Add(float x, std::uint32_t label, std::uint32_t stage,
                    std::uint32_t parent = grammar::kNone) {
    return memory_.AddVolume(BoxAt({x, 0, 0}, {1, 1, 1}).scope, label, stage, parent);
  }

  static constexpr std::uint32_t kLabel = 7;
  grammar::Steps steps_;  ///< of all queries

 private:
  DeriveMemory memory_;
};

TEST_F(QueryTest, FindsNothingWithoutVolumes) {
  EXPECT_EQ(Answer(Op::kInside, 2), 0);
  EXPECT_EQ(Answer(Op::kTouches, 2), 0);
  EXPECT_EQ(Answer(Op::kOverlaps, 2), 0);
  EXPECT_EQ(Answer(Op::kNear, 2), 1e7f);
}

TEST_F(QueryTest, FindsVolumesOfEarlierStagesAlone) {
  Add(0, kLabel, 1);
  EXPECT_EQ(Answer(Op::kInside, 0), 0);
  EXPECT_EQ(Answer(Op::kInside, 1), 0);
  EXPECT_EQ(Answer(Op::kInside, 2), 1);
  EXPECT_EQ(Answer(Op::kNear, 2), 0);
  EXPECT_EQ(Answer(Op::kNear, 1), 1e7f);
}

TEST_F(QueryTest, FindsVolumesOfTheNameAlone) {
  Add(0, kLabel + 1, 0);
  EXPECT_EQ(Answer(Op::kOverlaps, 1), 0);
  Add(0.5f, kLabel, 0);
  Add(9, kLabel, 0);
  EXPECT_EQ(Answer(Op::kOverlaps, 1), 1);
  EXPECT_EQ(Answer(Op::kInside, 1), 0);
}

TEST_F(QueryTest, MeasuresToTheNearestOfSeveralStages) {
  Add(9, kLabel, 0);
  Add(4, kLabel, 1);
  Add(-7, kLabel, 1);
  EXPECT_FLOAT_EQ(Answer(Op::kNear, 2), 3.5f);
  EXPECT_FLOAT_EQ(Answer(Op::kNear, 1), 8.5f);
  EXPECT_EQ(Answer(Op::kTouches, 2), 0);
}

TEST_F(QueryTest, LeavesOutVolumesThatTheSymbolLiesIn) {
  const std::uint32_t house = Add(0, kLabel, 0);
  const std::uint32_t wing = Add(0, kLabel, 0, house);
  EXPECT_EQ(Answer(Op::kInside, 1, wing), 0);
  EXPECT_EQ(Answer(Op::kNear, 1, wing), 1e7f);
  // Below the house, but not in the wing.
  EXPECT_EQ(Answer(Op::kInside, 1, house), 1);
  Add(0, kLabel, 0);
  EXPECT_EQ(Answer(Op::kInside, 1, wing), 1);
}

TEST_F(QueryTest, TakesAStepForEachVolumeThatItLooksAt) {
  const std::uint32_t house = Add(0, kLabel, 0);
  Add(0, kLabel, 0);
  Add(0, kLabel + 1, 1);
  Add(0, kLabel, 2);
  EXPECT_EQ(Answer(Op::kNear, 2), 0);
  EXPECT_EQ(steps_.taken, 3u);
  EXPECT_EQ(Answer(Op::kNear, 2, house), 0);
  EXPECT_EQ(steps_.taken, 8u) << "two more for the volume that the symbol lies in";
  EXPECT_EQ(Answer(Op::kInside, 2), 1);
  EXPECT_EQ(steps_.taken, 9u);
}

TEST_F(QueryTest, TakesMoreStepsForTestsOfTwoBoxes) {
  Add(0, kLabel, 0);
  EXPECT_EQ(Answer(Op::kOverlaps, 1), 1);
  EXPECT_EQ(steps_.taken, 8u);
  EXPECT_EQ(Answer(Op::kTouches, 1), 1);
  EXPECT_EQ(steps_.taken, 16u);
}

TEST_F(QueryTest, AnswersNothingWithoutSteps) {
  Add(0, kLabel, 0);
  Add(0, kLabel, 0);
  steps_.most = 0;
  EXPECT_EQ(Answer(Op::kNear, 1), 0);
  EXPECT_EQ(steps_.taken, 1u);
  EXPECT_TRUE(steps_.AreTooMany());
  EXPECT_EQ(Answer(Op::kNear, 1), 1e7f);
  EXPECT_EQ(steps_.taken, 1u);
}

/// Snapped places against the nearest of many planes.
TEST(Snapped, MovesToTheNearestLineWithinReach) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> offset(-3, 3), step(0.5f, 4), place(0, 20), reach(0.1f, 3);
  for (int run = 0; run < 1000; ++run) {
    DeriveMemory memory;
    Symbol symbol = BoxAt({offset(random), 0, 0}, {20, 3, 3});
    symbol.mirrored = static_cast<std::uint8_t>(random() % 2);
    symbol.rule = 1;
    const double sign = symbol.mirrored != 0 ? -1 : 1, at = place(random), most = reach(random);
    double best = most, expected = at;
    for (int lines = 0; lines < 3; ++lines) {
      const float origin = offset(random), distance = step(random);
      memory.AddSnapLines({origin, 5, 5}, {random() % 2 == 0 ? 1.0f : -1.0f, 0, 0}, distance, 0);
      for (int k = -100; k <= 100; ++k) {
        // Where the plane is along the axis of the symbol.
        const double line =
            (double{origin} + k * double{distance} - symbol.scope.position.x) * sign;
        if (std::fabs(line - at) >= best) continue;
        best = std::fabs(line - at);
        expected = line;
      }
    }
    // Others do not count: across the axis, and of the same stage.
    memory.AddSnapLines({static_cast<float>(at), 0, 0}, {0, 1, 0}, 1, 0);
    memory.AddSnapLines({static_cast<float>(at), 0, 0}, {1, 0, 0}, 0.001f, 1);
    if (std::fabs(best - most) < 1e-4 && best < most) continue;
    const float moved =
        Snapped(memory.Job(), symbol, 0, static_cast<float>(at), static_cast<float>(most));
    EXPECT_NEAR(std::fabs(moved - at), std::fabs(expected - at), 1e-4) << run;
  }
}

TEST(Snapped, TakesTheFirstOfTwoLinesAtTheSameDistance) {
  for (const bool swapped : {false, true}) {
    DeriveMemory memory;
    memory.AddSnapLines({swapped ? 6.0f : 4.0f, 0, 0}, {1, 0, 0}, 100, 0);
    memory.AddSnapLines({swapped ? 4.0f : 6.0f, 0, 0}, {1, 0, 0}, 100, 0);
    Symbol symbol = BoxAt({0, 0, 0}, {20, 3, 3});
    symbol.rule = 1;
    EXPECT_EQ(Snapped(memory.Job(), symbol, 0, 5, 2), 4);
    // A line has to be nearer than the reach.
    EXPECT_EQ(Snapped(memory.Job(), symbol, 0, 5, 1), 5);
  }
}

TEST(Snapped, TakesLinesOfAxesThatAreParallelToLessThanADegree) {
  DeriveMemory memory;
  const auto turned = [](double degrees) {
    const double angle = degrees * 3.14159265358979323846 / 180;
    return grammar::Vector3f{static_cast<float>(std::cos(angle)),
                             static_cast<float>(std::sin(angle)), 0};
  };
  Symbol symbol = BoxAt({0, 0, 0}, {20, 3, 3});
  symbol.rule = 1;
  memory.AddSnapLines({4, 0, 0}, turned(0.9), 100, 0);
  EXPECT_EQ(Snapped(memory.Job(), symbol, 0, 5, 2), 5);
  memory.AddSnapLines({4, 0, 0}, turned(0.7), 100, 0);
  EXPECT_NEAR(Snapped(memory.Job(), symbol, 0, 5, 2), 4, 1e-3);
}

}  // namespace
}  // namespace warpyard
