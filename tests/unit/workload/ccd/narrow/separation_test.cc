// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/narrow/separation.h"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/workload/ccd/narrow/closest_points.h"
#include "core/workload/geometry/bounds.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/oracles/exact_query.h"
#include "tests/support/oracles/feature_distance.h"
#include "tests/support/seed_count.h"
#include "tests/unit/workload/ccd/narrow/exact_pair.h"

namespace warpyard::ccd {
namespace {

using test_support::EarliestImpact;
using test_support::OtherKind;
using test_support::Query;
using test_support::Random;

mpq_class ExactDot(const Vector3d& d, const Vector3d& x) {
  return mpq_class(d.x) * mpq_class(x.x) + mpq_class(d.y) * mpq_class(x.y) +
         mpq_class(d.z) * mpq_class(x.z);
}

/// Least difference d . (x_i - y_j) at a time, without rounding.
mpq_class ExactLeast(const MovingPair& pair, const Vector3d& d, double time) {
  const mpq_class t(time);
  mpq_class at[4];
  for (int k = 0; k < 4; ++k) {
    at[k] = (1 - t) * ExactDot(d, pair.start[k]) + t * ExactDot(d, pair.end[k]);
  }
  const int first_group = pair.FirstGroup();
  mpq_class least = at[0] - at[first_group];
  for (int i = 0; i < first_group; ++i) {
    for (int j = first_group; j < 4; ++j) least = std::min(least, mpq_class(at[i] - at[j]));
  }
  return least;
}

/// Pairs of all sizes and places, so that cancellation is common.
Query CancellingQuery(Random& random, std::uint32_t i) {
  const double scale = std::ldexp(1.0, static_cast<int>(random.Below(80)) - 40);
  const test_support::Vec3 by = random.Point(i % 3 == 0 ? 0 : 1e6 * scale);
  const Query query = i % 2 == 0 ? test_support::AimedQuery(random, OtherKind(i / 2), 1e-9)
                                 : test_support::RandomQuery(random, OtherKind(i / 2), 1);
  return test_support::Moved(query, scale, by);
}

TEST(Separation, ErrsByLessThanItsMargin) {
  Random random(31);
  double worst = 0;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const MovingPair pair = ToMovingPair(CancellingQuery(random, i));
    const double time = random.Uniform(0, 1);
    const test_support::Vec3 any = random.Point(1);
    const Vector3d direction = i % 5 == 0 ? Vector3d{any[0], any[1], any[2]} : OffsetAt(pair, time);
    const SeparationOverTime separation(pair, direction, LargestCoordinates(pair));
    if (!separation.Usable()) continue;
    for (const double t : {0.0, time, 1.0}) {
      const mpq_class error =
          abs(mpq_class(separation.LeastAt(t)) - ExactLeast(pair, direction, t));
      ASSERT_LE(error, mpq_class(separation.Margin())) << "pair " << i << ", time " << t;
      worst = std::max(worst, mpq_class(error / mpq_class(separation.Margin())).get_d());
    }
  }
  EXPECT_LT(worst, 0.5) << "the margin is meant to be more than twice what is proved";
  EXPECT_GT(worst, 0.001) << "the test does not come near the margin";
}

TEST(Separation, WithAGapErrsByLessThanItsMargin) {
  Random random(35);
  double worst = 0;
  for (std::uint32_t i = 0; i < 5000; ++i) {
    const Query query = CancellingQuery(random, i);
    const MovingPair pair = ToMovingPair(query);
    const Vector3d largest = LargestCoordinates(pair), direction = OffsetAt(pair, 0.5);
    const double distance = std::ldexp(random.Uniform(0, largest.x), -static_cast<int>(i % 40));
    const double gap = GapAlong(std::sqrt(Dot(direction, direction)), distance);
    const SeparationOverTime separation(pair, direction, largest, gap);
    if (!separation.Usable()) continue;
    const mpf_class squared(ExactDot(direction, direction), 600), margin(separation.Margin(), 600);
    const mpf_class exact_gap = distance * sqrt(squared);
    for (const double t : {0.0, random.Uniform(0, 1), 1.0}) {
      const mpf_class exact(ExactLeast(pair, direction, t), 600);
      const mpf_class error = abs(separation.LeastAt(t) - (exact - exact_gap));
      ASSERT_LE(error, margin) << "pair " << i << ", time " << t;
      worst = std::max(worst, mpf_class(error / margin).get_d());
    }
  }
  EXPECT_LT(worst, 0.5) << "the margin is meant to be twice what is proved";
  EXPECT_GT(worst, 0.001) << "the test does not come near the margin";
}

// Squares of lengths that underflow must not make the gap smaller.
TEST(Separation, WithAGapClaimsNothingForADirectionWhoseLengthUnderflows) {
  MovingPair pair{};
  pair.kind = PairKind::kVertexFace;
  pair.start[0] = pair.end[0] = {0, 0, 1};
  const Vector3d direction{0, 0, 1e-200};
  const double gap = GapAlong(std::sqrt(Dot(direction, direction)), 2);
  const SeparationOverTime separation(pair, direction, LargestCoordinates(pair), gap);
  EXPECT_TRUE(SeparationOverTime(pair, direction, LargestCoordinates(pair)).ApartThroughout());
  EXPECT_FALSE(separation.ApartThroughout());
  EXPECT_FALSE(separation.ApartAt(0));
}

TEST(Separation, ClaimsNothingForNumbersThatUnderflow) {
  MovingPair pair{};
  pair.kind = PairKind::kVertexFace;
  pair.start[0] = pair.end[0] = {0, 0, 1e-200};
  const SeparationOverTime separation(pair, {0, 0, 1e-200}, LargestCoordinates(pair));
  EXPECT_FALSE(separation.Usable());
  EXPECT_FALSE(separation.ApartAt(0));
  EXPECT_FALSE(separation.ApartThroughout());
}

TEST(Separation, ClaimsNothingForNumbersThatOverflow) {
  MovingPair pair{};
  pair.kind = PairKind::kEdgeEdge;
  for (int k = 0; k < 2; ++k) pair.start[k] = pair.end[k] = {1e200, 0, 1e200};
  const SeparationOverTime separation(pair, {1e150, 0, 1e150}, LargestCoordinates(pair));
  EXPECT_FALSE(separation.ApartAt(0.5));
  EXPECT_FALSE(separation.ApartThroughout());
}

TEST(Separation, FindsTheTimeAtALevel) {
  MovingPair pair{};
  pair.kind = PairKind::kVertexFace;
  pair.start[0] = {0, 0, 4};
  pair.end[0] = {0, 0, 0};
  const SeparationOverTime separation(pair, {0, 0, 1}, LargestCoordinates(pair));
  EXPECT_DOUBLE_EQ(separation.LeastAt(0.5), 2);
  EXPECT_DOUBLE_EQ(separation.TimeAtLevel(1), 0.75);
  EXPECT_EQ(separation.TimeAtLevel(-1), 2) << "it never falls so low";
}

TEST(Separation, OfAPairApartAtTwoTimesHoldsBetween) {
  Random random(32);
  int apart = 0;
  for (std::uint32_t i = 0; i < 4000; ++i) {
    const MovingPair pair = ToMovingPair(CancellingQuery(random, i));
    const SeparationOverTime separation(pair, OffsetAt(pair, random.Uniform(0, 1)),
                                        LargestCoordinates(pair));
    const double from = random.Uniform(0, 1), to = random.Uniform(from, 1);
    if (!separation.ApartAt(from) || !separation.ApartAt(to)) continue;
    ++apart;
    ASSERT_TRUE(separation.ApartAt(0.5 * (from + to)) ||
                separation.LeastAt(0.5 * (from + to)) > 0.5 * separation.Margin());
  }
  EXPECT_GT(apart, 200);
}

TEST(Separation, OfAPlaneThatTurnsHoldsBetween) {
  Random random(35);
  const std::uint32_t queries = test_support::SeedCount(20'000);
  std::uint32_t turning = 0, only_turning = 0, near = 0;
  for (std::uint32_t i = 0; i < queries; ++i) {
    const Query query = test_support::AimedQuery(random, OtherKind(i), i % 3 == 0 ? 0 : 0.05);
    const MovingPair pair = ToMovingPair(query);
    const double begin = random.Uniform(0, 1), end = begin + random.Uniform(0, 1) * (1 - begin);
    const double distance = i % 2 == 0 ? 0 : random.Uniform(0, 0.05);
    const Vector3d largest = LargestCoordinates(pair);
    const auto along_offset = [&](double time) {
      const Vector3d direction = OffsetAt(pair, time);
      const double length = std::sqrt(Dot(direction, direction));
      return SeparationOverTime(pair, direction, largest, GapAlong(length, distance));
    };
    const SeparationOverTime first = along_offset(begin), second = along_offset(end);
    if (!first.ApartWhileTurning(begin, second, end)) continue;
    ++turning;
    only_turning += !first.ApartAt(end) && !second.ApartAt(begin) ? 1 : 0;
    const auto impact = EarliestImpact(query);
    ASSERT_TRUE(!impact || impact->upper < begin || impact->lower > end) << query;
    for (int k = 0; k <= 16; ++k) {
      const double time = begin + (end - begin) * (k / 16.0);
      const double apart = test_support::DistanceAt(query, time);
      ASSERT_GT(apart, distance - 1e-14) << query << " at " << time;
      near += apart < distance + 0.01 ? 1 : 0;
    }
  }
  EXPECT_GT(turning, queries / 10);
  EXPECT_GT(only_turning, queries / 100);
  EXPECT_GT(near, queries / 100);
}

/// The points of a pair in floats.
struct RoundedPair {
  explicit RoundedPair(const MovingPair& pair) : kind(pair.kind) {
    for (int k = 0; k < 4; ++k) points[k] = RoundedPoint(pair.start[k], pair.end[k]);
  }
  bool ApartBy(float margin) const {
    return ApartOnAnyAxis(kind, {&points[0], &points[1], &points[2], &points[3]}, margin);
  }
  PairKind kind;
  FloatPoint points[4];
};

/// The smallest allowed margin; it also separates numbers that lost bits by underflow.
float LeastMargin(const MovingPair& pair) {
  const Vector3d largest = LargestCoordinates(pair);
  return geometry::RoundUp(Max(Max(largest.x, largest.y), largest.z)) * 0x1p-22f + 1e-36f;
}

/// The largest distance that the groups keep along an axis at both ends; negative if none.
template <class Scalar, class Coordinate>
Scalar GapOnAxes(PairKind kind, Coordinate coordinate) {
  const int first_group = kind == PairKind::kVertexFace ? 1 : 2;
  auto largest = -std::numeric_limits<Scalar>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    for (const Scalar sign : {Scalar{1}, Scalar{-1}}) {
      auto gap = std::numeric_limits<Scalar>::infinity();
      for (const bool end : {false, true}) {
        for (int i = 0; i < first_group; ++i) {
          for (int j = first_group; j < 4; ++j) {
            const Scalar a = coordinate(i, axis, end), b = coordinate(j, axis, end);
            gap = std::min(gap, sign * (a - b));
          }
        }
      }
      largest = std::max(largest, gap);
    }
  }
  return largest;
}

double At(const Vector3d& point, int axis) {
  return axis == 0 ? point.x : axis == 1 ? point.y : point.z;
}

long double ExactGap(const MovingPair& pair) {
  return GapOnAxes<long double>(pair.kind, [&](int k, int axis, bool end) {
    return static_cast<long double>(At(end ? pair.end[k] : pair.start[k], axis));
  });
}

/// Pairs of which many are within one rounding of touching along an axis.
Query NearlyTouchingQuery(Random& random, std::uint32_t i) {
  const test_support::PairKind kind = OtherKind(i / 4);
  if (i % 4 == 0) return CancellingQuery(random, i / 4);
  Query query = i % 4 == 1 ? test_support::RandomQuery(random, kind, 1)
                           : test_support::GridQuery(random, kind);
  if (i % 4 == 3) {  // a few roundings of a float off the grid
    for (auto* frame : {&query.start, &query.end}) {
      for (auto& point : *frame) {
        for (double& value : point) value += random.Uniform(-1, 1) * 0x1p-22;
      }
    }
  }
  const double scale = std::ldexp(1.0, static_cast<int>(random.Below(60)) - 30);
  const double far = i % 3 == 0 ? 0 : std::ldexp(scale, static_cast<int>(random.Below(30)));
  return test_support::Moved(query, scale, random.Point(far));
}

TEST(ApartOnAnyAxis, OfFloatsIsTrueOnlyIfTheExactPointsAreApart) {
  Random random(34);
  std::uint32_t apart = 0, only_exactly = 0, not_apart = 0;
  for (std::uint32_t i = 0; i < 400'000; ++i) {
    const Query query = NearlyTouchingQuery(random, i);
    const MovingPair pair = ToMovingPair(query);
    const RoundedPair floats(pair);
    const float margin = LeastMargin(pair);
    const bool exact = ApartOnAnyAxis(pair), says = floats.ApartBy(margin);
    const long double gap = ExactGap(pair);
    ASSERT_EQ(exact, gap > 0) << query;
    ASSERT_TRUE(exact || !says) << query;
    ASSERT_TRUE(exact || !floats.ApartBy(0)) << "rounding keeps the order\n" << query;
    ASSERT_TRUE(says || gap <= 2 * static_cast<long double>(margin)) << query;
    apart += says ? 1 : 0;
    only_exactly += exact && !says ? 1 : 0;
    not_apart += exact ? 0 : 1;
  }
  EXPECT_GT(apart, 20'000u);
  EXPECT_GT(only_exactly, 1000u) << "the test does not come near the margin";
  EXPECT_GT(not_apart, 20'000u);
}

// If a step ends early, the positions at that time are rounded before they become floats.
TEST(ApartOnAnyAxis, OfFloatsHoldsUntilATimeInTheStep) {
  Random random(37);
  std::uint32_t apart = 0;
  for (std::uint32_t i = 0; i < 200'000; ++i) {
    const Query query = NearlyTouchingQuery(random, i);
    const MovingPair pair = ToMovingPair(query);
    const double time = random.Uniform(0, 1);
    MovingPair until = pair;
    for (int k = 0; k < 4; ++k) until.end[k] = pair.At(k, time);
    if (!RoundedPair(until).ApartBy(LeastMargin(pair))) continue;
    ++apart;
    const auto gap = GapOnAxes<long double>(pair.kind, [&](int k, int axis, bool end) {
      const long double t = end ? time : 0;
      return (1 - t) * At(pair.start[k], axis) + t * At(pair.end[k], axis);
    });
    ASSERT_GT(gap, 0) << "until " << time << "\n" << query;
  }
  EXPECT_GT(apart, 20'000u);
}

TEST(ApartOnAnyAxis, OfFloatsComparesEachAxisByItself) {
  Random random(35);
  std::uint32_t apart = 0;
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    const RoundedPair floats(ToMovingPair(NearlyTouchingQuery(random, i)));
    const float margin = i % 2 == 0 ? 0 : static_cast<float>(random.Uniform(0, 1));
    const float gap = GapOnAxes<float>(floats.kind, [&](int k, int axis, bool end) {
      return end ? floats.points[k].end[axis] : floats.points[k].start[axis];
    });
    ASSERT_EQ(floats.ApartBy(margin), gap > margin);
    apart += gap > margin ? 1 : 0;
  }
  EXPECT_GT(apart, 5000u);
}

// The fourth number of a point only fills a register and has no meaning.
TEST(ApartOnAnyAxis, OfFloatsDoesNotLookAtTheFourthNumber) {
  for (const PairKind kind : {PairKind::kVertexFace, PairKind::kEdgeEdge}) {
    MovingPair pair{};
    pair.kind = kind;
    RoundedPair floats(pair);
    floats.points[0].start[3] = floats.points[0].end[3] = 9;
    floats.points[1].start[3] = floats.points[1].end[3] = kind == PairKind::kEdgeEdge ? 9 : 0;
    EXPECT_FALSE(floats.ApartBy(1));
  }
}

TEST(ApartOnAnyAxis, OfFloatsSeesTheSameSideAtBothEndsOnly) {
  for (const PairKind kind : {PairKind::kVertexFace, PairKind::kEdgeEdge}) {
    const int first_group = kind == PairKind::kVertexFace ? 1 : 2;
    for (const double side : {-1.0, 1.0}) {
      MovingPair stays{}, passes{};
      stays.kind = passes.kind = kind;
      for (int k = first_group; k < 4; ++k) {
        stays.start[k].y = stays.end[k].y = passes.start[k].y = side;
        passes.end[k].y = -side;
      }
      EXPECT_TRUE(RoundedPair(stays).ApartBy(LeastMargin(stays)));
      EXPECT_FALSE(RoundedPair(passes).ApartBy(LeastMargin(passes)));
    }
  }
}

TEST(GroupExtents, AreTheLeastAndLargestCoordinatesOfEachGroup) {
  Random random(36);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const MovingPair pair = ToMovingPair(NearlyTouchingQuery(random, i));
    const RoundedPair floats(pair);
    exec::Float3 x[4];
    for (int k = 0; k < 4; ++k) x[k] = exec::Load3(floats.points[k].start);
    const GroupExtents extents(pair.kind, x);
    for (int axis = 0; axis < 3; ++axis) {
      float values[4];
      for (int k = 0; k < 4; ++k) values[k] = floats.points[k].start[axis];
      float* const second = values + pair.FirstGroup();
      ASSERT_EQ(extents.first_low.values[axis], *std::min_element(values, second));
      ASSERT_EQ(extents.first_high.values[axis], *std::max_element(values, second));
      ASSERT_EQ(extents.second_low.values[axis], *std::min_element(second, values + 4));
      ASSERT_EQ(extents.second_high.values[axis], *std::max_element(second, values + 4));
    }
  }
}

}  // namespace
}  // namespace warpyard::ccd
