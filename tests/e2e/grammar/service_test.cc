// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// GrammarService: results, errors, names, limits and metrics.

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/grammar/grammar_server.h"

namespace warpyard::test_support {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kInvalid = grpc::StatusCode::INVALID_ARGUMENT;
constexpr auto kExhausted = grpc::StatusCode::RESOURCE_EXHAUSTED;

/// The field of an instance at an offset of the contract.
template <class Number>
Number FieldOf(const std::string& instances, std::size_t instance, std::size_t offset) {
  Number number;
  std::memcpy(&number, instances.data() + 64 * instance + offset, sizeof number);
  return number;
}

TEST(GrammarService, CompilesAndDerives) {
  GrammarServer server;
  const v1::CompileGrammarResponse compiled = server.Compiled(kHouse);
  ASSERT_FALSE(compiled.grammar().empty());
  EXPECT_THAT(compiled.rules(), ElementsAre("Lot", "Floor", "Cell"));
  EXPECT_THAT(compiled.materials(), Contains("brick"));
  EXPECT_THAT(compiled.reports(), ElementsAre("area"));
  EXPECT_THAT(compiled.styles(), ElementsAre("low"));
  ASSERT_EQ(compiled.meshes_size(), 5);
  EXPECT_EQ(compiled.meshes(0).name(), "box");
  ASSERT_EQ(compiled.attributes_size(), 1);
  EXPECT_EQ(compiled.attributes(0).most(), 40);
  EXPECT_EQ(compiled.phases_size(), 2);

  const DerivedCity city = server.Derive(DeriveRequest(compiled.grammar()));
  ASSERT_TRUE(city.status.ok()) << city.status.error_message();
  constexpr std::size_t kInstances = 2 * 3 * 20;
  ASSERT_EQ(city.instances.size(), 64 * kInstances);
  EXPECT_EQ(city.statistics.terminals(), kInstances);
  EXPECT_EQ(city.statistics.buildings(), 2u);
  EXPECT_THAT(city.statistics.reports(), ElementsAre(20, 20));
  ASSERT_EQ(city.statistics.rules_size(), 3);
  EXPECT_EQ(city.statistics.rules(2).terminals(), kInstances);
  EXPECT_EQ(city.statistics.phases_size(), 6);
  for (std::size_t i = 0; i < kInstances; ++i) {
    EXPECT_NEAR(FieldOf<float>(city.instances, i, 32), 3, 1e-5) << "the height of a floor";
    EXPECT_EQ(FieldOf<std::uint32_t>(city.instances, i, 44), i * 2 / kInstances);
    EXPECT_EQ(FieldOf<std::uint16_t>(city.instances, i, 52), 2);
  }
}

TEST(GrammarService, TellsErrorsOfATextAsDiagnostics) {
  GrammarServer server;
  const v1::CompileGrammarResponse compiled =
      server.Compiled("wyg 1;\nstart Lot;\nrule Lot = repaet(y, 1) { box };\n");
  EXPECT_EQ(compiled.grammar(), "");
  EXPECT_EQ(compiled.rules_size(), 0);
  ASSERT_GE(compiled.diagnostics_size(), 1);
  const v1::GrammarDiagnostic& diagnostic = compiled.diagnostics(0);
  EXPECT_EQ(diagnostic.code()[0], 'E');
  EXPECT_EQ(diagnostic.file(), "main.wyg");
  EXPECT_EQ(diagnostic.line(), 3u);
  EXPECT_EQ(diagnostic.column(), 12u);
  EXPECT_THAT(diagnostic.message(), HasSubstr("did you mean 'repeat'?"));
  EXPECT_THAT(diagnostic.source(), HasSubstr("rule Lot = repaet"));
  EXPECT_TRUE(server.test().server().WaitUntilIdle(absl::Seconds(10)));
}

TEST(GrammarService, RefusesMalformedFiles) {
  GrammarServer server;
  v1::CompileGrammarResponse response;
  ExpectError(server.Compile({}, &response), kInvalid, "files: 0 files, expected 1 to 33");
  v1::CompileGrammarRequest request = TextRequest(kHouse);
  request.mutable_job()->set_tenant(99);
  ExpectError(server.Compile(request, &response), kInvalid, "job.tenant: 99");
  for (int i = 0; i < 40; ++i) request.add_files();
  ExpectError(server.Compile(request, &response), kInvalid, "files: more than 33");
  std::string bytes;
  ExpectError(CallRaw(server.test().channel(), "/warpyard.v1.GrammarService/CompileGrammar",
                      "\xff\xff", &bytes),
              kInvalid, "warpyard.v1.CompileGrammarRequest");
}

TEST(GrammarService, GivesTheSameAtOnceAndInParts) {
  GrammarServer server;
  const v1::DeriveGrammarRequest request = DeriveRequest(server.NameOf(kHouse), 100);
  const DerivedCity city = server.Derive(request);
  ASSERT_TRUE(city.status.ok()) << city.status.error_message();
  v1::DeriveGrammarPart once;
  const grpc::Status status = server.Once(request, &once);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(once.first_instance(), 0u);
  EXPECT_TRUE(once.instances() == city.instances);
  EXPECT_EQ(Comparable(once.statistics()), Comparable(city.statistics));
}

TEST(GrammarService, DependsOnSeedsAndIdsAlone) {
  GrammarServer server;
  v1::DeriveGrammarRequest request = DeriveRequest(server.NameOf(kHouse), 3);
  const std::string first = server.Derive(request).instances;
  EXPECT_TRUE(server.Derive(request).instances == first);
  request.set_seed(8);
  EXPECT_FALSE(server.Derive(request).instances == first);
  request.set_seed(7);
  v1::DeriveGrammarRequest last = request;
  last.clear_parcels();
  *last.add_parcels() = request.parcels(2);
  last.mutable_parcels(0)->set_id(2);
  const std::string alone = server.Derive(last).instances;
  ASSERT_EQ(alone.size() * 3, first.size());
  for (std::size_t i = 0; i < alone.size() / 64; ++i) {
    const std::size_t of_all = 2 * alone.size() / 64 + i;
    EXPECT_EQ(FieldOf<std::uint16_t>(alone, i, 40), FieldOf<std::uint16_t>(first, of_all, 40));
    EXPECT_EQ(FieldOf<std::uint64_t>(alone, i, 56), FieldOf<std::uint64_t>(first, of_all, 56));
  }
}

TEST(GrammarService, TakesStylesAndValues) {
  GrammarServer server;
  v1::DeriveGrammarRequest request = DeriveRequest(server.NameOf(kHouse));
  request.set_style("low");
  EXPECT_EQ(server.Derive(request).statistics.terminals(), 2 * 20u);
  v1::GrammarValues& values = *request.add_values();
  values.set_attribute("floors");
  values.add_values(2);
  EXPECT_EQ(server.Derive(request).statistics.terminals(), 2 * 2 * 20u);
  values.add_values(4);
  EXPECT_EQ(server.Derive(request).statistics.terminals(), (2 + 4) * 20u);
  values.add_values(4);
  ExpectError(server.Derive(request).status, kInvalid, "3 numbers for 'floors'");
  values.set_attribute("flors");
  ExpectError(server.Derive(request).status, kInvalid, "did you mean 'floors'?");
}

TEST(GrammarService, TakesPolygons) {
  GrammarServer server;
  v1::DeriveGrammarRequest request = DeriveRequest(server.NameOf(kHouse), 1);
  const std::string box = server.Derive(request).instances;
  v1::GrammarParcel& parcel = *request.mutable_parcels(0);
  parcel.clear_size();
  for (const float number : {0.f, 0.f, 4.f, 0.f, 4.f, 5.f, 2.f, 3.f, 0.f, 5.f}) {
    parcel.add_polygon(number);
  }
  parcel.set_height(9);
  EXPECT_TRUE(server.Derive(request).instances == box);
}

TEST(GrammarService, GivesStatisticsAlone) {
  GrammarServer server;
  v1::DeriveGrammarRequest request = DeriveRequest(server.NameOf(kHouse));
  const DerivedCity full = server.Derive(request);
  request.set_statistics_only(true);
  const DerivedCity city = server.Derive(request);
  ASSERT_TRUE(city.status.ok()) << city.status.error_message();
  EXPECT_EQ(city.instances, "");
  EXPECT_EQ(city.parts, 1);
  EXPECT_EQ(Comparable(city.statistics), Comparable(full.statistics));
  v1::DeriveGrammarPart once;
  ASSERT_TRUE(server.Once(request, &once).ok());
  EXPECT_EQ(once.instances(), "");
  EXPECT_EQ(Comparable(once.statistics()), Comparable(full.statistics));
}

TEST(GrammarService, NamesTheRuleThatHasNoEnd) {
  GrammarServer server;
  const v1::DeriveGrammarRequest request =
      DeriveRequest(server.NameOf("wyg 1; start A; rule A = A;"));
  const grpc::Status status = server.Derive(request).status;
  ExpectError(status, kExhausted, "rule 'A'");
  EXPECT_THAT(status.error_message(), HasSubstr("max_depth 256"));
  v1::DeriveGrammarPart once;
  ExpectError(server.Once(request, &once), kExhausted, "rule 'A'");
}

TEST(GrammarService, KeepsLimits) {
  server::ServerOptions options = TestOptions();
  options.limits.instances = 1000;
  options.max_response_bytes = 20'000;
  GrammarServer server(options);
  v1::DeriveGrammarRequest request = DeriveRequest(server.NameOf(kHouse), 5);
  v1::DeriveGrammarPart once;
  EXPECT_TRUE(server.Once(request, &once).ok());
  for (int i = 0; i < 5; ++i) *request.add_parcels() = ParcelOf(4, 9, 5);
  ExpectError(server.Once(request, &once), kExhausted, "--max-response-mib");
  EXPECT_TRUE(server.Derive(request).status.ok()) << "streams have no such limit";
  for (int i = 0; i < 10; ++i) *request.add_parcels() = ParcelOf(4, 9, 5);
  ExpectError(server.Derive(request).status, kExhausted, "max_instances 1000");
  request.set_on_limit(v1::ON_LIMIT_COARSE);
  const DerivedCity coarse = server.Derive(request);
  EXPECT_TRUE(coarse.status.ok()) << coarse.status.error_message();
  EXPECT_LE(coarse.statistics.terminals(), 1000u);
  EXPECT_GT(coarse.statistics.coarse(), 0u);
  request.set_max_instances(1001);
  ExpectError(server.Derive(request).status, kInvalid, "(--max-instances)");
  request.set_max_instances(0);
  request.mutable_parcels()->Reserve(3000);
  while (request.parcels_size() < 3000) *request.add_parcels() = ParcelOf(4, 9, 5);
  ExpectError(server.Derive(request).status, kExhausted, "parcels: 3000 with 1 reports each");
}

TEST(GrammarService, KnowsOnlyItsOwnNames) {
  GrammarServer server;
  constexpr auto kNotFound = grpc::StatusCode::NOT_FOUND;
  const std::string grammar = server.NameOf(kHouse);
  const std::string scene = server.test().Open(SquareMesh());
  ASSERT_FALSE(scene.empty());
  ExpectError(server.Derive(DeriveRequest(scene)).status, kNotFound, "no grammar");
  ExpectError(server.Close(scene), kNotFound, "no grammar");
  v1::StepRequest step = SquareStep(grammar);
  v1::StepResponse result;
  EXPECT_EQ(server.test().stub().Step(NewContext().get(), step, &result).error_code(), kNotFound);
  EXPECT_TRUE(server.Close(grammar).ok());
  ExpectError(server.Close(grammar), kNotFound, grammar);
  v1::DeriveGrammarPart once;
  ExpectError(server.Once(DeriveRequest(grammar), &once), kNotFound, "no grammar");
}

TEST(GrammarService, IsListedAndCounted) {
  GrammarServer server(TestOptionsWithMetrics());
  EXPECT_THAT(ListServices(server.test().channel()), HasSubstr("warpyard.v1.GrammarService"));
  const std::string grammar = server.NameOf(kHouse);
  server.Compiled("wyg 1; start A;");
  v1::DeriveGrammarPart once;
  ASSERT_TRUE(server.Once(DeriveRequest(grammar), &once).ok());
  ASSERT_TRUE(server.Derive(DeriveRequest(grammar)).status.ok());
  EXPECT_FALSE(server.Derive(DeriveRequest(grammar, 0)).status.ok());
  ASSERT_TRUE(server.test().server().WaitUntilIdle(absl::Seconds(10)));
  const std::string text = ScrapeMetrics(server.test().server().metrics_port());
  for (const char* line :
       {"warpyard_jobs_finished_total{kind=\"grammar_compile\",outcome=\"ok\"} 2",
        "warpyard_jobs_finished_total{kind=\"grammar_derive\",outcome=\"ok\"} 2",
        "warpyard_jobs_rejected_total{kind=\"grammar_derive\",reason=\"invalid\"} 1",
        "warpyard_job_phase_duration_seconds_count{kind=\"grammar_derive\",phase=\"take\"} 2",
        "warpyard_job_phase_duration_seconds_count{kind=\"grammar_compile\",phase=\"compile\"} 1",
        "warpyard_result_bytes 0", "warpyard_request_bytes 0"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

}  // namespace
}  // namespace warpyard::test_support
