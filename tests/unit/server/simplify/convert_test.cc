// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/simplify/convert.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/status_facts.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/messages.h"

namespace warpyard::server {
namespace {

using test_support::Bytes;
using ::testing::ElementsAre;

constexpr std::uint32_t kModelTriangles = 1000;

v1::SimplifyRequest Request(const std::function<void(v1::SimplifyRequest&)>& set) {
  v1::SimplifyRequest request;
  set(request);
  return request;
}

std::string ErrorOf(const v1::SimplifyRequest& request) {
  const auto result = ToResultDescription(request, kModelTriangles);
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(result.status().message());
}

TEST(ToModel, ViewsTheMeshInPlace) {
  v1::OpenModelRequest request;
  *request.mutable_mesh() = test_support::SquareMesh();
  const auto model = ToModel(request);
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model->positions.vertices, 4u);
  EXPECT_EQ(model->positions.data, request.mesh().positions().data().data());
  EXPECT_THAT(model->triangles, ElementsAre(0, 1, 2, 0, 2, 3));
}

TEST(ToModel, RefusesABadMesh) {
  v1::OpenModelRequest request;
  EXPECT_EQ(ToModel(request).status().code(), absl::StatusCode::kInvalidArgument);
  *request.mutable_mesh() = test_support::SquareMesh();
  request.mutable_mesh()->set_triangles(Bytes<std::uint32_t>({0, 1, 4}));
  EXPECT_EQ(ToModel(request).status(),
            InvalidField("mesh.triangles",
                         "triangle 0 has the vertex index 4, but there are 4 vertices"));
}

TEST(ToResultDescription, HasTheDefaultsOfTheContract) {
  const auto result =
      ToResultDescription(Request([](auto& r) { r.set_triangles(7); }), kModelTriangles);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->options.triangles, 7u);
  EXPECT_FALSE(result->options.max_error || result->options.level || result->max_bytes);
  EXPECT_EQ(result->options.finish, simplify::Finish::kCollapse);
  EXPECT_EQ(result->options.finish_by, absl::InfiniteFuture());
  EXPECT_FALSE(result->best_effort);
}

TEST(ToResultDescription, TakesEachGoal) {
  const auto of = [](const std::function<void(v1::SimplifyRequest&)>& set) {
    return ToResultDescription(Request(set), kModelTriangles);
  };
  EXPECT_EQ(of([](auto& r) { r.set_triangles(~std::uint64_t{0}); })->options.triangles,
            ~std::uint64_t{0});
  EXPECT_EQ(of([](auto& r) { r.set_ratio(0.0999); })->options.triangles, 99u);
  EXPECT_EQ(of([](auto& r) { r.set_ratio(1); })->options.triangles, kModelTriangles);
  EXPECT_EQ(of([](auto& r) { r.set_ratio(1e-300); })->options.triangles, 1u);
  EXPECT_EQ(of([](auto& r) { r.set_max_error(0); })->options.max_error, 0);
  EXPECT_EQ(of([](auto& r) { r.set_level(0); })->options.level, 0u);
  EXPECT_EQ(of([](auto& r) { r.set_level(21); })->options.level, 21u);
  EXPECT_EQ(of([](auto& r) { r.set_max_bytes(48); })->max_bytes, 48u);
}

TEST(ToResultDescription, TakesFinishAndBestEffort) {
  const auto result = ToResultDescription(Request([](auto& r) {
                                            r.set_level(3);
                                            r.set_finish(v1::FINISH_CUT);
                                            r.set_best_effort(true);
                                          }),
                                          kModelTriangles);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->options.finish, simplify::Finish::kCut);
  EXPECT_TRUE(result->best_effort);
}

TEST(ToResultDescription, NamesTheFieldThatIsWrong) {
  using Case = std::pair<std::function<void(v1::SimplifyRequest&)>, std::string>;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const Case cases[] = {
      {[](auto&) {},
       "goal: missing, expected one of triangles, ratio, max_error, level, max_bytes and views"},
      {[](auto& r) { r.set_triangles(0); }, "triangles: 0, expected at least 1"},
      {[](auto& r) { r.set_ratio(0); }, "ratio: 0, expected more than 0 and at most 1"},
      {[](auto& r) { r.set_ratio(1.5); }, "ratio: 1.5, expected more than 0 and at most 1"},
      {[](auto& r) { r.set_ratio(kNan); }, "ratio: nan, expected more than 0 and at most 1"},
      {[](auto& r) { r.set_max_error(-1); }, "max_error: -1, expected finite and not negative"},
      {[](auto& r) { r.set_max_error(kNan); }, "max_error: nan, expected finite and not negative"},
      {[](auto& r) { r.set_level(22); }, "level: 22, expected 0 to 21"},
      {[](auto& r) { r.set_max_bytes(47); }, "max_bytes: 47, expected at least 48"},
      {[](auto& r) {
         r.set_level(1);
         r.set_finish(static_cast<v1::Finish>(9));
       },
       "finish: unknown value 9"},
  };
  for (const auto& [set, message] : cases) EXPECT_EQ(ErrorOf(Request(set)), message);
}

TEST(SimplifiedMeshToProto, LosesNothing) {
  simplify::SimplifiedMesh mesh;
  mesh.positions = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  mesh.triangles = {0, 1, 2};
  mesh.sources = {30, 10, 20};
  mesh.origin = {1e9, -2, 3};
  mesh.statistics = {.input_triangles = 1,
                     .cut_triangles = 2,
                     .passes = 3,
                     .expanded = 4,
                     .shortfall = simplify::Shortfall::kTopology,
                     .max_error = 0.5,
                     .distance = simplify::SurfaceDistance{100, {1, 2}, {3, 4}},
                     .edges = simplify::EdgeCounts{7, 8},
                     .phases = {{"cut", absl::Seconds(5)}}};
  EXPECT_EQ(ListBytes(mesh), 9u * 4 + 3 * 4 + 3 * 4);
  v1::SimplifyResponse response;
  ToProto(mesh, &response);
  EXPECT_EQ(response.mesh().positions().scalar_type(), v1::SCALAR_TYPE_FLOAT32);
  EXPECT_EQ(response.mesh().positions().data(), Bytes(mesh.positions));
  EXPECT_EQ(response.mesh().triangles(), Bytes(mesh.triangles));
  EXPECT_EQ(response.source_vertices(), Bytes(mesh.sources));
  EXPECT_THAT(response.origin(), ElementsAre(1e9, -2, 3));
  const v1::SimplifyStatistics& statistics = response.statistics();
  EXPECT_EQ(statistics.input_triangles(), 1u);
  EXPECT_EQ(statistics.cut_triangles(), 2u);
  EXPECT_EQ(statistics.passes(), 3u);
  EXPECT_EQ(statistics.expanded_nodes(), 4u);
  EXPECT_EQ(statistics.shortfall(), v1::SHORTFALL_TOPOLOGY);
  EXPECT_EQ(statistics.max_error(), 0.5);
  EXPECT_EQ(statistics.distance().samples(), 100u);
  EXPECT_EQ(statistics.distance().from_model().max(), 2);
  EXPECT_EQ(statistics.distance().from_result().rms(), 3);
  EXPECT_EQ(statistics.edges().border(), 7u);
  EXPECT_EQ(statistics.edges().non_manifold(), 8u);
  ASSERT_EQ(statistics.phases_size(), 1);
  EXPECT_EQ(statistics.phases(0).phase(), "cut");
  EXPECT_EQ(statistics.phases(0).duration().seconds(), 5);
}

TEST(SimplifiedMeshToProto, KnowsEachShortfall) {
  using simplify::Shortfall;
  const std::pair<Shortfall, v1::Shortfall> cases[] = {
      {Shortfall::kNone, v1::SHORTFALL_NONE},
      {Shortfall::kTopology, v1::SHORTFALL_TOPOLOGY},
      {Shortfall::kTime, v1::SHORTFALL_TIME}};
  for (const auto& [shortfall, expected] : cases) {
    simplify::SimplifiedMesh mesh;
    mesh.statistics.shortfall = shortfall;
    v1::SimplifyResponse response;
    ToProto(mesh, &response);
    EXPECT_EQ(response.statistics().shortfall(), expected);
  }
}

}  // namespace
}  // namespace warpyard::server
