// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/separation.h"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/workload/ccd/closest_points.h"
#include "core/workload/ccd/pair_filter.h"
#include "tests/support/exact_query.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/unit/workload/ccd/exact_pair.h"

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
Query VariedQuery(Random& random, std::uint32_t i) {
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
    const MovingPair pair = ToMovingPair(VariedQuery(random, i));
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
    const MovingPair pair = ToMovingPair(VariedQuery(random, i));
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

// What the filters reject must never touch: their word is final.
template <class MakeQuery>
void ExpectNoTouchingPairRejected(std::uint32_t queries, MakeQuery make_query) {
  Random random(33);
  std::uint32_t rejected = 0, touching = 0;
  for (std::uint32_t i = 0; i < queries; ++i) {
    const Query query = make_query(random, i);
    const bool touches = EarliestImpact(query).has_value();
    const bool survives = SurvivesFilters(ToMovingPair(query));
    ASSERT_TRUE(survives || !touches) << query;
    rejected += survives ? 0 : 1;
    touching += touches ? 1 : 0;
  }
  EXPECT_GT(rejected, 0u);
  EXPECT_GT(touching, 0u);
}

TEST(PairFilter, NeverRejectsADegeneratePairThatTouches) {
  ExpectNoTouchingPairRejected(6000, [](Random& random, std::uint32_t i) {
    return test_support::GridQuery(random, OtherKind(i));
  });
}

TEST(PairFilter, NeverRejectsAPairThatTouches) {
  ExpectNoTouchingPairRejected(3000, [](Random& random, std::uint32_t i) {
    return i % 2 == 0 ? test_support::AimedQuery(random, OtherKind(i / 2), 0)
                      : test_support::RandomQuery(random, OtherKind(i / 2), 1);
  });
}

}  // namespace
}  // namespace warpyard::ccd
