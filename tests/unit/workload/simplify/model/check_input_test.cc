// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/model/check_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/meshes/adversarial_mesh.h"

namespace warpyard::simplify {
namespace {

using ::testing::HasSubstr;

ModelInput InputOf(const meshes::TriangleMesh& mesh) {
  return {{geometry::ScalarType::kFloat64, mesh.positions.data(), mesh.positions.size() / 3},
          mesh.triangles};
}

/// The error of the checks, which must be INVALID_ARGUMENT.
std::string ErrorOf(const ModelInput& input) {
  absl::Status status = CheckInput(input);
  if (status.ok()) status = StorePoints(input.positions).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  return std::string(status.message());
}

TEST(CheckInput, RefusesIndicesWithoutAVertexAndSizesThatAreNoTriangles) {
  meshes::TriangleMesh mesh;
  mesh.positions = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  mesh.triangles = {0, 1, 3};
  EXPECT_THAT(ErrorOf(InputOf(mesh)), HasSubstr("triangles[2]: 3, expected less than 3"));
  mesh.triangles = {0, 1};
  EXPECT_THAT(ErrorOf(InputOf(mesh)), HasSubstr("2 indices, no multiple of 3"));
  mesh.triangles = {};
  EXPECT_THAT(ErrorOf(InputOf(mesh)), HasSubstr("triangles: 0, expected 1 to"));
  mesh.positions = {};
  EXPECT_THAT(ErrorOf(InputOf(mesh)), HasSubstr("vertices: 0, expected 1 to"));
}

TEST(CheckInput, RefusesWhatNoJobCanTake) {
  for (const meshes::TriangleMesh& mesh : meshes::MakeInvalidMeshes()) {
    if (mesh.positions.size() % 3 != 0) continue;  // no such view exists
    SCOPED_TRACE(mesh.name);
    EXPECT_FALSE(ErrorOf(InputOf(mesh)).empty());
  }
}

TEST(StorePoints, NamesTheVertexThatIsNotFinite) {
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const std::vector<double> positions = {0, 0, 0, 1, value, 0};
    const auto stored = StorePoints({geometry::ScalarType::kFloat64, positions.data(), 2});
    EXPECT_THAT(stored.status().message(), HasSubstr("vertex 1"));
  }
}

TEST(StorePoints, NamesAnyOfManyFloatsThatIsNotFinite) {
  for (const float value :
       {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    for (std::size_t bad = 0; bad < 11 * 3; ++bad) {
      std::vector<float> floats(11 * 3);
      for (std::size_t i = 0; i < floats.size(); ++i) floats[i] = static_cast<float>(i);
      floats[bad] = value;
      const auto stored = StorePoints({geometry::ScalarType::kFloat32, floats.data(), 11});
      EXPECT_THAT(stored.status().message(), HasSubstr(absl::StrCat("vertex ", bad / 3, " is")));
    }
  }
}

TEST(StorePoints, FindsTheBoxOfFloatsAsOfTheSameDoubles) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> coordinate(-50, 90);
  for (const std::size_t vertices : {2u, 3u, 4u, 5u, 7u, 8u, 1001u}) {
    std::vector<float> floats(3 * vertices);
    for (float& value : floats) value = coordinate(random);
    const std::vector<double> doubles(floats.begin(), floats.end());
    const auto few = StorePoints({geometry::ScalarType::kFloat32, floats.data(), vertices});
    const auto many = StorePoints({geometry::ScalarType::kFloat64, doubles.data(), vertices});
    ASSERT_TRUE(few.ok() && many.ok());
    EXPECT_EQ(few->frame.extent, many->frame.extent);
    EXPECT_EQ(few->frame.low.x, many->origin.x);
    EXPECT_EQ(few->frame.low.y, many->origin.y);
    EXPECT_EQ(few->frame.low.z, many->origin.z);
  }
}

TEST(StorePoints, RefusesABoxWithoutAnExtentOrWithOneThatIsTooLarge) {
  const std::vector<double> same = {2, 3, 4, 2, 3, 4};
  EXPECT_THAT(StorePoints({geometry::ScalarType::kFloat64, same.data(), 2}).status().message(),
              HasSubstr("largest side of their box is 0"));
  const std::vector<double> far = {-1e300, 0, 0, 1e300, 0, 0};
  EXPECT_FALSE(StorePoints({geometry::ScalarType::kFloat64, far.data(), 2}).ok());
}

TEST(StorePoints, KeepsFloatsAndStoresDoublesRelativeToTheirBox) {
  const std::vector<float> floats = {100, 0, -3, 101, 2, -1};
  const auto kept = StorePoints({geometry::ScalarType::kFloat32, floats.data(), 2});
  ASSERT_TRUE(kept.ok());
  EXPECT_EQ(kept->origin.x, 0);
  EXPECT_EQ(kept->data, floats.data());
  EXPECT_EQ(kept->frame.low.x, 100);
  EXPECT_EQ(kept->frame.extent, 2);
  const std::vector<double> doubles = {1e9 + 0.125, 0, 0, 1e9 + 1, 0, 0};
  const auto moved = StorePoints({geometry::ScalarType::kFloat64, doubles.data(), 2});
  ASSERT_TRUE(moved.ok());
  EXPECT_EQ(moved->origin.x, 1e9 + 0.125);
  EXPECT_EQ(moved->converted[1].x, 0.875f) << "a float near 1e9 would have steps of 64";
}

TEST(CheckOptions, WantsExactlyOneGoalWithinItsRange) {
  SimplifyOptions options;
  EXPECT_THAT(CheckOptions(options).message(), HasSubstr("0 of triangles, max_error, level"));
  options.triangles = 10;
  EXPECT_TRUE(CheckOptions(options).ok());
  options.level = 3;
  EXPECT_THAT(CheckOptions(options).message(), HasSubstr("2 of triangles, max_error, level"));
  options.triangles.reset();
  options.level = 22;
  EXPECT_THAT(CheckOptions(options).message(), HasSubstr("level: 22, expected 0 to 21"));
  options.level.reset();
  for (const double error : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    options.max_error = error;
    EXPECT_THAT(CheckOptions(options).message(), HasSubstr("max_error"));
  }
  options.max_error.reset();
  options.triangles = 0;
  EXPECT_THAT(CheckOptions(options).message(), HasSubstr("triangles: 0"));
}

}  // namespace
}  // namespace warpyard::simplify
