// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Results of SimplifyService: each goal, places and origins, determinism.

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/simplify/simplify_server.h"

namespace warpyard::test_support {
namespace {

using ::testing::ElementsAre;

TEST(Simplify, TellsWhatAModelHas) {
  SimplifyServer server;
  v1::OpenModelResponse opened;
  ASSERT_TRUE(server.Open(SphereRequest(), &opened).ok());
  EXPECT_EQ(opened.vertices(), kVertices);
  EXPECT_EQ(opened.triangles(), kTriangles);
  EXPECT_GT(opened.nodes(), kVertices);
  EXPECT_GT(opened.device_bytes(), 12u * kTriangles);
  EXPECT_GT(opened.build_bytes(), opened.device_bytes());
  ASSERT_EQ(opened.phases_size(), 2);
  EXPECT_EQ(opened.phases(0).phase(), "queue");
  EXPECT_EQ(opened.phases(1).phase(), "build");
}

TEST(Simplify, ReachesEachGoal) {
  SimplifyServer server;
  const std::string model = server.NameOf(SphereRequest());
  for (const v1::Finish finish : {v1::FINISH_COLLAPSE, v1::FINISH_CUT}) {
    const auto result_of = [&](const SetGoal& set) {
      v1::SimplifyRequest request = Request(model, set);
      request.set_finish(finish);
      v1::SimplifyResponse response = server.ResultOf(request);
      ExpectSphere(response, 0.2);
      EXPECT_EQ(response.statistics().shortfall(), v1::SHORTFALL_NONE);
      EXPECT_EQ(response.statistics().input_triangles(), kTriangles);
      return response;
    };
    const auto triangles = result_of([](auto& r) { r.set_triangles(600); });
    EXPECT_LE(TrianglesOf(triangles), 600u);
    EXPECT_GT(TrianglesOf(triangles), 400u);
    const auto ratio = result_of([](auto& r) { r.set_ratio(0.1); });
    EXPECT_LE(TrianglesOf(ratio), kTriangles / 10);
    EXPECT_GT(TrianglesOf(ratio), kTriangles / 20);
    const auto fine = result_of([](auto& r) { r.set_max_error(1e-3); });
    const auto coarse = result_of([](auto& r) { r.set_max_error(1e-2); });
    EXPECT_LT(TrianglesOf(coarse), TrianglesOf(fine));
    EXPECT_LT(TrianglesOf(fine), kTriangles);
    const auto level = result_of([](auto& r) { r.set_level(3); });
    EXPECT_LT(TrianglesOf(level), kTriangles / 4);
    for (const std::uint64_t bytes : {5'000u, 50'000u}) {
      const auto small = result_of([bytes](auto& r) { r.set_max_bytes(bytes); });
      EXPECT_LE(12 * (TrianglesOf(small) + VerticesOf(small)), bytes);
      EXPECT_GT(12 * (TrianglesOf(small) + VerticesOf(small)), bytes / 2);
    }
  }
}

TEST(Simplify, GivesTheWholeModelWhereThatIsAllowed) {
  SimplifyServer server;
  const std::string model = server.NameOf(SphereRequest());
  const SetGoal goals[] = {[](auto& r) { r.set_ratio(1); },
                           [](auto& r) { r.set_triangles(~std::uint64_t{0}); },
                           [](auto& r) { r.set_max_bytes(~std::uint64_t{0}); }};
  for (const SetGoal& goal : goals) {
    const v1::SimplifyResponse response = server.ResultOf(Request(model, goal));
    EXPECT_EQ(TrianglesOf(response), kTriangles);
    ExpectSphere(response, 1e-6);
  }
}

TEST(Simplify, GivesEqualResultsForEqualRequests) {
  SimplifyServer server;
  const std::string model = server.NameOf(SphereRequest());
  const v1::SimplifyResponse first = server.ResultOf(ToTriangles(model, 500));
  for (int run = 0; run < 3; ++run) {
    const v1::SimplifyResponse again = server.ResultOf(ToTriangles(model, 500));
    EXPECT_EQ(again.mesh().SerializeAsString(), first.mesh().SerializeAsString());
    EXPECT_EQ(again.source_vertices(), first.source_vertices());
  }
}

TEST(Simplify, KeepsPlacesFarFromZeroByItsOrigin) {
  SimplifyServer server;
  v1::SimplifyResponse response =
      server.ResultOf(ToTriangles(server.NameOf(SphereRequest(1e9)), 600));
  EXPECT_NEAR(response.origin(0), 1e9 - 1, 0.01);
  response.set_origin(0, response.origin(0) - 1e9);
  ExpectSphere(response, 0.05);
  v1::OpenModelRequest floats = SphereRequest();
  v1::Positions& positions = *floats.mutable_mesh()->mutable_positions();
  const auto doubles = Numbers<double>(positions.data());
  positions.set_scalar_type(v1::SCALAR_TYPE_FLOAT32);
  positions.set_data(Bytes(std::vector<float>(doubles.begin(), doubles.end())));
  response = server.ResultOf(ToTriangles(server.NameOf(floats), 600));
  EXPECT_THAT(response.origin(), ElementsAre(0, 0, 0));
  ExpectSphere(response, 0.05);
}

TEST(Simplify, MeasuresTheDistanceOnRequest) {
  SimplifyServer server;
  const std::string model = server.NameOf(SphereRequest());
  v1::SimplifyRequest request = ToTriangles(model, 600);
  EXPECT_FALSE(server.ResultOf(request).statistics().has_distance());
  request.set_distance_samples(2000);
  const v1::SimplifyStatistics statistics = server.ResultOf(request).statistics();
  EXPECT_EQ(statistics.distance().samples(), 2000u);
  EXPECT_GT(statistics.distance().from_model().rms(), 0);
  EXPECT_LT(statistics.distance().from_result().max(), 0.05);
  EXPECT_GT(statistics.max_error(), 0);
  EXPECT_EQ(statistics.phases(statistics.phases_size() - 1).phase(), "measure");
  request.set_distance_samples(2'000'000);
  ExpectError(server.Simplify(request), grpc::StatusCode::INVALID_ARGUMENT,
              "distance_samples: 2000000, expected at most 1000000");
}

TEST(Simplify, CountsEdgesOnRequest) {
  SimplifyServer server;
  const std::string model = server.NameOf(SphereRequest());
  v1::SimplifyRequest request = ToTriangles(model, 600);
  EXPECT_FALSE(server.ResultOf(request).statistics().has_edges());
  request.set_count_edges(true);
  const v1::SimplifyStatistics statistics = server.ResultOf(request).statistics();
  ASSERT_TRUE(statistics.has_edges());
  EXPECT_EQ(statistics.edges().border(), 0u);
  EXPECT_EQ(statistics.edges().non_manifold(), 0u);
  EXPECT_EQ(statistics.phases(statistics.phases_size() - 1).phase(), "measure");
}

TEST(Simplify, CutsForViews) {
  SimplifyServer server;
  const std::string model = server.NameOf(SphereRequest());
  const auto result_from = [&](double distance, const std::string& previous) {
    return server.ResultOf(Request(model, [&](auto& r) {
      v1::ViewGoal& goal = *r.mutable_views();
      v1::View& view = *goal.add_views();
      for (const double x : {0., 0., distance}) view.add_eye(x);
      view.set_near(0.01);
      goal.set_returns_state(true);
      goal.set_previous_state(previous);
    }));
  };
  const v1::SimplifyResponse near = result_from(3, ""), far = result_from(30, "");
  ExpectSphere(near, 0.05);
  ExpectSphere(far, 0.3);
  EXPECT_LT(2 * TrianglesOf(far), TrianglesOf(near));
  EXPECT_FALSE(near.view_state().empty());
  EXPECT_EQ(near.vertex_ids().size(), near.source_vertices().size());
  const v1::SimplifyResponse again = result_from(3.01, near.view_state());
  EXPECT_EQ(again.mesh().SerializeAsString(), near.mesh().SerializeAsString());
  const v1::SimplifyResponse delta = server.ResultOf(Request(model, [&](auto& r) {
    v1::ViewGoal& goal = *r.mutable_views();
    v1::View& view = *goal.add_views();
    for (const double x : {0., 0., 1.5}) view.add_eye(x);
    view.set_near(0.01);
    goal.set_previous_state(near.view_state());
    goal.set_returns_delta(true);
  }));
  EXPECT_GT(delta.delta().removed_triangles().size(), 0u);
  EXPECT_GT(TrianglesOf(delta), delta.delta().removed_triangles().size() / 12);
  v1::SimplifyRequest wrong = Request(model, [](auto& r) { r.mutable_views()->add_views(); });
  ExpectError(server.Simplify(wrong), grpc::StatusCode::INVALID_ARGUMENT,
              "views[0].eye: 0 numbers, expected x y z");
  for (int i = 0; i < 3; ++i) wrong.mutable_views()->mutable_views(0)->add_eye(0);
  ExpectError(server.Simplify(wrong), grpc::StatusCode::INVALID_ARGUMENT, "views[0].near: 0");
}

TEST(Simplify, GivesWhatCanBeOpenedAgain) {
  SimplifyServer server;
  v1::OpenModelRequest again;
  *again.mutable_mesh() = server.ResultOf(ToTriangles(server.NameOf(SphereRequest()), 2000)).mesh();
  const std::string model = server.NameOf(again);
  ASSERT_FALSE(model.empty());
  EXPECT_LE(TrianglesOf(server.ResultOf(ToTriangles(model, 500))), 500u);
  EXPECT_FALSE(server.test().Open(again.mesh()).empty());
}

}  // namespace
}  // namespace warpyard::test_support
