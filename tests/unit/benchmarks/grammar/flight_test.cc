// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/grammar/flight.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace warpyard::grammar_bench {
namespace {

bool IsInside(const grammar::View& view, float x, float y, float z) {
  return std::all_of(view.planes.begin(), view.planes.end(), [&](const auto& plane) {
    return x * plane[0] + y * plane[1] + z * plane[2] + plane[3] >= 0;
  });
}

TEST(Flight, SeesWhatIsAhead) {
  const Camera camera{{100, 2, 50}, 0, 0, 0, true};
  const grammar::View view = ViewOf(camera, 1000, Planes::kFrustum);
  EXPECT_LE(view.planes.size(), 8u);
  EXPECT_TRUE(IsInside(view, 1090, 2, 50));
  EXPECT_FALSE(IsInside(view, 1130, 2, 50));
  EXPECT_TRUE(IsInside(view, 200, 2, 145));
  EXPECT_FALSE(IsInside(view, 200, 2, 160));
  EXPECT_FALSE(IsInside(view, 200, 70, 50));
  EXPECT_FALSE(IsInside(view, 90, 2, 50));
}

TEST(Flight, SeesBehindAfterHalfATurn) {
  const grammar::View view = ViewOf({{0, 2, 0}, 180, 0, 0, false}, 1000, Planes::kFrustum);
  EXPECT_TRUE(IsInside(view, -500, 2, 10));
  EXPECT_FALSE(IsInside(view, 500, 2, 10));
}

TEST(Flight, ReachesNoFurtherThanItSays) {
  for (const Planes planes : {Planes::kAround, Planes::kFrustum}) {
    for (int degrees = 0; degrees < 360; ++degrees) {
      const float angle = static_cast<float>(degrees) * 0.0174533f, reach = 1000 * kReach + 1;
      const grammar::View view = ViewOf({{0, 2, 0}, 45, 0, 0, false}, 1000, planes);
      EXPECT_FALSE(IsInside(view, reach * std::cos(angle), 2, reach * std::sin(angle))) << degrees;
    }
  }
}

TEST(Flight, MovesAtTheSpeedOfEachPart) {
  const std::vector<Camera> cameras = CamerasOf();
  for (std::size_t f = 1; f < cameras.size(); ++f) {
    if (cameras[f].is_first) continue;
    const float x = cameras[f].position[0] - cameras[f - 1].position[0];
    const float y = cameras[f].position[1] - cameras[f - 1].position[1];
    const float moved = kFlight[cameras[f].part].speed / kFramesPerSecond;
    EXPECT_NEAR(x + y, moved, 0.001 * moved + 0.001) << f;
  }
}

}  // namespace
}  // namespace warpyard::grammar_bench
