// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/position_source.h"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "tests/support/mesh_fixtures.h"
#include "tests/unit/position_forms.h"

namespace warpyard::ccd {
namespace {

using test_support::Random;

TEST(Dequantized, IsThePlaceInTheBoxUpToRounding) {
  for (const auto& [low, high] : std::vector<std::pair<double, double>>{
           {-1, 1}, {0.1, 0.3}, {-1e38, 1e38}, {5, 5}, {0, 1e-300}, {-3.7, 1e5}}) {
    const mpq_class exact_low(low), exact_size = mpq_class(high) - exact_low;
    const double spacing = SpacingOf({{low, 0, 0}, {high, 0, 0}}, 0);
    const double unit = std::max(std::abs(low), std::abs(high)) * 0x1p-50;
    for (std::uint32_t q = 0; q <= 65535; ++q) {
      const double place = Dequantized(low, spacing, static_cast<std::uint16_t>(q));
      const mpq_class error = mpq_class(place) - (exact_low + exact_size * q / 65535);
      ASSERT_LE(std::abs(error.get_d()), unit) << low << " to " << high << ", place " << q;
    }
  }
}

TEST(Dequantized, BeginsAtTheLowCornerAndAscends) {
  for (const auto& [low, high] :
       std::vector<std::pair<double, double>>{{-1, 1}, {0.1, 0.3}, {-1e38, 1e38}, {5, 5}}) {
    const double spacing = SpacingOf({{low, 0, 0}, {high, 0, 0}}, 0);
    double last = low;
    EXPECT_EQ(Dequantized(low, spacing, 0), low);
    for (std::uint32_t q = 1; q <= 65535; ++q) {
      const double place = Dequantized(low, spacing, static_cast<std::uint16_t>(q));
      ASSERT_GE(place, last);
      last = place;
    }
  }
}

std::vector<double> Flat(const std::vector<Vector3d>& points) {
  std::vector<double> numbers;
  for (const Vector3d& p : points) numbers.insert(numbers.end(), {p.x, p.y, p.z});
  return numbers;
}

std::vector<double> RandomNumbers(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> numbers(count);
  for (double& number : numbers) number = random.Uniform(-7, 12);
  return numbers;
}

TEST(ConvertPosition, LeavesWhatIsConvertedAsItIs) {
  std::vector<Vector3d> to = {{1, 2, 3}};
  ConvertPosition({PositionFormat::kConverted, nullptr, &to[0].x, {}, {}}, nullptr, nullptr, 0);
  EXPECT_EQ(Flat(to), (std::vector<double>{1, 2, 3}));
}

TEST(ConvertPosition, WidensFloats) {
  const std::vector<double> numbers = RandomNumbers(300, 1);
  const std::vector<float> floats(numbers.begin(), numbers.end());
  std::vector<Vector3d> to(100);
  for (std::uint32_t v = 0; v < 100; ++v) {
    ConvertPosition({PositionFormat::kFloat32, floats.data(), &to[0].x, {}, {}}, nullptr, nullptr,
                    v);
  }
  EXPECT_EQ(Flat(to), std::vector<double>(floats.begin(), floats.end()));
}

TEST(ConvertPosition, PutsPlacesIntoTheirBox) {
  const std::vector<double> numbers = RandomNumbers(300, 2);
  const test_support::QuantizedPositions quantized(numbers);
  const PositionsView view = quantized.View();
  std::vector<Vector3d> to(100);
  for (std::uint32_t v = 0; v < 100; ++v) {
    PositionSource source{PositionFormat::kQuantized16, view.data, &to[0].x, {}, {}};
    for (int axis = 0; axis < 3; ++axis) {
      source.low[axis] = view.box.low[axis];
      source.spacing[axis] = SpacingOf(view.box, axis);
    }
    ConvertPosition(source, nullptr, nullptr, v);
  }
  const std::vector<double> converted = Flat(to);
  EXPECT_EQ(converted, quantized.Doubles());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_NEAR(converted[i], numbers[i], 19.0 / 131070 + 1e-12) << "half a place at most";
  }
}

TEST(ConvertPosition, MovesEachVertexWithItsBody) {
  Random random(3);
  const std::vector<double> numbers = RandomNumbers(300, 4);
  std::vector<Vector3d> rest(100), to(100);
  std::memcpy(rest.data(), numbers.data(), 100 * sizeof(Vector3d));
  std::vector<std::uint32_t> body_of(100);
  for (std::uint32_t& body : body_of) body = random.Below(7);
  const auto pose = test_support::Pose::Random(random, 7, 3, 10);
  for (std::uint32_t v = 0; v < 100; ++v) {
    ConvertPosition({PositionFormat::kPose, pose.View().matrices, &to[0].x, {}, {}}, rest.data(),
                    body_of.data(), v);
  }
  EXPECT_EQ(Flat(to), pose.Doubles(numbers, body_of));
}

}  // namespace
}  // namespace warpyard::ccd
