// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/job/position_source.h"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "tests/support/mesh_fixtures.h"
#include "tests/unit/engine/position_forms.h"

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

/// Reads all positions, and keeps them.
std::vector<double> ReadAndKept(const PositionReader& reader, std::vector<Vector3d>& to) {
  std::vector<Vector3d> read;
  for (std::uint32_t v = 0; v < to.size(); ++v) {
    read.push_back(reader.At(v));
    reader.Keep(v, read.back());
  }
  EXPECT_EQ(Flat(to), Flat(read));
  return Flat(read);
}

TEST(PositionReader, ReadsWhatIsConvertedAsItIs) {
  std::vector<Vector3d> to = {{1, 2, 3}, {4, 5, 6}};
  const std::vector<float> floats(6, 7);
  for (const PositionFormat format : {PositionFormat::kConverted, PositionFormat::kFloat32}) {
    const PositionSource source{format, floats.data(), &to[0].x, {}, {}};
    EXPECT_EQ(ReadAndKept(PositionReader(source, true, nullptr, nullptr), to),
              (std::vector<double>{1, 2, 3, 4, 5, 6}));
  }
}

TEST(PositionReader, LeavesWhatIsConvertedAsItIs) {
  std::vector<Vector3d> to = {{1, 2, 3}};
  const PositionSource source{PositionFormat::kConverted, nullptr, &to[0].x, {}, {}};
  PositionReader(source, false, nullptr, nullptr).Keep(0, {4, 5, 6});
  EXPECT_EQ(Flat(to), (std::vector<double>{1, 2, 3}));
}

TEST(PositionReader, CopiesDoublesFromElsewhere) {
  const std::vector<double> doubles = RandomNumbers(300, 3);
  std::vector<Vector3d> to(100);
  const PositionSource source{PositionFormat::kFloat64, doubles.data(), &to[0].x, {}, {}};
  EXPECT_EQ(ReadAndKept(PositionReader(source, false, nullptr, nullptr), to), doubles);
}

TEST(PositionReader, WidensFloats) {
  const std::vector<double> numbers = RandomNumbers(300, 1);
  const std::vector<float> floats(numbers.begin(), numbers.end());
  std::vector<Vector3d> to(100);
  const PositionSource source{PositionFormat::kFloat32, floats.data(), &to[0].x, {}, {}};
  EXPECT_EQ(ReadAndKept(PositionReader(source, false, nullptr, nullptr), to),
            std::vector<double>(floats.begin(), floats.end()));
}

TEST(PositionReader, PutsPlacesIntoTheirBox) {
  const std::vector<double> numbers = RandomNumbers(300, 2);
  const test_support::QuantizedPositions quantized(numbers);
  const PositionsView view = quantized.View();
  std::vector<Vector3d> to(100);
  PositionSource source{PositionFormat::kQuantized16, view.data, &to[0].x, {}, {}};
  for (int axis = 0; axis < 3; ++axis) {
    source.low[axis] = view.box.low[axis];
    source.spacing[axis] = SpacingOf(view.box, axis);
  }
  const std::vector<double> read = ReadAndKept(PositionReader(source, false, nullptr, nullptr), to);
  EXPECT_EQ(read, quantized.Doubles());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_NEAR(read[i], numbers[i], 19.0 / 131070 + 1e-12) << "half a place at most";
  }
}

TEST(PositionReader, MovesEachVertexWithItsBody) {
  Random random(3);
  const std::vector<double> numbers = RandomNumbers(300, 4);
  std::vector<Vector3d> rest(100), to(100);
  std::memcpy(rest.data(), numbers.data(), 100 * sizeof(Vector3d));
  std::vector<std::uint32_t> body_of(100);
  for (std::uint32_t& body : body_of) body = random.Below(7);
  const auto pose = test_support::Pose::Random(random, 7, 3, 10);
  const PositionSource source{PositionFormat::kPose, pose.View().matrices, &to[0].x, {}, {}};
  EXPECT_EQ(ReadAndKept(PositionReader(source, false, rest.data(), body_of.data()), to),
            pose.Doubles(numbers, body_of));
}

}  // namespace
}  // namespace warpyard::ccd
