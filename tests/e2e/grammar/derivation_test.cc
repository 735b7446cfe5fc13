// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// GrammarService: what the bytes of a result depend on, and derivations that are too large.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/workload/grammar/grammar_types.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/grammar/grammar_server.h"
#include "tests/support/grammar/showcase.h"

namespace warpyard::test_support {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Lt;

/// A grammar whose rule makes three of itself: 3^256 in the end.
constexpr char kExplosion[] = "wyg 1;\nstart A;\nrule A = A A A;\n";

/// Parcels for large buildings, at places of their own. @shape ids: in the order of the request
v1::DeriveGrammarRequest Street(const std::string& grammar, const std::vector<std::uint64_t>& ids) {
  v1::DeriveGrammarRequest request;
  request.set_grammar(grammar);
  request.set_seed(11);
  for (const std::uint64_t id : ids) {
    v1::GrammarParcel& parcel = *request.add_parcels() = ParcelOf(24, 12, 30);
    for (const float x : {30 * static_cast<float>(id), 1.f, -2.f}) parcel.add_position(x);
    parcel.set_yaw(7 * static_cast<float>(id));
    parcel.set_id(id);
  }
  return request;
}

/// The instances of a parcel, as if it were the first of its request.
std::string BytesOf(const std::string& instances, std::uint32_t parcel) {
  std::string bytes;
  for (std::size_t begin = 0; begin < instances.size(); begin += sizeof(grammar::Instance)) {
    grammar::Instance instance;
    std::memcpy(&instance, instances.data() + begin, sizeof instance);
    if (instance.building != parcel) continue;
    instance.building = 0;
    bytes.append(reinterpret_cast<const char*>(&instance), sizeof instance);
  }
  return bytes;
}

TEST(Derivation, HasTheSameBytesForAnyNumberOfThreads) {
  std::vector<std::string> results, statistics;
  for (const int threads : {1, 3}) {
    server::ServerOptions options = TestOptions();
    options.engine.threads = threads;
    GrammarServer server(options);
    const DerivedCity city =
        server.Derive(Street(server.NameOf(kShowcase), {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    ASSERT_TRUE(city.status.ok()) << city.status.error_message();
    EXPECT_GT(city.instances.size(), 64u * 1000);
    results.push_back(city.instances);
    statistics.push_back(Comparable(city.statistics));
  }
  EXPECT_TRUE(results[0] == results[1]);
  EXPECT_EQ(statistics[0], statistics[1]);
}

TEST(Derivation, KeepsABuildingWhenOthersGoAway) {
  GrammarServer server;
  const std::string grammar = server.NameOf(kShowcase);
  const std::string all = server.Derive(Street(grammar, {0, 1, 2, 3, 4, 5})).instances;
  const std::string some = server.Derive(Street(grammar, {5, 1, 3})).instances;
  const std::string none = BytesOf(all, 6);
  EXPECT_EQ(none, "");
  const std::pair<std::uint32_t, std::uint32_t> pairs[] = {{5, 0}, {1, 1}, {3, 2}};
  for (const auto& [of_all, of_some] : pairs) {
    const std::string building = BytesOf(all, of_all);
    EXPECT_FALSE(building.empty());
    EXPECT_TRUE(building == BytesOf(some, of_some)) << of_all;
  }
  EXPECT_FALSE(BytesOf(all, 0) == BytesOf(all, 1));
}

TEST(Derivation, AddsUpWhatRulesDidAndReported) {
  GrammarServer server;
  const v1::CompileGrammarResponse compiled = server.Compiled(kShowcase);
  const DerivedCity city = server.Derive(Street(compiled.grammar(), {0, 1, 2}));
  ASSERT_TRUE(city.status.ok()) << city.status.error_message();
  const v1::DeriveStatistics& statistics = city.statistics;
  ASSERT_EQ(statistics.rules_size(), compiled.rules_size());
  std::uint64_t symbols = 0, terminals = 0;
  for (const v1::GrammarRuleStatistics& rule : statistics.rules()) {
    symbols += rule.symbols();
    terminals += rule.terminals();
  }
  EXPECT_EQ(symbols, statistics.nodes());
  EXPECT_EQ(terminals, statistics.terminals());
  EXPECT_EQ(terminals * 64, city.instances.size());
  EXPECT_GT(statistics.triangles(), terminals);
  ASSERT_THAT(compiled.reports(), ElementsAre("area", "glass"));
  ASSERT_EQ(statistics.reports_size(), 3 * 2);
  for (int parcel = 0; parcel < 3; ++parcel) {
    EXPECT_DOUBLE_EQ(statistics.reports(2 * parcel), 24 * 30);
    EXPECT_GT(statistics.reports(2 * parcel + 1), 0);
  }
}

/// Where the corners of a box are, seen from above: from x and z of the unit cube.
std::vector<std::pair<double, double>> GroundCornersOf(const grammar::Instance& box) {
  std::vector<std::pair<double, double>> corners;
  const double y = box.rotation[1], w = box.rotation[3];
  const double cosine = w * w - y * y, sine = 2 * w * y;
  for (const auto& [cx, cz] :
       {std::pair(0.0, 0.0), std::pair(1.0, 0.0), std::pair(1.0, 1.0), std::pair(0.0, 1.0)}) {
    const double x = box.size[0] * cx, z = box.size[2] * cz;
    corners.emplace_back(box.position[0] + cosine * x + sine * z,
                         box.position[2] - sine * x + cosine * z);
  }
  return corners;
}

TEST(Derivation, FillsTheRectangleOfAPolygon) {
  GrammarServer server;
  v1::DeriveGrammarRequest request;
  request.set_grammar(server.NameOf("wyg 1; start Lot; rule Lot = box;"));
  for (int degrees = -180; degrees < 180; degrees += 11) {
    const double angle = degrees * 3.14159265358979 / 180;
    const double c = std::cos(angle), s = std::sin(angle);
    v1::GrammarParcel& parcel = *request.add_parcels();
    for (const auto& [x, z] :
         {std::pair(0, 0), std::pair(9, 0), std::pair(9, 4), std::pair(0, 4)}) {
      parcel.add_polygon(static_cast<float>(50 + c * x - s * z));
      parcel.add_polygon(static_cast<float>(-20 + s * x + c * z));
    }
    parcel.set_ground(2);
    parcel.set_height(3);
  }
  const DerivedCity city = server.Derive(request);
  ASSERT_TRUE(city.status.ok()) << city.status.error_message();
  ASSERT_EQ(city.instances.size(), 64 * static_cast<std::size_t>(request.parcels_size()));
  for (int i = 0; i < request.parcels_size(); ++i) {
    grammar::Instance box;
    std::memcpy(&box, city.instances.data() + 64 * i, sizeof box);
    EXPECT_FLOAT_EQ(box.position[1], 2);
    EXPECT_FLOAT_EQ(box.size[1], 3);
    const google::protobuf::RepeatedField<float>& polygon = request.parcels(i).polygon();
    for (const auto& [x, z] : GroundCornersOf(box)) {
      double nearest = 1e9;
      for (int p = 0; p < 8; p += 2) {
        nearest = std::min(nearest, std::hypot(polygon[p] - x, polygon[p + 1] - z));
      }
      EXPECT_LT(nearest, 1e-4) << "parcel " << i << " at " << x << " " << z;
    }
  }
}

TEST(Derivation, TurnsParcelsAboutTheirPosition) {
  GrammarServer server;
  v1::DeriveGrammarRequest request;
  request.set_grammar(server.NameOf("wyg 1; start Lot; rule Lot = box;"));
  v1::GrammarParcel& parcel = *request.add_parcels() = ParcelOf(10, 3, 4);
  for (const float x : {100.f, 0.f, 200.f}) parcel.add_position(x);
  parcel.set_yaw(90);  // about y, which points up: x turns to -z, and z to x
  const DerivedCity city = server.Derive(request);
  ASSERT_EQ(city.instances.size(), 64u);
  grammar::Instance box;
  std::memcpy(&box, city.instances.data(), sizeof box);
  const double expected[][2] = {{100, 200}, {100, 190}, {104, 190}, {104, 200}};
  const auto corners = GroundCornersOf(box);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(corners[i].first, expected[i][0], 1e-4);
    EXPECT_NEAR(corners[i].second, expected[i][1], 1e-4);
  }
}

TEST(Derivation, MayHaveNoInstances) {
  GrammarServer server;
  const std::string grammar = server.NameOf("wyg 1; start Lot; rule Lot = nil;");
  const DerivedCity city = server.Derive(Street(grammar, {0, 1}));
  ASSERT_TRUE(city.status.ok()) << city.status.error_message();
  EXPECT_EQ(city.instances, "");
  EXPECT_EQ(city.parts, 1);
  EXPECT_EQ(city.statistics.buildings(), 2u);
  EXPECT_EQ(city.statistics.nodes(), 2u);
}

TEST(Derivation, LeavesOutWhatOthersHide) {
  GrammarServer server;
  const std::string grammar = server.NameOf(
      "wyg 1; start Lot; rule Lot = size(0, 2 * sx, 0) volume(house) report(houses, 1) box;");
  v1::DeriveGrammarRequest request = Street(grammar, {0, 1, 2, 3});
  v1::GrammarView& view = *request.mutable_view();
  const v1::GrammarParcel& first = request.parcels(0);
  // Low, and looking along the street.
  view.add_position(first.position(0) - 30);
  view.add_position(first.position(1) + 1);
  view.add_position(first.position(2) + first.size(2) / 2);
  view.set_pixels(1000);
  const DerivedCity all = server.Derive(request);
  EXPECT_EQ(all.statistics.terminals(), 4u);
  view.set_hide_occluded(true);
  const DerivedCity visible = server.Derive(request);
  ASSERT_TRUE(visible.status.ok()) << visible.status.error_message();
  EXPECT_EQ(visible.statistics.occluded(), 3u);
  EXPECT_EQ(visible.statistics.culled(), 3u);
  EXPECT_EQ(visible.statistics.reports_size(), 4);
  EXPECT_EQ(visible.instances, all.instances.substr(0, 64));
}

TEST(Derivation, CountsVolumesAsBytesOfTheRequest) {
  server::ServerOptions options = TestOptions();
  options.max_request_bytes = options.max_pending_bytes = std::size_t{256} << 10;
  GrammarServer server(options);
  const std::string grammar = server.NameOf("wyg 1; start Lot; rule Lot = volume(house) box;");
  std::vector<std::uint64_t> ids(1000);
  v1::DeriveGrammarRequest request = Street(grammar, ids);
  v1::GrammarView& view = *request.mutable_view();
  for (int axis = 0; axis < 3; ++axis) view.add_position(-50);
  view.set_pixels(100);
  EXPECT_TRUE(server.Derive(request).status.ok());
  view.set_hide_occluded(true);
  const grpc::Status refused = server.Derive(request).status;
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(refused.error_message(), HasSubstr("--max-pending-mib"));
  request.mutable_parcels()->DeleteSubrange(100, 900);
  EXPECT_TRUE(server.Derive(request).status.ok());
}

TEST(Derivation, LeavesOutWhatTheViewDoesNotSee) {
  GrammarServer server;
  const std::string grammar =
      server.NameOf("wyg 1; start Lot; rule Lot = Fine; @lod(1) rule Fine = copies(9) { box };");
  v1::DeriveGrammarRequest request = Street(grammar, {0, 1, 2, 3});
  EXPECT_EQ(server.Derive(request).statistics.terminals(), 4 * 9u);
  v1::GrammarView& view = *request.mutable_view();
  for (const float x : {0.f, 0.f, 0.f}) view.add_position(x);
  for (const float number : {-1.f, 0.f, 0.f, 50.f}) view.add_planes(number);  // x up to 50
  view.set_pixels(1e6f);
  const v1::DeriveStatistics near = server.Derive(request).statistics;
  EXPECT_EQ(near.buildings(), 2u);
  EXPECT_EQ(near.culled(), 2u);
  EXPECT_EQ(near.terminals(), 2 * 9u);
  EXPECT_EQ(near.coarse(), 0u);
  for (const int axis : {0, 1, 2}) view.set_position(axis, 1e5f);
  view.set_pixels(100);
  const v1::DeriveStatistics far = server.Derive(request).statistics;
  EXPECT_EQ(far.terminals(), 2u);
  EXPECT_EQ(far.coarse(), 2u);
}

TEST(Derivation, EndsRulesThatGrowWithoutBound) {
  GrammarServer server;
  v1::DeriveGrammarRequest request = Street(server.NameOf(kExplosion), {0, 1});
  request.set_max_bytes(16 << 20);
  const grpc::Status status = server.Derive(request).status;
  ExpectError(status, grpc::StatusCode::RESOURCE_EXHAUSTED, "rule 'A'");
  EXPECT_THAT(status.error_message(), HasSubstr("max_bytes 16777216"));
  v1::DeriveGrammarPart once;
  ExpectError(server.Once(request, &once), grpc::StatusCode::RESOURCE_EXHAUSTED, "rule 'A'");
  request.set_on_limit(v1::ON_LIMIT_COARSE);
  const DerivedCity coarse = server.Derive(request);
  ASSERT_TRUE(coarse.status.ok()) << coarse.status.error_message();
  EXPECT_EQ(coarse.statistics.buildings(), 2u);
  EXPECT_GE(coarse.statistics.coarse(), 2u);
  EXPECT_THAT(coarse.instances.size(), Lt(std::size_t{16} << 20));
  EXPECT_TRUE(server.Derive(DeriveRequest(server.NameOf(kHouse))).status.ok());
}

TEST(Derivation, EndsRulesAtTheDepthThatIsAskedFor) {
  GrammarServer server;
  const v1::CompileGrammarResponse compiled = server.Compiled("wyg 1;\nstart A;\nrule A = A;\n");
  ASSERT_EQ(compiled.diagnostics_size(), 1);
  EXPECT_EQ(compiled.diagnostics(0).code(), "W301");
  EXPECT_NE(compiled.grammar(), "") << "a warning is no error";
  v1::DeriveGrammarRequest request = Street(compiled.grammar(), {0});
  request.set_max_depth(5);
  ExpectError(server.Derive(request).status, grpc::StatusCode::RESOURCE_EXHAUSTED,
              "rule 'A' goes deeper than max_depth 5");
  request.set_on_limit(v1::ON_LIMIT_COARSE);
  const DerivedCity coarse = server.Derive(request);
  ASSERT_TRUE(coarse.status.ok()) << coarse.status.error_message();
  EXPECT_EQ(coarse.statistics.terminals(), 1u);
  EXPECT_EQ(coarse.statistics.coarse(), 1u);
}

TEST(Derivation, EndsAtItsDeadlineWhileItComputes) {
  GrammarServer server;
  v1::DeriveGrammarRequest request = DeriveRequest(server.NameOf(kHouse), 0);
  for (int i = 0; i < 20'000; ++i) *request.add_parcels() = ParcelOf(40, 9, 42);
  request.set_statistics_only(true);
  request.mutable_job()->mutable_deadline()->set_nanos(300'000'000);
  const absl::Time begin = absl::Now();
  constexpr auto kLate = grpc::StatusCode::DEADLINE_EXCEEDED;
  EXPECT_EQ(server.Derive(request).status.error_code(), kLate);
  v1::DeriveGrammarPart once;
  EXPECT_EQ(server.Once(request, &once).error_code(), kLate);
  EXPECT_LT(absl::Now() - begin, absl::Seconds(4));
  EXPECT_TRUE(server.test().server().WaitUntilIdle(absl::Seconds(10)));
}

}  // namespace
}  // namespace warpyard::test_support
