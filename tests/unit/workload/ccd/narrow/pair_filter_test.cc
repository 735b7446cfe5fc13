// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/narrow/pair_filter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "core/workload/ccd/narrow/separation.h"
#include "tests/support/mesh_fixtures.h"
#include "tests/support/oracles/exact_query.h"
#include "tests/support/oracles/feature_distance.h"
#include "tests/unit/workload/ccd/narrow/exact_pair.h"

namespace warpyard::ccd {
namespace {

using test_support::EarliestImpact;
using test_support::OtherKind;
using test_support::Query;
using test_support::Random;

// No later test examines a pair that the filters reject, so it must not touch.
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

TEST(PairFilter, NeverRejectsAPairThatComesWithinTheSeparation) {
  Random random(34);
  std::uint32_t rejected = 0, near = 0;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    const Query query = i % 3 == 0 ? test_support::GridQuery(random, OtherKind(i))
                                   : test_support::RandomQuery(random, OtherKind(i), 1);
    const double separation = i % 3 == 0 ? 1 : random.Uniform(0, 0.3);
    bool is_near = false;
    for (int k = 0; k <= 16 && !is_near; ++k) {
      is_near = test_support::DistanceAt(query, k / 16.0) <= separation - 1e-14;
    }
    const bool survives = SurvivesFilters(ToMovingPair(query), separation);
    ASSERT_TRUE(survives || !is_near) << query << " within " << separation;
    rejected += survives ? 0 : 1;
    near += is_near ? 1 : 0;
  }
  EXPECT_GT(rejected, 300u);
  EXPECT_GT(near, 300u);
}

TEST(PairFilter, CountsAnAxisDistanceOfExactlyTheSeparation) {
  MovingPair pair{};
  pair.kind = PairKind::kVertexFace;
  for (auto* frame : {&pair.start, &pair.end}) {
    (*frame)[0] = {0.25, 0.25, 0.3};
    (*frame)[2] = {1, 0, 0};
    (*frame)[3] = {0, 1, 0};
  }
  EXPECT_TRUE(SurvivesFilters(pair, 0.3));
  EXPECT_TRUE(ApartOnAnyAxis(pair, std::nextafter(0.3, 0)));
  EXPECT_FALSE(ApartOnAnyAxis(pair, 0.3));
  EXPECT_FALSE(SurvivesFilters(pair, 0.299));
}

TEST(PairFilter, NeverRejectsAPairThatTouches) {
  ExpectNoTouchingPairRejected(3000, [](Random& random, std::uint32_t i) {
    return i % 2 == 0 ? test_support::AimedQuery(random, OtherKind(i / 2), 0)
                      : test_support::RandomQuery(random, OtherKind(i / 2), 1);
  });
}

}  // namespace
}  // namespace warpyard::ccd
