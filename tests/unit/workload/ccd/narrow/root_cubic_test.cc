// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/narrow/root_cubic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "tests/support/mesh_fixtures.h"
#include "tests/support/oracles/exact_query.h"
#include "tests/unit/workload/ccd/narrow/exact_pair.h"

namespace warpyard::ccd {
namespace {

using test_support::DoubleBracket;
using test_support::EarliestImpact;
using test_support::OtherKind;
using test_support::Query;
using test_support::Random;

constexpr RootLimits kCubicLimits{1e-6, 1'000'000, 1};

/// Searches many pairs for one that touches and is missed, or reported much too late.
template <class MakeQuery>
void ExpectNoneMissed(std::uint64_t seed, std::uint32_t queries, MakeQuery make_query,
                      double may_be_late = 1e-6) {
  Random random(seed);
  std::uint32_t touching = 0;
  for (std::uint32_t i = 0; i < queries; ++i) {
    const Query query = make_query(random, i);
    const std::optional<DoubleBracket> exact = EarliestImpact(query);
    if (!exact) continue;
    ++touching;
    const Contact contact = FindContactCubic(ToMovingPair(query), kCubicLimits);
    ASSERT_TRUE(contact.touches) << "missed at " << exact->lower << ": " << query;
    ASSERT_LE(contact.time, exact->upper + may_be_late) << "late: " << query;
  }
  EXPECT_GT(touching, 0u);
}

TEST(RootCubic, MissesNoDegeneratePair) {
  ExpectNoneMissed(51, 10'000, [](Random& random, std::uint32_t i) {
    return test_support::GridQuery(random, OtherKind(i));
  });
}

TEST(RootCubic, MissesNoRandomPair) {
  ExpectNoneMissed(52, 3000, [](Random& random, std::uint32_t i) {
    return test_support::RandomQuery(random, OtherKind(i), 1);
  });
}

TEST(RootCubic, MissesNoPairThatMeetsForSure) {
  ExpectNoneMissed(53, 2000, [](Random& random, std::uint32_t i) {
    return test_support::AimedQuery(random, OtherKind(i), 0);
  });
}

TEST(RootCubic, MissesNoPairThatSlidesInATurnedPlane) {
  ExpectNoneMissed(54, 3000, [](Random& random, std::uint32_t i) {
    return test_support::SlidingQuery(random, OtherKind(i));
  });
}

/// Points that all meet at the origin at a random time.
Query CollapsingQuery(Random& random, test_support::PairKind kind) {
  Query query;
  query.kind = kind;
  const std::uint32_t denominator = 2 + random.Below(9);
  const std::uint32_t numerator = 1 + random.Below(denominator - 1);
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double at = std::ldexp(static_cast<double>(random.Below(1u << 26)), -26) - 0.5;
      query.start[k][axis] = -at * numerator;
      query.end[k][axis] = at * (denominator - numerator);
    }
  }
  return query;
}

// The cubic has a triple root there, and its rounded values near the root are only rounding error.
TEST(RootCubic, MissesNoPairThatCollapsesToAPoint) {
  const auto make_query = [](Random& random, std::uint32_t i) {
    return CollapsingQuery(random, OtherKind(i));
  };
  ExpectNoneMissed(57, 2000, make_query, 1e-4);
}

TEST(RootCubic, AgreesWithTheConservativeFinderWithinTheTolerance) {
  Random random(55);
  std::uint32_t both = 0;
  for (std::uint32_t i = 0; i < 5000; ++i) {
    const Query query = test_support::RandomQuery(random, OtherKind(i), 1);
    const MovingPair pair = ToMovingPair(query);
    const Contact cubic = FindContactCubic(pair, kCubicLimits);
    const Contact conservative = FindContactConservative(pair, kCubicLimits);
    if (!cubic.touches) continue;
    ASSERT_TRUE(conservative.touches) << query;
    ASSERT_LE(conservative.time, cubic.time + 1e-9) << query;
    ++both;
  }
  EXPECT_GT(both, 50u);
}

TEST(RootCubic, KeepsContactsBeforeTheEndTimeAsTheyAre) {
  Random random(56);
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    const MovingPair pair = ToMovingPair(test_support::AimedQuery(random, OtherKind(i), 0));
    const Contact whole = FindContactCubic(pair, kCubicLimits);
    if (!whole.touches || whole.time >= 1) continue;
    const double end_time = random.Uniform(0, 1);
    const Contact part = FindContactCubic(pair, {1e-6, 1'000'000, end_time});
    ASSERT_EQ(part.touches, whole.time < end_time);
    if (!part.touches) continue;
    ASSERT_EQ(part.time, whole.time);
    ++kept;
  }
  EXPECT_GT(kept, 500u);
}

// A pair that the end time excludes must not be reported slightly earlier by another finder.
TEST(RootCubic, NeverReportsAnEarlierTimeBecauseOfTheEndTime) {
  Random random(58);
  for (std::uint32_t i = 0; i < 6000; ++i) {
    Query query = i % 3 == 0   ? CollapsingQuery(random, OtherKind(i / 3))
                  : i % 3 == 1 ? test_support::SlidingQuery(random, OtherKind(i / 3))
                               : test_support::AimedQuery(random, OtherKind(i / 3), 0);
    // With large coordinates all roots are vague.
    if (i % 2 == 0) query = test_support::Moved(query, 0x1p40, {0, 0, 0});
    const MovingPair pair = ToMovingPair(query);
    const Contact whole = FindContactCubic(pair, kCubicLimits);
    if (!whole.touches) continue;
    const Contact part = FindContactCubic(pair, {1e-6, 1'000'000, whole.time});
    ASSERT_TRUE(!part.touches || part.time == whole.time) << query;
  }
}

TEST(RootCubic, HandsPlanarMotionWithItsCapToTheConservativeFinder) {
  Query query;
  query.start = {{{-1, 0.25, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  query.end = query.start;
  query.end[0][0] = 3;
  const Contact found = FindContactCubic(ToMovingPair(query), kCubicLimits);
  EXPECT_TRUE(found.touches);
  EXPECT_LE(found.time, 0.25);
  EXPECT_GT(found.time, 0.24);
  EXPECT_TRUE(FindContactCubic(ToMovingPair(query), {1e-6, 1, 1}).capped);
}

TEST(RootCubic, FindsAllMonotonePieces) {
  // (t - 1/4)(t - 1/2)(t - 3/4): extremes on both sides of the middle.
  const CoplanarityCubic cubic{{-3.0 / 32, 11.0 / 16, -1.5, 1}, 0};
  double ends[4];
  ASSERT_EQ(MonotonePieces(cubic, ends), 4);
  EXPECT_EQ(ends[0], 0);
  EXPECT_NEAR(ends[1], 0.5 - std::sqrt(1.0 / 48), 1e-15);
  EXPECT_NEAR(ends[2], 0.5 + std::sqrt(1.0 / 48), 1e-15);
  EXPECT_EQ(ends[3], 1);
  const double roots[3] = {0.25, 0.5, 0.75};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(RefineRoot(cubic, ends[i], ends[i + 1]), roots[i], 1e-15);
  }
}

TEST(RootCubic, FindsThePiecesOfPolynomialsOfLowerDegree) {
  double ends[4];
  EXPECT_EQ(MonotonePieces({{0.25, -1, 1, 0}, 0}, ends), 3);
  EXPECT_NEAR(ends[1], 0.5, 1e-15);
  EXPECT_EQ(MonotonePieces({{-0.5, 1, 0, 0}, 0}, ends), 2);
  EXPECT_EQ(MonotonePieces({{1, 0, 0, 0}, 0}, ends), 2);
}

}  // namespace
}  // namespace warpyard::ccd
