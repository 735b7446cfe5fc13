// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/simplify/model/check_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "benchmarks/meshes/adversarial_mesh.h"
#include "core/workload/simplify/model/input_points.h"

namespace warpyard::simplify {
namespace {

using ::testing::HasSubstr;

ModelInput InputOf(const meshes::TriangleMesh& mesh) {
  return {{geometry::ScalarType::kFloat64, mesh.positions.data(), mesh.positions.size() / 3},
          mesh.triangles};
}

/// The error of all checks of the host, which must be INVALID_ARGUMENT.
std::string ErrorOf(const ModelInput& input) {
  absl::Status status = CheckInput(input);
  if (status.ok()) status = IndexErrorOr(input, absl::OkStatus());
  if (status.ok()) {
    const auto box = FindBox(input.positions);
    status = box.ok() ? FrameOf(*box, box->low).status() : box.status();
  }
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

TEST(CheckInput, NamesAnIndexBeforeAnAttribute) {
  meshes::TriangleMesh mesh;
  mesh.positions = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  mesh.triangles = {0, 1, 2, 0, 5, 4};
  const std::vector<float> values = {0, 1, std::nanf("")};
  const AttributeInput attribute{values, 1, 1, false};
  ModelInput input = InputOf(mesh);
  input.attributes = {&attribute, 1};
  EXPECT_THAT(ErrorOf(input), HasSubstr("triangles[4]: 5, expected less than 3"));
  mesh.triangles = {0, 1, 2};
  input.triangles = mesh.triangles;
  EXPECT_THAT(ErrorOf(input), HasSubstr("attributes[0].values: nan at vertex 2"));
}

TEST(IndexErrorOr, KeepsTheOtherErrorWhereAllIndicesHaveVertices) {
  meshes::TriangleMesh mesh;
  mesh.positions = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  mesh.triangles = {0, 1, 2};
  EXPECT_EQ(IndexErrorOr(InputOf(mesh), absl::InternalError("other")).message(), "other");
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
