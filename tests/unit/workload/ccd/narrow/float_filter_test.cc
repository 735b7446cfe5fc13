// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Filters in single precision against the exact oracle.

#include "core/workload/ccd/narrow/float_filter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>

#include "core/workload/ccd/narrow/float_walk.h"
#include "core/workload/ccd/narrow/pair_filter.h"
#include "core/workload/geometry/bounds.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/oracles/exact_query.h"
#include "tests/unit/workload/ccd/narrow/exact_pair.h"

namespace warpyard::ccd {
namespace {

using test_support::EarliestImpact;
using test_support::OtherKind;
using test_support::Query;
using test_support::Random;
using test_support::ToMovingPair;

/// The results of the tests of a pair in floats.
struct FloatPair {
  explicit FloatPair(const MovingPair& moving) : pair(moving) {
    for (int k = 0; k < 4; ++k) points[k] = RoundedPoint(pair.start[k], pair.end[k]);
  }
  bool Apart(const FloatMargins& margins) const {
    return ApartInFloats(pair.kind, {&points[0], &points[1], &points[2], &points[3]}, margins);
  }
  float FreeUntil(const FloatMargins& margins) const {
    return FloatWalk(pair).FreeUntil(margins.near);
  }
  bool Walked(const FloatMargins& margins) const { return FreeUntil(margins) == 1; }
  MovingPair pair;
  FloatPoint points[4];
};

/// The smallest allowed margins, if pairs within `near` must be kept.
FloatMargins LeastMargins(const MovingPair& pair, double near) {
  const Vector3d largest = LargestCoordinates(pair);
  const float size = geometry::RoundUp(Max(Max(largest.x, largest.y), largest.z));
  return {size * 0x1p-22f + 1e-36f, geometry::RoundUp(near)};
}

/// Pairs of all sizes; many of them touch or nearly touch, and some are far from the origin.
Query VariedQuery(Random& random, std::uint32_t i) {
  const test_support::PairKind kind = OtherKind(i / 4);
  Query query = i % 4 == 0   ? test_support::RandomQuery(random, kind, 1)
                : i % 4 == 1 ? test_support::GridQuery(random, kind)
                : i % 4 == 2
                    ? test_support::AimedQuery(random, kind, 0)
                    : test_support::AimedQuery(
                          random, kind, std::ldexp(1.0, -static_cast<int>(random.Below(30))));
  const double scale = std::ldexp(1.0, static_cast<int>(random.Below(60)) - 30);
  const double far = i % 3 == 0 ? 0 : std::ldexp(scale, static_cast<int>(random.Below(20)));
  return test_support::Moved(query, scale, random.Point(far));
}

TEST(FloatFilter, NeverLeavesOutAPairThatTouches) {
  Random random(41);
  std::uint32_t apart = 0, only_walked = 0, touching = 0;
  for (std::uint32_t i = 0; i < 4000; ++i) {
    const Query query = VariedQuery(random, i);
    const MovingPair pair = ToMovingPair(query);
    const bool touches = EarliestImpact(query).has_value();
    const bool says = FloatPair(pair).Apart(LeastMargins(pair, 0));
    const bool walked = FloatPair(pair).Walked(LeastMargins(pair, 0));
    ASSERT_FALSE((says || walked) && touches) << query;
    apart += says ? 1 : 0;
    only_walked += walked && !says ? 1 : 0;
    touching += touches ? 1 : 0;
  }
  EXPECT_GT(apart, 500u);
  EXPECT_GT(only_walked, 100u);
  EXPECT_GT(touching, 150u);
}

TEST(FloatFilter, WalksToATimeBeforeTheImpact) {
  Random random(46);
  std::uint32_t walked = 0;
  for (std::uint32_t i = 0; i < 4000; ++i) {
    const Query query = VariedQuery(random, i);
    const MovingPair pair = ToMovingPair(query);
    const auto impact = EarliestImpact(query);
    if (!impact) continue;
    const float free_until = FloatPair(pair).FreeUntil(LeastMargins(pair, 0));
    ASSERT_LE(free_until, impact->lower) << query;
    walked += free_until > 0 ? 1 : 0;
  }
  EXPECT_GT(walked, 100u);
}

TEST(FloatFilter, KeepsWhatComesNear) {
  Random random(42);
  for (std::uint32_t i = 0; i < 200'000; ++i) {
    const double miss = std::ldexp(1.0, -static_cast<int>(random.Below(20)));
    const MovingPair pair = ToMovingPair(test_support::AimedQuery(random, OtherKind(i), miss));
    // At one moment the points are moved by the same distance along each axis, and rounded.
    const FloatMargins margins = LeastMargins(pair, 1.75 * miss);
    ASSERT_FALSE(FloatPair(pair).Apart(margins) || FloatPair(pair).Walked(margins)) << "pair " << i;
  }
}

TEST(FloatFilter, LeavesOutMostOfWhatTheExactFilterDoes) {
  Random random(43);
  std::uint32_t exactly = 0, both = 0;
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    const MovingPair pair = ToMovingPair(test_support::RandomQuery(random, OtherKind(i), 1));
    if (SurvivesFilters(pair) || ApartOnAnyAxis(pair)) continue;
    ++exactly;
    both += FloatPair(pair).Apart(LeastMargins(pair, 1e-6)) ? 1 : 0;
  }
  EXPECT_GT(both, exactly / 2);
}

TEST(FloatFilter, SaysNothingOfNumbersThatOverflow) {
  Random random(44);
  for (const double scale : {1e12, 1e20, 1e30, 1e37}) {
    for (std::uint32_t i = 0; i < 2000; ++i) {
      const Query query =
          test_support::Moved(test_support::AimedQuery(random, OtherKind(i), 0), scale, {0, 0, 0});
      const MovingPair pair = ToMovingPair(query);
      const FloatMargins margins = LeastMargins(pair, 0);
      const bool says = FloatPair(pair).Apart(margins) || FloatPair(pair).Walked(margins);
      ASSERT_FALSE(says && EarliestImpact(query).has_value()) << query;
    }
  }
}

TEST(FloatFilter, SaysNothingOfNumbersThatUnderflow) {
  Random random(45);
  for (const double scale : {1e-10, 1e-13, 1e-20, 1e-30, 1e-37, 1e-44}) {
    for (std::uint32_t i = 0; i < 2000; ++i) {
      const Query query =
          test_support::Moved(test_support::AimedQuery(random, OtherKind(i), 0), scale, {0, 0, 0});
      const MovingPair pair = ToMovingPair(query);
      const FloatMargins margins = LeastMargins(pair, 0);
      const bool says = FloatPair(pair).Apart(margins) || FloatPair(pair).Walked(margins);
      ASSERT_FALSE(says && EarliestImpact(query).has_value()) << query;
    }
  }
}

}  // namespace
}  // namespace warpyard::ccd
