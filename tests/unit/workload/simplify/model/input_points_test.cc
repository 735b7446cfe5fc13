// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/model/input_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/device/cpu_backend.h"
#include "core/workload/geometry/bounds.h"

namespace warpyard::simplify {
namespace {

using ::testing::HasSubstr;

/// More than one thread reads so many.
constexpr std::size_t kMany = 200'000;

geometry::PositionsView ViewOf(const std::vector<double>& positions) {
  return {geometry::ScalarType::kFloat64, positions.data(), positions.size() / 3};
}

std::vector<double> RandomPositions(std::size_t vertices) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> coordinate(-50, 90);
  std::vector<double> positions(3 * vertices);
  for (double& value : positions) value = coordinate(random);
  return positions;
}

TEST(FindBox, NamesTheFirstVertexThatIsNotFinite) {
  for (const std::size_t vertices : {std::size_t{11}, kMany}) {
    std::vector<double> positions = RandomPositions(vertices);
    // From the last one on, so that the one named is always the first.
    for (const std::size_t bad : {vertices - 1, vertices / 2, vertices / 2 - 1, std::size_t{3}}) {
      positions[3 * bad + 1] = bad % 2 == 0 ? std::numeric_limits<double>::quiet_NaN()
                                            : -std::numeric_limits<double>::infinity();
      EXPECT_THAT(FindBox(ViewOf(positions)).status().message(),
                  HasSubstr(absl::StrCat("vertex ", bad, " is (")));
    }
  }
}

TEST(FindBox, HasTheLeastAndTheGreatestCoordinates) {
  for (const std::size_t vertices : {std::size_t{1}, std::size_t{5}, kMany}) {
    std::vector<double> positions = RandomPositions(vertices);
    positions[3 * (vertices - 1)] = 91;
    positions[3 * (vertices / 2) + 1] = -51;
    const auto box = FindBox(ViewOf(positions));
    ASSERT_TRUE(box.ok());
    EXPECT_EQ(box->high.x, 91);
    EXPECT_EQ(box->low.y, -51);
  }
}

TEST(FrameOf, RefusesABoxWithoutAnExtentOrWithOneThatIsTooLarge) {
  EXPECT_THAT(FrameOf({{2, 3, 4}, {2, 3, 4}}, {}).status().message(),
              HasSubstr("largest side of their box is 0"));
  EXPECT_FALSE(FrameOf({{-1e300, 0, 0}, {1e300, 0, 0}}, {}).ok());
  const auto frame = FrameOf({{100, 0, -3}, {101, 2, -1}}, {100, 0, 0});
  ASSERT_TRUE(frame.ok());
  EXPECT_EQ(frame->extent, 2);
  EXPECT_EQ(frame->low.x, 0);
  EXPECT_EQ(frame->low.z, -3);
}

TEST(BoxOf, HasTheFloatsThatTheWordsStandFor) {
  InputCounters counters{};
  const float low[] = {-3.5f, -0.0f, 1e-40f}, high[] = {-1, 0, 1e38f};
  for (int axis = 0; axis < 3; ++axis) {
    counters.least[axis] = ~geometry::OrderedBits(low[axis]);
    counters.greatest[axis] = geometry::OrderedBits(high[axis]);
  }
  const PointBox box = BoxOf(counters);
  EXPECT_EQ(box.low.x, -3.5);
  EXPECT_FALSE(std::signbit(box.low.y)) << "equal positions have equal boxes";
  EXPECT_EQ(box.low.z, 1e-40f);
  EXPECT_EQ(box.high.x, -1);
  EXPECT_EQ(box.high.z, 1e38f);
}

TEST(UploadPoints, StoresAllRelativeToTheOrigin) {
  device::CpuBackend backend(1, 0);
  for (const std::size_t vertices : {std::size_t{3}, kMany}) {
    std::vector<double> positions = RandomPositions(vertices);
    for (double& value : positions) value += 1e9;
    std::vector<FloatPoint> stored(vertices);
    ASSERT_TRUE(UploadPoints(backend, ViewOf(positions), {1e9, 1e9, 1e9}, stored.data()).ok());
    for (std::size_t v = 0; v < vertices; ++v) {
      ASSERT_EQ(stored[v].x, static_cast<float>(positions[3 * v] - 1e9)) << v;
      ASSERT_EQ(stored[v].z, static_cast<float>(positions[3 * v + 2] - 1e9)) << v;
    }
  }
}

}  // namespace
}  // namespace warpyard::simplify
