// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// DeriveGrammar beside other calls: derivations whose clients do not read hold a job each, and must
// not keep the server from the jobs of others.

#include <cstddef>
#include <list>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/grammar/grammar_server.h"
#include "warpyard/v1/load_service.grpc.pb.h"
#include "warpyard/v1/simplify_service.grpc.pb.h"

namespace warpyard::test_support {
namespace {

constexpr auto kNotFound = grpc::StatusCode::NOT_FOUND;

server::ServerOptions WithLoad() {
  server::ServerOptions options = TestOptions();
  options.enable_load_jobs = true;
  return options;
}

std::unique_ptr<Engine> EngineOf(const server::ServerOptions& options) {
  EngineOptions engine = options.engine;
  engine.synthetic_jobs = options.enable_load_jobs;
  return *Engine::Create(engine);
}

class BesideTest : public ::testing::Test {
 protected:
  /// Some 32 MB, several times what gRPC and the server hold for a client that reads nothing.
  static v1::DeriveGrammarRequest City(const std::string& grammar) {
    v1::DeriveGrammarRequest request;
    request.set_grammar(grammar);
    request.set_max_bytes(16 << 20);
    for (int i = 0; i < 100; ++i) *request.add_parcels() = ParcelOf(40, 9, 42);
    return request;
  }
  static constexpr std::size_t kCityBytes = std::size_t{100} * 3 * 40 * 42 * 64;

  /// A stream whose job waits for its client soon.
  DeriveStream& StartUnread(const std::string& grammar) {
    DeriveStream& stream = unread_.emplace_back(server_.stub(), City(grammar));
    EXPECT_TRUE(stream.Read());
    return stream;
  }
  static void ExpectCity(DeriveStream& stream) {
    const DerivedCity city = stream.Finish();
    ASSERT_TRUE(city.status.ok()) << city.status.error_message();
    EXPECT_EQ(city.instances.size(), kCityBytes);
  }
  /// Jobs of each kind, which must end soon.
  void ExpectOtherJobs(const std::string& grammar) {
    const absl::Time begin = absl::Now();
    const std::string scene = server_.test().Open(SquareMesh());
    ASSERT_FALSE(scene.empty());
    v1::StepResponse step;
    EXPECT_TRUE(server_.test().stub().Step(NewContext().get(), SquareStep(scene), &step).ok());
    v1::RunLoadRequest load;
    load.set_kind(v1::LOAD_KIND_RECURSIVE_ITEMS);
    load.set_elements(100);
    load.mutable_growth()->set_depths(4);
    v1::RunLoadResponse loaded;
    const auto stub = v1::LoadService::NewStub(server_.test().channel());
    const grpc::Status status = stub->RunLoad(NewContext().get(), load, &loaded);
    EXPECT_TRUE(status.ok()) << status.error_message();
    EXPECT_TRUE(server_.Derive(DeriveRequest(grammar)).status.ok());
    EXPECT_LT(absl::Now() - begin, absl::Seconds(3));
  }
  bool Idle() { return server_.test().server().WaitUntilIdle(absl::Seconds(10)); }

  const server::ServerOptions options_ = WithLoad();
  GrammarServer server_{options_, EngineOf(options_)};
  std::list<DeriveStream> unread_;
};

TEST_F(BesideTest, OtherJobsRunWhileAClientDoesNotRead) {
  const std::string other = server_.NameOf(kHouse);
  DeriveStream& unread = StartUnread(server_.NameOf(kHouse));
  ExpectOtherJobs(other);
  ExpectCity(unread);
  EXPECT_TRUE(Idle());
}

TEST_F(BesideTest, OtherJobsRunWhileSomeClientsDoNotRead) {
  const std::string other = server_.NameOf(kHouse);
  std::vector<DeriveStream*> streams;
  for (int i = 0; i < 4; ++i) streams.push_back(&StartUnread(server_.NameOf(kHouse)));
  ExpectOtherJobs(other);
  for (DeriveStream* stream : streams) stream->Cancel();
  for (DeriveStream* stream : streams) {
    EXPECT_EQ(stream->Finish().status.error_code(), grpc::StatusCode::CANCELLED);
  }
  EXPECT_TRUE(Idle());
}

TEST_F(BesideTest, DerivationsOfOneGrammarWaitForEachOther) {
  const std::string grammar = server_.NameOf(kHouse);
  DeriveStream& unread = StartUnread(grammar);
  v1::DeriveGrammarPart once;
  grpc::Status status = server_.stub().DeriveGrammarOnce(NewContext(absl::Milliseconds(300)).get(),
                                                         DeriveRequest(grammar), &once);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  std::thread waiting([&] { status = server_.Once(DeriveRequest(grammar), &once); });
  ExpectCity(unread);
  waiting.join();
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_TRUE(Idle());
}

TEST_F(BesideTest, ADerivationOutlivesTheNameOfItsGrammar) {
  const std::string grammar = server_.NameOf(kHouse);
  DeriveStream& unread = StartUnread(grammar);
  EXPECT_TRUE(server_.Close(grammar).ok());
  ExpectError(server_.Derive(DeriveRequest(grammar)).status, kNotFound, "no grammar");
  ExpectCity(unread);
  EXPECT_TRUE(Idle());
}

TEST_F(BesideTest, AModelIsNoGrammar) {
  v1::OpenModelRequest open;
  *open.mutable_mesh() = SquareMesh();
  v1::OpenModelResponse opened;
  const auto stub = v1::SimplifyService::NewStub(server_.test().channel());
  ASSERT_TRUE(stub->OpenModel(NewContext().get(), open, &opened).ok());
  ExpectError(server_.Derive(DeriveRequest(opened.model())).status, kNotFound, "no grammar");
  v1::DeriveGrammarPart once;
  ExpectError(server_.Once(DeriveRequest(opened.model()), &once), kNotFound, "no grammar");
  ExpectError(server_.Close(opened.model()), kNotFound, "no grammar");
  v1::SimplifyRequest simplify;
  simplify.set_model(server_.NameOf(kHouse));
  simplify.set_triangles(1);
  v1::SimplifyResponse simplified;
  ExpectError(stub->Simplify(NewContext().get(), simplify, &simplified), kNotFound, "no model");
}

TEST_F(BesideTest, StreamsMayBeCancelledAtAnyMoment) {
  const std::string grammar = server_.NameOf(kHouse);
  std::mt19937 random(7);
  for (int i = 0; i < 40; ++i) {
    DeriveStream stream(server_.stub(), City(grammar));
    std::thread canceller([&stream, delay_us = random() % 30'000] {
      absl::SleepFor(absl::Microseconds(delay_us));
      stream.Cancel();
    });
    if (i % 2 == 0) {
      stream.Read();
    } else {
      while (stream.Read()) {
      }
    }
    canceller.join();
    stream.Finish();
  }
  EXPECT_TRUE(Idle());
  EXPECT_TRUE(server_.Derive(DeriveRequest(grammar)).status.ok());
}

TEST_F(BesideTest, UnaryCallsMayBeCancelledAtAnyMoment) {
  const std::string grammar = server_.NameOf(kHouse);
  v1::DeriveGrammarRequest request = City(grammar);
  request.set_statistics_only(true);
  std::mt19937 random(8);
  for (int i = 0; i < 40; ++i) {
    const auto context = NewContext();
    std::thread canceller([&context, delay_us = random() % 20'000] {
      absl::SleepFor(absl::Microseconds(delay_us));
      context->TryCancel();
    });
    v1::DeriveGrammarPart once;
    const grpc::Status status = server_.stub().DeriveGrammarOnce(context.get(), request, &once);
    EXPECT_TRUE(status.ok() || status.error_code() == grpc::StatusCode::CANCELLED);
    canceller.join();
  }
  EXPECT_TRUE(Idle());
  EXPECT_TRUE(server_.Derive(DeriveRequest(grammar)).status.ok());
}

}  // namespace
}  // namespace warpyard::test_support
