// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/city_io/parcels/projection.h"

#include <gtest/gtest.h>

namespace warpyard::city_io {
namespace {

TEST(Projection, TakesTheOriginOfMetresAway) {
  const Projection projection({500'000, 5'400'000}, false);
  EXPECT_EQ(projection.Project({500'010, 5'400'020}), (LocalPoint{10, -20}));
}

TEST(Projection, KnowsTheLengthOfADegree) {
  // Published lengths of a degree on WGS 84.
  const LocalPoint equator = Projection({0, 0}, true).Project({1, 1});
  EXPECT_NEAR(equator[0], 111'320, 1);
  EXPECT_NEAR(equator[1], -110'574, 1);
  const LocalPoint north = Projection({10, 60}, true).Project({11, 61});
  EXPECT_NEAR(north[0], 55'800, 1);
  EXPECT_NEAR(north[1], -111'412, 1);
}

TEST(Projection, CrossesTheLastMeridian) {
  const Projection projection({179.9, 0}, true);
  EXPECT_NEAR(projection.Project({-179.9, 0})[0], 0.2 * 111'320, 1);
  EXPECT_DOUBLE_EQ(NearestLongitude(-179, 179), 181);
  EXPECT_DOUBLE_EQ(NearestLongitude(10, 20), 10);
}

}  // namespace
}  // namespace warpyard::city_io
