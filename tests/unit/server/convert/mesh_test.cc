// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/convert/mesh.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/messages.h"

namespace warpyard::server {
namespace {

using test_support::Bytes;
using test_support::Doubles;
using test_support::SquareMesh;
using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

v1::Positions Floats(const std::vector<float>& numbers) {
  v1::Positions positions;
  positions.set_scalar_type(v1::SCALAR_TYPE_FLOAT32);
  positions.set_data(Bytes(numbers));
  return positions;
}

void ExpectInvalid(const absl::Status& status, const std::string& message) {
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_EQ(std::string(status.message()), message);
}

TEST(ToPositions, ViewsDoublesInPlace) {
  const v1::Positions positions = Doubles({1, 2, 3, 4, 5, 6});
  const auto view = ToPositions(positions, "end", 2);
  ASSERT_TRUE(view.ok()) << view.status();
  EXPECT_EQ(view->scalar_type, geometry::ScalarType::kFloat64);
  EXPECT_EQ(view->vertices, 2u);
  EXPECT_EQ(view->data, positions.data().data());
}

TEST(ToPositions, ViewsFloatsInPlace) {
  const v1::Positions positions = Floats({1, 2, 3});
  const auto view = ToPositions(positions, "end", std::nullopt);
  ASSERT_TRUE(view.ok()) << view.status();
  EXPECT_EQ(view->scalar_type, geometry::ScalarType::kFloat32);
  EXPECT_EQ(view->vertices, 1u);
}

TEST(ToPositions, AcceptsTheLargestCoordinate) {
  EXPECT_TRUE(ToPositions(Doubles({1e38, -1e38, 0}), "end", 1).ok());
  EXPECT_TRUE(ToPositions(Floats({1e38f, -1e38f, 0}), "end", 1).ok());
}

/// Two vertices in a box from (0, -1, 5) to (1, 1, 5).
v1::Positions Quantized() {
  v1::Positions positions;
  positions.set_scalar_type(v1::SCALAR_TYPE_QUANTIZED16);
  positions.set_data(Bytes<std::uint16_t>({0, 1, 2, 0xffff, 0x8000, 7}));
  for (const double low : {0.0, -1.0, 5.0}) positions.mutable_box()->add_low(low);
  for (const double high : {1.0, 1.0, 5.0}) positions.mutable_box()->add_high(high);
  return positions;
}

TEST(ToPositions, ViewsPlacesInABoxInPlace) {
  const v1::Positions positions = Quantized();
  for (const auto vertices : {std::optional<std::size_t>(2), std::optional<std::size_t>()}) {
    const auto view = ToPositions(positions, "end", vertices);
    ASSERT_TRUE(view.ok()) << view.status();
    EXPECT_EQ(view->scalar_type, geometry::ScalarType::kQuantized16);
    EXPECT_EQ(view->vertices, 2u);
    EXPECT_EQ(view->data, positions.data().data());
    EXPECT_THAT(view->box.low, ::testing::ElementsAre(0, -1, 5));
    EXPECT_THAT(view->box.high, ::testing::ElementsAre(1, 1, 5));
  }
}

TEST(ToPositions, RefusesPlacesWithoutABoxOrOfAnotherSize) {
  v1::Positions positions = Quantized();
  positions.mutable_data()->pop_back();
  ExpectInvalid(ToPositions(positions, "end", 2).status(),
                "end.data: 11 bytes, expected 12 (6 for each of 2 vertices)");
  ExpectInvalid(ToPositions(positions, "end", std::nullopt).status(),
                "end.data: 11 bytes, expected a multiple of 6 (one vertex)");
  positions = Quantized();
  positions.mutable_box()->add_low(3);
  ExpectInvalid(ToPositions(positions, "end", 2).status(),
                "end.box: 4 and 3 numbers, expected 3 of low and 3 of high");
  positions.clear_box();
  ExpectInvalid(ToPositions(positions, "end", 2).status(),
                "end.box: 0 and 0 numbers, expected 3 of low and 3 of high");
}

TEST(ToPositions, RefusesABoxThatIsNone) {
  const std::string expected =
      " along y, expected low <= high, finite and at most 1e+38 in magnitude";
  for (const auto& [low, high, text] :
       std::vector<std::tuple<double, double, std::string>>{{1, 0.5, "1 to 0.5"},
                                                            {kNan, 0, "nan to 0"},
                                                            {0, kNan, "0 to nan"},
                                                            {-kInfinity, 0, "-inf to 0"},
                                                            {0, kInfinity, "0 to inf"},
                                                            {-2e38, 0, "-2e+38 to 0"}}) {
    v1::Positions positions = Quantized();
    positions.mutable_box()->set_low(1, low);
    positions.mutable_box()->set_high(1, high);
    ExpectInvalid(ToPositions(positions, "start", 2).status(),
                  "start.box: from " + text + expected);
  }
}

TEST(ToPositions, RefusesABoxAroundOtherNumbers) {
  v1::Positions positions = Doubles({1, 2, 3});
  *positions.mutable_box() = Quantized().box();
  ExpectInvalid(ToPositions(positions, "end", 1).status(),
                "end.box: only for SCALAR_TYPE_QUANTIZED16");
}

TEST(ToPositions, RefusesALayoutThatIsNotGiven) {
  v1::Positions positions;
  ExpectInvalid(ToPositions(positions, "end", 1).status(),
                "end.scalar_type: 0, expected SCALAR_TYPE_FLOAT32, _FLOAT64 or _QUANTIZED16");
  positions.set_scalar_type(static_cast<v1::ScalarType>(77));
  ExpectInvalid(ToPositions(positions, "end", 1).status(),
                "end.scalar_type: 77, expected SCALAR_TYPE_FLOAT32, _FLOAT64 or _QUANTIZED16");
}

TEST(ToPositions, RefusesAnotherNumberOfVertices) {
  ExpectInvalid(ToPositions(Doubles({1, 2, 3}), "end", 4).status(),
                "end.data: 24 bytes, expected 96 (24 for each of 4 vertices)");
  ExpectInvalid(ToPositions(Floats({1, 2, 3}), "start", 4).status(),
                "start.data: 12 bytes, expected 48 (12 for each of 4 vertices)");
  ExpectInvalid(ToPositions(Floats({}), "start", 4).status(),
                "start.data: 0 bytes, expected 48 (12 for each of 4 vertices)");
}

TEST(ToPositions, RefusesPartsOfAVertex) {
  v1::Positions positions = Doubles({1, 2, 3});
  positions.mutable_data()->push_back('x');
  ExpectInvalid(ToPositions(positions, "mesh.positions", std::nullopt).status(),
                "mesh.positions.data: 25 bytes, expected a multiple of 24 (one vertex)");
}

TEST(ToPositions, RefusesNoVertices) {
  ExpectInvalid(ToPositions(Doubles({}), "mesh.positions", std::nullopt).status(),
                "mesh.positions.data: empty, at least one vertex is needed");
}

TEST(ToPositions, NamesTheFirstVertexThatIsNotFinite) {
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    for (const std::size_t at : {std::size_t{0}, std::size_t{53}, std::size_t{29'999}}) {
      std::vector<double> numbers(30'000, 1.0);
      numbers[at] = bad;
      numbers.back() = bad;
      ExpectInvalid(
          ToPositions(Doubles(numbers), "end", 10'000).status(),
          "end.data: vertex " + std::to_string(at / 3) + " has a coordinate that is not finite");
      std::vector<float> floats(numbers.begin(), numbers.end());
      ExpectInvalid(
          ToPositions(Floats(floats), "end", 10'000).status(),
          "end.data: vertex " + std::to_string(at / 3) + " has a coordinate that is not finite");
    }
  }
}

TEST(ToPositions, NamesTheFirstVertexThatIsTooFarAway) {
  ExpectInvalid(ToPositions(Doubles({0, 0, 0, 0, -1.1e38, 0}), "end", 2).status(),
                "end.data: vertex 1 has a coordinate larger than 1e+38 in magnitude");
  ExpectInvalid(ToPositions(Floats({0, 0, 2e38f}), "end", 1).status(),
                "end.data: vertex 0 has a coordinate larger than 1e+38 in magnitude");
}

TEST(ToMesh, ViewsAMeshInPlace) {
  v1::TriangleMesh mesh = SquareMesh();
  mesh.set_vertex_groups(Bytes<std::uint32_t>({5, 5, 5, 5}));
  const auto view = ToMesh(mesh);
  ASSERT_TRUE(view.ok()) << view.status();
  EXPECT_EQ(view->positions.vertices, 4u);
  EXPECT_THAT(view->triangles, ::testing::ElementsAre(0, 1, 2, 0, 2, 3));
  EXPECT_THAT(view->vertex_groups, ::testing::ElementsAre(5, 5, 5, 5));
  EXPECT_EQ(static_cast<const void*>(view->triangles.data()), mesh.triangles().data());
}

TEST(ToMesh, RefusesAMeshWithoutTriangles) {
  v1::TriangleMesh mesh = SquareMesh();
  mesh.clear_triangles();
  ExpectInvalid(ToMesh(mesh).status(), "mesh.triangles: empty, at least one triangle is needed");
}

TEST(ToMesh, RefusesAnEmptyMesh) {
  const auto status = ToMesh(v1::TriangleMesh()).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("mesh.positions.scalar_type"));
}

TEST(ToMesh, RefusesPartsOfATriangle) {
  v1::TriangleMesh mesh = SquareMesh();
  mesh.mutable_triangles()->pop_back();
  ExpectInvalid(ToMesh(mesh).status(),
                "mesh.triangles: 23 bytes, expected a multiple of 12 (three uint32 a triangle)");
}

TEST(ToMesh, NamesTheFirstTriangleWithAnIndexOutOfRange) {
  v1::TriangleMesh mesh = SquareMesh();
  mesh.set_triangles(Bytes<std::uint32_t>({0, 1, 2, 0, 4, 3, 0, 1, 0xFFFFFFFF}));
  ExpectInvalid(ToMesh(mesh).status(),
                "mesh.triangles: triangle 1 has the vertex index 4, but there are 4 vertices");
}

TEST(ToMesh, NamesTheFirstTriangleThatNamesAVertexTwice) {
  v1::TriangleMesh mesh = SquareMesh();
  for (const std::vector<std::uint32_t>& corners : std::vector<std::vector<std::uint32_t>>{
           {0, 1, 2, 3, 3, 2}, {0, 1, 2, 2, 3, 3}, {0, 1, 2, 3, 2, 3}}) {
    mesh.set_triangles(Bytes(corners));
    const auto status = ToMesh(mesh).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr("mesh.triangles: triangle 1 ("));
    EXPECT_THAT(std::string(status.message()), HasSubstr("names a vertex twice"));
  }
}

TEST(ToMesh, RefusesAnotherNumberOfGroups) {
  v1::TriangleMesh mesh = SquareMesh();
  mesh.set_vertex_groups(Bytes<std::uint32_t>({1, 1, 1}));
  ExpectInvalid(ToMesh(mesh).status(),
                "mesh.vertex_groups: 12 bytes, expected 16 (one uint32 for each of 4 vertices) or "
                "none");
}

TEST(ToMesh, NamesTheFirstTriangleThatMixesGroups) {
  v1::TriangleMesh mesh = SquareMesh();
  mesh.set_vertex_groups(Bytes<std::uint32_t>({1, 1, 1, 2}));
  ExpectInvalid(ToMesh(mesh).status(),
                "mesh.vertex_groups: triangle 1 has vertices of different groups");
}

}  // namespace
}  // namespace warpyard::server
