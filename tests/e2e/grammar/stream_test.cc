// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// DeriveGrammar: clients that read slowly, or not at all, or go away.

#include <cstddef>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/grammar/grammar_server.h"

namespace warpyard::test_support {
namespace {

constexpr int kLargeCityParcels = 160;

/// A city of some 50 MB, far more than gRPC buffers for a client that reads nothing. With little
/// memory, its batches are small.
v1::DeriveGrammarRequest LargeCity(const std::string& grammar) {
  v1::DeriveGrammarRequest request;
  request.set_grammar(grammar);
  request.set_max_bytes(16 << 20);
  for (int i = 0; i < kLargeCityParcels; ++i) *request.add_parcels() = ParcelOf(40, 9, 42);
  return request;
}
constexpr std::size_t kLargeCityBytes = std::size_t{kLargeCityParcels} * 3 * 40 * 42 * 64;

/// Tests whose job waits for its client.
class UnreadCity : public ::testing::Test {
 protected:
  explicit UnreadCity(const server::ServerOptions& options = TestOptions()) : server_(options) {}

  bool EndsWithin(absl::Duration time) { return server_.test().server().WaitUntilIdle(time); }
  /// The server works as before.
  void ExpectService() {
    EXPECT_TRUE(server_.Derive(DeriveRequest(grammar_)).status.ok());
    EXPECT_TRUE(server_.Close(grammar_).ok());
  }

  GrammarServer server_;
  const std::string grammar_ = server_.NameOf(kHouse);
};

class LimitedCity : public UnreadCity {
 protected:
  static server::ServerOptions Options() {
    server::ServerOptions options = TestOptions();
    options.engine.job_time_limit = absl::Seconds(3);
    return options;
  }
  LimitedCity() : UnreadCity(Options()) {}
};

class ObservedCity : public UnreadCity {
 protected:
  static server::ServerOptions Options() {
    server::ServerOptions options = TestOptionsWithMetrics();
    options.max_unread_bytes = std::size_t{64} << 20;
    return options;
  }
  ObservedCity() : UnreadCity(Options()) {}

  double ResultBytes() {
    const std::string text = ScrapeMetrics(server_.test().server().metrics_port());
    constexpr char kName[] = "\nwarpyard_result_bytes ";
    return std::stod(text.substr(text.find(kName) + sizeof kName - 1));
  }
};

TEST_F(ObservedCity, WaitsForAClientThatReadsSlowly) {
  DeriveStream stream(server_.stub(), LargeCity(grammar_));
  ASSERT_TRUE(stream.Read());
  // Twice the same: the job waits. None at all: gRPC still takes what the job makes.
  double before = -1, now = ResultBytes();
  for (int i = 0; i < 100 && (before != now || now == 0); ++i) {
    absl::SleepFor(absl::Milliseconds(200));
    before = std::exchange(now, ResultBytes());
  }
  EXPECT_GT(now, 0);
  EXPECT_LE(now, 16e6);
  EXPECT_FALSE(EndsWithin(absl::Milliseconds(100)));
  const DerivedCity city = stream.Finish();
  ASSERT_TRUE(city.status.ok()) << city.status.error_message();
  EXPECT_EQ(city.instances.size(), kLargeCityBytes);
  EXPECT_EQ(city.statistics.terminals() * 64, kLargeCityBytes);
  EXPECT_TRUE(EndsWithin(absl::Seconds(10)));
  EXPECT_EQ(ResultBytes(), 0);
  ExpectService();
}

TEST_F(UnreadCity, IsGivenUpWhenTheClientCancels) {
  DeriveStream stream(server_.stub(), LargeCity(grammar_));
  ASSERT_TRUE(stream.Read());
  stream.Cancel();
  EXPECT_EQ(stream.Finish().status.error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(EndsWithin(absl::Seconds(10)));
  ExpectService();
}

TEST_F(UnreadCity, IsGivenUpAtTheDeadlineOfItsJob) {
  v1::DeriveGrammarRequest request = LargeCity(grammar_);
  request.mutable_job()->mutable_deadline()->set_seconds(2);
  DeriveStream stream(server_.stub(), request);
  ASSERT_TRUE(stream.Read());
  EXPECT_TRUE(EndsWithin(absl::Seconds(20)));
  ExpectError(stream.Finish().status, grpc::StatusCode::DEADLINE_EXCEEDED, "deadline");
  ExpectService();
}

TEST_F(UnreadCity, IsGivenUpAtTheDeadlineWhileItsJobComputes) {
  // One batch of parcels with 20 MB, which is more than gRPC buffers; and then parcels that take
  // long and have nothing, so that the job does not wait for its client.
  constexpr char kIdle[] = R"(wyg 1;
attr idle = 0 in [0..1];
start Lot;
rule Lot = { when idle > 0 : repeat(x, 0.1) { Idle } | else : repeat(x, 1) { Row } };
rule Idle = repeat(z, 0.1) { Nothing };
rule Nothing = nil;
rule Row = repeat(z, 1) { copies(3) { box } };
)";
  v1::DeriveGrammarRequest request;
  request.set_grammar(server_.NameOf(kIdle));
  v1::GrammarValues& idle = *request.add_values();
  idle.set_attribute("idle");
  for (int i = 0; i < 20'000; ++i) {
    *request.add_parcels() = ParcelOf(40, 9, 42);
    idle.add_values(i < 64 ? 0 : 1);
  }
  request.mutable_job()->mutable_deadline()->set_seconds(1);
  DeriveStream stream(server_.stub(), request);
  stream.Read();  // on a slow machine the deadline is earlier
  EXPECT_TRUE(EndsWithin(absl::Seconds(5)));
  ExpectError(stream.Finish().status, grpc::StatusCode::DEADLINE_EXCEEDED, "deadline");
  ExpectService();
}

TEST_F(LimitedCity, IsGivenUpAtTheTimeLimitOfJobs) {
  DeriveStream stream(server_.stub(), LargeCity(grammar_));
  ASSERT_TRUE(stream.Read());
  EXPECT_TRUE(EndsWithin(absl::Seconds(20)));
  ExpectError(stream.Finish().status, grpc::StatusCode::RESOURCE_EXHAUSTED, "(--job-time-limit)");
  ExpectService();
}

TEST_F(UnreadCity, EndsWithTheServer) {
  DeriveStream stream(server_.stub(), LargeCity(grammar_));
  ASSERT_TRUE(stream.Read());
  server_.test().server().Shutdown();
  EXPECT_FALSE(stream.Finish().status.ok());
}

class CrowdedCity : public UnreadCity {
 protected:
  /// What one client leaves unread is more than half of the room.
  static server::ServerOptions Options() {
    server::ServerOptions options = TestOptions();
    options.max_unread_bytes = std::size_t{8} << 20;
    options.watch.unread_timeout = absl::Milliseconds(200);
    return options;
  }
  CrowdedCity() : UnreadCity(Options()) {}
};

TEST_F(CrowdedCity, IsGivenUpWhereOthersNeedTheRoom) {
  DeriveStream stream(server_.stub(), LargeCity(grammar_));
  ASSERT_TRUE(stream.Read());
  EXPECT_TRUE(EndsWithin(absl::Seconds(30)));
  ExpectError(stream.Finish().status, grpc::StatusCode::RESOURCE_EXHAUSTED,
              "results: the client has read none for 200ms");
  ExpectService();
}

TEST(DeriveGrammar, WaitsForRoomThatOtherClientsTake) {
  server::ServerOptions options = TestOptions();
  options.max_unread_bytes = std::size_t{8} << 20;  // for one window, not for two
  GrammarServer server(options);
  const std::string one = server.NameOf(kHouse), other = server.NameOf(kHouse);
  std::future<DerivedCity> beside =
      std::async(std::launch::async, [&] { return server.Derive(LargeCity(other)); });
  const DerivedCity city = server.Derive(LargeCity(one));
  EXPECT_TRUE(city.status.ok()) << city.status.error_message();
  const DerivedCity second = beside.get();
  EXPECT_TRUE(second.status.ok()) << second.status.error_message();
  EXPECT_TRUE(second.instances == city.instances);
}

TEST(DeriveGrammar, CancelsItsJob) {
  auto owned = std::make_unique<FakeEngine>();
  FakeEngine& engine = *owned;
  GrammarServer server(TestOptions(), std::move(owned));
  const std::string grammar = server.NameOf(kHouse);
  engine.HoldJobs(true);
  {
    DeriveStream stream(server.stub(), DeriveRequest(grammar));
    ASSERT_TRUE(engine.WaitForHeld(1));
    EXPECT_TRUE(server.Close(grammar).ok());
    EXPECT_EQ(engine.open_residents(), 1u) << "the job still uses it";
    stream.Cancel();
    EXPECT_EQ(stream.Finish().status.error_code(), grpc::StatusCode::CANCELLED);
  }
  EXPECT_TRUE(server.test().server().WaitUntilIdle(absl::Seconds(10)));
  EXPECT_EQ(engine.cancelled_jobs(), 1u);
  EXPECT_TRUE(WaitFor([&] { return engine.open_residents() == 0; }));
}

TEST(DeriveGrammar, EndsWithItsDeadlineAndWhenTheServerDrains) {
  auto owned = std::make_unique<FakeEngine>();
  FakeEngine& engine = *owned;
  GrammarServer server(TestOptions(), std::move(owned));
  const std::string grammar = server.NameOf(kHouse);
  engine.HoldJobs(true);
  v1::DeriveGrammarRequest request = DeriveRequest(grammar);
  request.mutable_job()->mutable_deadline()->set_nanos(50'000'000);
  constexpr auto kLate = grpc::StatusCode::DEADLINE_EXCEEDED;
  EXPECT_EQ(server.Derive(request).status.error_code(), kLate);
  v1::DeriveGrammarPart once;
  EXPECT_EQ(server.Once(request, &once).error_code(), kLate);
  DeriveStream accepted(server.stub(), DeriveRequest(grammar));
  ASSERT_TRUE(engine.WaitForHeld(1));
  server.test().server().BeginDrain();
  EXPECT_EQ(server.Derive(DeriveRequest(grammar)).status.error_code(),
            grpc::StatusCode::UNAVAILABLE);
  engine.EndNext(absl::OkStatus());
  EXPECT_TRUE(accepted.Finish().status.ok());
}

TEST(CompileGrammar, ClosesWhatNobodyCanName) {
  auto owned = std::make_unique<FakeEngine>();
  FakeEngine& engine = *owned;
  GrammarServer server(TestOptions(), std::move(owned));
  engine.HoldJobs(true);
  engine.HonourCancel(false);
  const auto context = NewContext();
  grpc::Status status;
  std::thread client([&] {
    v1::CompileGrammarResponse response;
    status = server.stub().CompileGrammar(context.get(), TextRequest(kHouse), &response);
  });
  EXPECT_TRUE(engine.WaitForHeld(1));
  context->TryCancel();
  client.join();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::CANCELLED);
  // The server learns it later than the client.
  EXPECT_TRUE(WaitFor([&] { return engine.cancel_requests() == 1; }));
  engine.EndNext(absl::OkStatus());
  EXPECT_TRUE(server.test().server().WaitUntilIdle(absl::Seconds(10)));
  EXPECT_TRUE(WaitFor([&] { return engine.open_residents() == 0; }));
}

}  // namespace
}  // namespace warpyard::test_support
