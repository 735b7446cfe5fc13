// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/narrow/closest_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tests/support/mesh_fixtures.h"
#include "tests/unit/workload/ccd/narrow/exact_pair.h"

namespace warpyard::ccd {
namespace {

using test_support::OtherKind;
using test_support::Query;
using test_support::Random;

constexpr int kSamples = 40;

double Length(const Vector3d& v) { return std::sqrt(Dot(v, v)); }

/// Least distance between points sampled on both features at the start.
double SampledDistance(const MovingPair& pair) {
  const Vector3d* p = pair.start;
  double least = 1e300;
  for (int i = 0; i <= kSamples; ++i) {
    for (int j = 0; j <= kSamples; ++j) {
      const double u = static_cast<double>(i) / kSamples, v = static_cast<double>(j) / kSamples;
      if (pair.kind == PairKind::kVertexFace) {
        if (i + j > kSamples) continue;
        const Vector3d on_face = p[1] + u * (p[2] - p[1]) + v * (p[3] - p[1]);
        least = std::min(least, Length(p[0] - on_face));
      } else {
        const Vector3d on_a = p[0] + u * (p[1] - p[0]), on_b = p[2] + v * (p[3] - p[2]);
        least = std::min(least, Length(on_a - on_b));
      }
    }
  }
  return least;
}

/// How much smaller the true distance can be than the sampled one.
double SamplingError(const MovingPair& pair) {
  double longest = 0;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) longest = std::max(longest, Length(pair.start[i] - pair.start[j]));
  }
  return 2 * longest / kSamples;
}

void ExpectClosest(const MovingPair& pair) {
  const double distance = Length(OffsetAt(pair, 0)), sampled = SampledDistance(pair);
  EXPECT_LE(distance, sampled + 1e-12);
  EXPECT_GE(distance, sampled - SamplingError(pair));
}

TEST(ClosestPoints, AreAsCloseAsAnySampledOnes) {
  Random random(21);
  for (std::uint32_t i = 0; i < 3000; ++i) {
    const Query query = test_support::RandomQuery(random, OtherKind(i), 1);
    SCOPED_TRACE(testing::Message() << query);
    ExpectClosest(ToMovingPair(query));
    if (HasFailure()) break;
  }
}

TEST(ClosestPoints, AreFoundForDegenerateFeatures) {
  Random random(22);
  for (std::uint32_t i = 0; i < 3000; ++i) {
    const Query query = test_support::GridQuery(random, OtherKind(i));
    SCOPED_TRACE(testing::Message() << query);
    ExpectClosest(ToMovingPair(query));
    if (HasFailure()) break;
  }
}

TEST(ClosestPoints, PointFromTheSecondFeatureToTheFirst) {
  const Vector3d above{0.25, 0.25, 2};
  const Vector3d a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};
  const Vector3d up = PointTriangleOffset(above, a, b, c);
  EXPECT_EQ(up.x, 0);
  EXPECT_EQ(up.y, 0);
  EXPECT_EQ(up.z, 2);
  const Vector3d crossing = SegmentSegmentOffset({0, -1, 3}, {0, 1, 3}, {-1, 0, 1}, {1, 0, 1});
  EXPECT_EQ(crossing.x, 0);
  EXPECT_EQ(crossing.y, 0);
  EXPECT_EQ(crossing.z, 2);
}

TEST(ClosestPoints, LieOnTheRegionThatIsNearest) {
  const Vector3d a{0, 0, 0}, b{4, 0, 0}, c{0, 4, 0};
  struct Case {
    Vector3d point, closest;
  };
  for (const Case& c3 :
       {Case{{-1, -2, 1}, {0, 0, 0}}, Case{{6, -1, 1}, {4, 0, 0}}, Case{{-1, 6, 1}, {0, 4, 0}},
        Case{{2, -3, 1}, {2, 0, 0}}, Case{{-3, 2, 1}, {0, 2, 0}}, Case{{4, 4, 1}, {2, 2, 0}},
        Case{{1, 1, 1}, {1, 1, 0}}}) {
    const Vector3d offset = PointTriangleOffset(c3.point, a, b, c);
    const Vector3d error = offset - (c3.point - c3.closest);
    EXPECT_LT(Length(error), 1e-14) << c3.point.x << " " << c3.point.y;
  }
}

TEST(ClosestPoints, OfParallelSegmentsAreAsFarApartAsTheLines) {
  EXPECT_DOUBLE_EQ(Length(SegmentSegmentOffset({0, 0, 1}, {4, 0, 1}, {1, 0, 0}, {3, 0, 0})), 1);
  EXPECT_DOUBLE_EQ(Length(SegmentSegmentOffset({0, 0, 0}, {1, 0, 0}, {4, 0, 4}, {5, 0, 4})), 5);
}

}  // namespace
}  // namespace warpyard::ccd
