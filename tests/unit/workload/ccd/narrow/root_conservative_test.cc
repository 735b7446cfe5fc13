// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/narrow/root_conservative.h"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "tests/support/mesh_fixtures.h"
#include "tests/support/oracles/exact_query.h"
#include "tests/support/oracles/feature_distance.h"
#include "tests/unit/workload/ccd/narrow/exact_pair.h"

namespace warpyard::ccd {
namespace {

using test_support::DoubleBracket;
using test_support::EarliestImpact;
using test_support::OtherKind;
using test_support::Query;
using test_support::Random;

constexpr RootLimits kLimits{1e-6, 1'000'000, 1};

/// Compares with the exact answer on many queries.
class Comparison {
 public:
  /// Stops at the first wrong answer.
  template <class MakeQuery>
  void Run(std::uint64_t seed, std::uint32_t queries, MakeQuery make_query) {
    Random random(seed);
    for (std::uint32_t i = 0; i < queries; ++i) Check(make_query(random, i));
    EXPECT_GT(touching_, 0u);
  }

  /// Pairs that do not touch and were reported.
  std::uint32_t false_positives() const { return false_positives_; }
  std::uint32_t touching() const { return touching_; }
  double earliest_by() const { return earliest_by_; }

 private:
  void Check(const Query& query) {
    const std::optional<DoubleBracket> exact = EarliestImpact(query);
    const Contact contact = FindContactConservative(ToMovingPair(query), kLimits);
    ASSERT_FALSE(contact.capped) << query;
    if (!exact) {
      false_positives_ += contact.touches ? 1 : 0;
      return;
    }
    ++touching_;
    ASSERT_TRUE(contact.touches) << "missed: " << query;
    ASSERT_GE(contact.time, 0);
    ASSERT_LE(contact.time, exact->lower) << "late: " << query;
    earliest_by_ = std::max(earliest_by_, exact->upper - contact.time);
  }

  std::uint32_t touching_ = 0;
  std::uint32_t false_positives_ = 0;
  double earliest_by_ = 0;
};

TEST(RootConservative, NeverMissesOrIsLateOnDegeneratePairs) {
  Comparison comparison;
  comparison.Run(41, 10'000, [](Random& random, std::uint32_t i) {
    return test_support::GridQuery(random, OtherKind(i));
  });
  EXPECT_EQ(comparison.false_positives(), 0u) << "gaps on the grid are far above the tolerance";
}

TEST(RootConservative, NeverMissesOrIsLateOnRandomPairs) {
  Comparison comparison;
  comparison.Run(42, 3000, [](Random& random, std::uint32_t i) {
    return test_support::RandomQuery(random, OtherKind(i), 1);
  });
  EXPECT_LE(comparison.false_positives(), 1u);
  EXPECT_LT(comparison.earliest_by(), 0.01);
}

TEST(RootConservative, NeverMissesOrIsLateOnPairsThatMeetForSure) {
  Comparison comparison;
  comparison.Run(43, 2000, [](Random& random, std::uint32_t i) {
    return test_support::AimedQuery(random, OtherKind(i), 0);
  });
  EXPECT_GT(comparison.touching(), 1000u);
}

TEST(RootConservative, NeverMissesOrIsLateInTurnedPlanes) {
  Comparison().Run(44, 1500, [](Random& random, std::uint32_t i) {
    return test_support::SlidingQuery(random, OtherKind(i));
  });
}

TEST(RootConservative, NeverMissesOrIsLateFarFromTheOriginAndInOtherUnits) {
  Comparison().Run(45, 1500, [](Random& random, std::uint32_t i) {
    const double scale = std::ldexp(1.0, static_cast<int>(random.Below(120)) - 60);
    const test_support::Vec3 by = random.Point(i % 3 == 0 ? 0 : 1e4 * scale);
    return test_support::Moved(test_support::AimedQuery(random, OtherKind(i), 0), scale, by);
  });
}

// Features that turn, graze and meet at multiples of a sixteenth.
TEST(RootConservative, NeverMissesOrIsLateOnAFineGrid) {
  Comparison comparison;
  comparison.Run(49, 1500, [](Random& random, std::uint32_t i) {
    Query query = test_support::AimedQuery(random, OtherKind(i), 0);
    for (auto* frame : {&query.start, &query.end}) {
      for (auto& point : *frame) {
        for (double& value : point) value = std::round(16 * value) / 16;
      }
    }
    return query;
  });
  EXPECT_GT(comparison.touching(), 500u);
}

TEST(RootConservative, TellsPairsThatPassClearlyOutsideTheTolerance) {
  Random random(46);
  for (std::uint32_t i = 0; i < 2000; ++i) {
    // The least distance is close to the diagonal of the miss, if the miss is clear.
    const Query query = test_support::RandomQuery(random, OtherKind(i), 1);
    const MovingPair pair = ToMovingPair(query);
    double least = 1e9;
    for (int step = 0; step <= 2000; ++step) {
      const Vector3d offset = OffsetAt(pair, step / 2000.0);
      least = std::min(least, std::sqrt(Dot(offset, offset)));
    }
    if (least < 0.01) continue;
    ASSERT_FALSE(FindContactConservative(pair, kLimits).touches) << query;
  }
}

TEST(RootConservative, ReportsPairsThatReachTheCap) {
  Random random(47);
  std::uint32_t capped = 0, touching = 0;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    const Query query = i % 2 == 0 ? test_support::GridQuery(random, OtherKind(i / 2))
                                   : test_support::RandomQuery(random, OtherKind(i / 2), 1);
    const std::optional<DoubleBracket> exact = EarliestImpact(query);
    for (const std::uint32_t cap : {0u, 1u, 2u, 3u}) {
      const Contact contact = FindContactConservative(ToMovingPair(query), {1e-6, cap, 1});
      capped += contact.capped ? 1 : 0;
      ASSERT_TRUE(contact.touches || !contact.capped) << query;
      ASSERT_TRUE(cap > 0 || (contact.capped && contact.time == 0)) << query;
      if (!exact) continue;
      ++touching;
      ASSERT_TRUE(contact.touches) << "missed with a cap of " << cap << ": " << query;
      ASSERT_LE(contact.time, exact->lower) << "late with a cap of " << cap << ": " << query;
    }
  }
  EXPECT_GT(capped, 1000u);
  EXPECT_GT(touching, 1000u);
}

TEST(RootConservative, KeepsContactsBeforeTheEndTimeAsTheyAre) {
  Random random(48);
  std::uint32_t kept = 0, dropped = 0;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    const MovingPair pair = ToMovingPair(test_support::AimedQuery(random, OtherKind(i), 0));
    const Contact whole = FindContactConservative(pair, kLimits);
    if (!whole.touches) continue;
    for (const double end_time :
         {random.Uniform(0, 1), whole.time, std::nextafter(whole.time, 2.0)}) {
      if (end_time > 1) continue;
      const Contact part = FindContactConservative(pair, {1e-6, 1'000'000, end_time});
      if (whole.time < end_time) {
        ASSERT_TRUE(part.touches);
        ASSERT_EQ(part.time, whole.time);
        ++kept;
      } else if (!part.touches) {
        ++dropped;
      } else {
        ASSERT_EQ(part.time, whole.time);
      }
    }
  }
  EXPECT_GT(kept, 1000u);
  EXPECT_GT(dropped, 300u);
}

/// A pair of any family: in one plane, turning, or clearly meeting.
Query AnyQuery(Random& random, std::uint32_t i) {
  if (i % 4 == 0) return test_support::GridQuery(random, OtherKind(i / 4));
  if (i % 4 == 1) return test_support::SlidingQuery(random, OtherKind(i / 4));
  if (i % 4 == 2) return test_support::AimedQuery(random, OtherKind(i / 4), 0.01);
  return test_support::RandomQuery(random, OtherKind(i / 4), 1);
}

/// Whether the features are certainly within a distance at one of many times before `until`.
bool ComesWithin(const Query& query, double distance, double until) {
  for (int k = 0; k < 64 && k < 64 * until; ++k) {
    if (test_support::DistanceAt(query, k / 64.0) <= distance - 1e-13) return true;
  }
  return false;
}

TEST(RootConservative, WithASeparationIsNeverLateAndNearAtItsTime) {
  Random random(50);
  std::uint32_t touching = 0, apart = 0;
  for (std::uint32_t i = 0; i < 4000; ++i) {
    const Query query = AnyQuery(random, i);
    const double separation = i % 8 == 0 ? 1 : random.Uniform(1e-3, 0.2);
    const RootLimits limits{1e-6, 1'000'000, 1, separation};
    const Contact contact = FindContactConservative(ToMovingPair(query), limits);
    ASSERT_FALSE(contact.capped) << query;
    ASSERT_FALSE(ComesWithin(query, separation, contact.touches ? contact.time : 1))
        << (contact.touches ? "late: " : "missed: ") << query << " within " << separation;
    touching += contact.touches ? 1 : 0;
    apart += contact.touches ? 0 : 1;
    if (!contact.touches) continue;
    ASSERT_LE(test_support::DistanceAt(query, contact.time), separation + 1e-6) << query;
  }
  EXPECT_GT(touching, 1000u);
  EXPECT_GT(apart, 500u);
}

TEST(RootConservative, GoesOnWhereItStoppedToTheSameEnd) {
  Random random(50);
  std::uint32_t stops = 0, touching = 0, turning = 0;
  for (std::uint32_t i = 0; i < 2000; ++i) {
    const MovingPair pair = ToMovingPair(AnyQuery(random, i));
    RootLimits limits{1e-6, 1'000'000, 1, i % 3 == 0 ? 0.01 : 0.0};
    const Contact whole = FindContactConservative(pair, limits);
    WalkStep last = WalkStep::kAdvanced;
    std::uint32_t interval = 0;
    for (; last == WalkStep::kAdvanced && interval < kManyIntervals; ++interval, ++stops) {
      Walk walk(pair, limits, interval);
      last = walk.Advance(interval);
      limits.free_until = walk.Time();
    }
    Contact found{last == WalkStep::kContact, false, limits.free_until};
    if (last == WalkStep::kAdvanced) {
      found = FindContactTurning(pair, limits, interval);
      ++turning;
    }
    ASSERT_EQ(found.touches, whole.touches);
    ASSERT_EQ(found.touches ? found.time : 0, whole.time);
    touching += whole.touches ? 1 : 0;
  }
  EXPECT_GT(stops, 6000u);
  EXPECT_GT(touching, 500u);
  EXPECT_GT(turning, 0u);
}

// Two pairs of `cloth-ball` whose features are near and turn for a long time. With directions that
// do not turn, they take 50 and 74 intervals.
TEST(RootConservative, TakesFewIntervalsWhereFeaturesSlide) {
  MovingPair pair{PairKind::kVertexFace,
                  {{-1.06157398, 0.617156029, 1.42196298},
                   {-0.963241994, 0.568476021, 1.43966401},
                   {-1.15551305, 0.658102989, 1.40127003},
                   {-0.966185987, 0.717769027, 1.53670502}},
                  {{-0.919661999, 0.666616976, 1.49071801},
                   {-0.934521019, 0.459567994, 1.25949097},
                   {-1.17706597, 0.758982003, 1.46232104},
                   {-1.06593299, 0.603254974, 1.57739794}}};
  const Contact contact = FindContactConservative(pair, {1e-6, 30, 1});
  EXPECT_TRUE(contact.touches);
  EXPECT_FALSE(contact.capped);
  EXPECT_NEAR(contact.time, 0.09786, 1e-4);
  pair = {PairKind::kEdgeEdge,
          {{-1.39461398, 0.667156994, 1.67028105},
           {-1.52233505, 0.846436977, 1.66666305},
           {-1.22367299, 0.791176975, 1.68903196},
           {-1.52730894, 0.62164098, 1.66199398}},
          {{-1.44352102, 0.741675019, 1.68120098},
           {-1.34965801, 0.663212001, 1.92294705},
           {-1.10995996, 0.770473003, 1.61958802},
           {-1.29500997, 0.792698026, 1.73353302}}};
  EXPECT_FALSE(FindContactConservative(pair, {1e-6, 40, 1}).touches);
}

TEST(RootConservative, WithASeparationTakesFewIntervals) {
  Random random(52);
  std::uint32_t capped = 0;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    const Query query = test_support::AimedQuery(random, OtherKind(i), 0.001);
    const RootLimits limits{1e-6, 40, 1, random.Uniform(1e-5, 0.1)};
    capped += FindContactConservative(ToMovingPair(query), limits).capped ? 1 : 0;
  }
  EXPECT_LE(capped, 60u) << "by directions alone it is several hundred";
}

struct Exact {
  mpq_class x, y, z;
};
Exact operator-(const Exact& a, const Exact& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
mpq_class ExactDot(const Exact& a, const Exact& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// Whether parallel planes through the features are further apart than a distance, in exact
/// arithmetic.
bool PlanesAreApart(const MovingPair& pair, double time, double distance) {
  const mpq_class t(time);
  Exact p[4];
  for (int k = 0; k < 4; ++k) {
    const Vector3d &a = pair.start[k], &b = pair.end[k];
    p[k] = {(1 - t) * a.x + t * b.x, (1 - t) * a.y + t * b.y, (1 - t) * a.z + t * b.z};
  }
  const bool face = pair.kind == PairKind::kVertexFace;
  const Exact u = face ? p[2] - p[1] : p[1] - p[0], v = face ? p[3] - p[1] : p[3] - p[2];
  const Exact n{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  const mpq_class volume = ExactDot(face ? p[0] - p[1] : p[2] - p[0], n), d(distance);
  return volume * volume > d * d * ExactDot(n, n);
}

TEST(CoplanarityCubic, LeavesRoomForADistanceInWhatItProvesFree) {
  Random random(53);
  std::uint32_t proved = 0, exceeded = 0;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    const double scale = std::ldexp(1.0, static_cast<int>(random.Below(60)) - 30);
    const MovingPair pair = ToMovingPair(test_support::Moved(
        AnyQuery(random, i), scale, random.Point(i % 3 == 0 ? 1e4 * scale : 0)));
    const double begin = i % 2 == 0 ? 0 : random.Uniform(0, 1);
    const double distance = random.Uniform(0, 0.3) * scale;
    const CoplanarityCubic cubic = MakeCoplanarityCubic(pair);
    const double end = cubic.FreeFrom(begin, pair, distance);
    ASSERT_TRUE(end >= begin && end <= 1);
    exceeded += cubic.FreeFrom(begin, pair, 0) > end ? 1 : 0;
    if (end == begin) continue;
    ++proved;
    for (int k = 0; k <= 16; ++k) {
      const double time = k == 16 ? end : begin + (end - begin) * k / 16;
      ASSERT_TRUE(PlanesAreApart(pair, time, distance)) << "pair " << i << " at " << time;
    }
  }
  EXPECT_GT(proved, 500u);
  EXPECT_GT(exceeded, 500u);
}

TEST(RootConservative, WithASeparationStartsAtZeroWhereItIsLessThen) {
  Random random(51);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const Query query = AnyQuery(random, i);
    const double distance = test_support::DistanceAt(query, 0);
    const Contact contact = FindContactConservative(
        ToMovingPair(query), {1e-6, 1'000'000, 1, distance * (1 + 1e-12) + 1e-12});
    ASSERT_TRUE(contact.touches && contact.time == 0) << query;
  }
}

TEST(RootConservative, FindsContactsAtBothEndsOfTheStep) {
  MovingPair pair{};
  pair.kind = PairKind::kVertexFace;
  for (auto* frame : {&pair.start, &pair.end}) {
    (*frame)[1] = {0, 0, 0};
    (*frame)[2] = {1, 0, 0};
    (*frame)[3] = {0, 1, 0};
  }
  pair.start[0] = {0.25, 0.25, 0};
  pair.end[0] = {0.25, 0.25, 1};
  EXPECT_EQ(FindContactConservative(pair, kLimits).time, 0);
  EXPECT_TRUE(FindContactConservative(pair, kLimits).touches);
  std::swap(pair.start[0], pair.end[0]);
  const Contact at_end = FindContactConservative(pair, kLimits);
  EXPECT_TRUE(at_end.touches);
  EXPECT_LE(at_end.time, 1);
  EXPECT_GT(at_end.time, 0.999);
}

TEST(RootConservative, ReportsAPairWhoseNumbersOverflow) {
  Query query;
  query.start = {{{0, 0, 1e300}, {0, 0, 0}, {1e300, 0, 0}, {0, 1e300, 0}}};
  query.end = query.start;
  EXPECT_TRUE(FindContactConservative(ToMovingPair(query), kLimits).touches);
}

}  // namespace
}  // namespace warpyard::ccd
