// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Errors as clients get them: code, reason and details of rows that the service can be made to
// send.

#include <map>
#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "google/rpc/error_details.pb.h"
#include "gtest/gtest.h"
#include "server/identity/call_identity.h"
#include "tests/e2e/test_server.h"
#include "tests/support/error_details.h"
#include "tests/support/log_pipe.h"
#include "warpyard/v1/upload_service.grpc.pb.h"

namespace warpyard::test_support {
namespace {

using grpc::StatusCode;
using server::LogLevel;

/// The value of an entry of metadata; empty: there is none.
std::string ValueIn(const std::multimap<grpc::string_ref, grpc::string_ref>& metadata,
                    const char* key) {
  const auto found = metadata.find(key);
  return found == metadata.end() ? "" : std::string(found->second.data(), found->second.size());
}

v1::DetectRequest SquareDetect() {
  v1::DetectRequest request;
  *request.mutable_mesh() = SquareMesh();
  *request.mutable_end() = SquareEnd();
  return request;
}

class ErrorsTest : public ::testing::Test {
 protected:
  /// A server whose log can be read.
  void Serve(server::ServerOptions options = TestOptions()) {
    options.log.to = log_;
    server_ = TestServer::WithRealEngine(options);
  }

  grpc::Status Detect(const v1::DetectRequest& request) {
    v1::DetectResponse response;
    return server_->stub().Detect(context_.get(), request, &response);
  }

  LogPipe pipe_;
  std::shared_ptr<server::Logger> log_ =
      std::make_shared<server::Logger>(LogLevel::kInfo, pipe_.fd());
  std::unique_ptr<TestServer> server_;
  const std::unique_ptr<grpc::ClientContext> context_ = NewContext();
};

TEST_F(ErrorsTest, AWrongFieldIsNamed) {
  Serve();
  v1::DetectRequest request = SquareDetect();
  request.mutable_collision()->set_tolerance(1e9);
  const grpc::Status status = Detect(request);
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(ReasonIn(status), "INVALID_FIELD");
  const auto bad = Detail<google::rpc::BadRequest>(DetailsOf(status));
  ASSERT_TRUE(bad);
  EXPECT_EQ(bad->field_violations(0).field(), "collision.tolerance");
  EXPECT_THAT(bad->field_violations(0).description(), ::testing::StartsWith("1e+09, expected"));
}

TEST_F(ErrorsTest, AFieldThatTheEngineChecksIsNamedWithItsWholePath) {
  Serve();
  v1::DetectRequest request = SquareDetect();
  request.mutable_collision()->set_min_separation(-1);
  const auto bad = Detail<google::rpc::BadRequest>(DetailsOf(Detect(request)));
  ASSERT_TRUE(bad);
  EXPECT_EQ(bad->field_violations(0).field(), "collision.min_separation");
}

TEST_F(ErrorsTest, BytesThatAreNoMessageHaveAReason) {
  Serve();
  std::string response;
  const grpc::Status status =
      CallRaw(server_->channel(), std::string(kServicePath) + "Detect", "\xff\xff\xff", &response);
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(ReasonIn(status), "INVALID_MESSAGE");
}

TEST_F(ErrorsTest, AnUnknownSceneIsAResource) {
  Serve();
  v1::StepResponse response;
  const grpc::Status status =
      server_->stub().Step(context_.get(), SquareStep("scene-of-nobody"), &response);
  EXPECT_EQ(status.error_code(), StatusCode::NOT_FOUND);
  EXPECT_EQ(ReasonIn(status), "UNKNOWN_HANDLE");
  const auto resource = Detail<google::rpc::ResourceInfo>(DetailsOf(status));
  ASSERT_TRUE(resource);
  EXPECT_EQ(resource->resource_type(), "scene");
  EXPECT_EQ(resource->resource_name(), "scene-of-nobody");
}

TEST_F(ErrorsTest, FullBytesOfRequestsAreALimitThatPasses) {
  server::ServerOptions options = TestOptions();
  options.max_pending_bytes = 100;
  Serve(options);
  v1::DetectRequest request = SquareDetect();
  request.mutable_mesh()->mutable_positions()->mutable_data()->append(200, 'x');
  EXPECT_EQ(ReasonIn(Detect(request)), "LIMIT_EXCEEDED") << "it will never fit";
}

TEST_F(ErrorsTest, TooManyResidentsAreALimit) {
  server::ServerOptions options = TestOptions();
  options.engine.max_residents = 1;
  Serve(options);
  ASSERT_NE(server_->Open(SquareMesh()), "");
  v1::OpenSceneRequest request;
  *request.mutable_mesh() = SquareMesh();
  v1::OpenSceneResponse response;
  const grpc::Status status = server_->stub().OpenScene(context_.get(), request, &response);
  EXPECT_EQ(status.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(ReasonIn(status), "RESIDENTS_FULL");
  const google::rpc::Status details = DetailsOf(status);
  EXPECT_EQ(Detail<google::rpc::QuotaFailure>(details)->violations(0).subject(), "residents");
  EXPECT_EQ(Detail<google::rpc::RetryInfo>(details)->retry_delay().seconds(), 1);
}

TEST_F(ErrorsTest, AResultThatIsTooLargeIsALimitThatStays) {
  server::ServerOptions options = TestOptions();
  options.max_response_bytes = 16;
  Serve(options);
  const v1::TriangleMesh clump = ClumpMesh(64);
  v1::DetectRequest request;
  *request.mutable_mesh() = clump;
  *request.mutable_end() = clump.positions();
  const grpc::Status status = Detect(request);
  EXPECT_EQ(status.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(ReasonIn(status), "RESULT_TOO_LARGE");
  EXPECT_FALSE(Detail<google::rpc::RetryInfo>(DetailsOf(status)));
}

TEST_F(ErrorsTest, DeviceMemoryIsALimit) {
  server::ServerOptions options = TestOptions();
  options.engine.memory_limit_bytes = std::size_t{1} << 20;
  Serve(options);
  const v1::TriangleMesh clump = ClumpMesh(20'000);
  v1::DetectRequest request;
  *request.mutable_mesh() = clump;
  *request.mutable_end() = clump.positions();
  const grpc::Status status = Detect(request);
  EXPECT_EQ(status.error_code(), StatusCode::RESOURCE_EXHAUSTED) << status.error_message();
  EXPECT_EQ(ReasonIn(status), "DEVICE_MEMORY");
}

TEST_F(ErrorsTest, ADeadlineOfTheJobHasAReason) {
  Serve();
  v1::DetectRequest request = SquareDetect();
  request.mutable_job()->mutable_deadline()->set_nanos(1);
  const grpc::Status status = Detect(request);
  EXPECT_EQ(status.error_code(), StatusCode::DEADLINE_EXCEEDED);
  EXPECT_EQ(ReasonIn(status), "DEADLINE_PASSED");
}

TEST_F(ErrorsTest, DrainingSaysWhenToComeAgain) {
  Serve();
  ASSERT_TRUE(Detect(SquareDetect()).ok());  // connected
  server_->server().BeginDrain();
  const auto context = NewContext();
  v1::DetectResponse response;
  const grpc::Status status = server_->stub().Detect(context.get(), SquareDetect(), &response);
  EXPECT_EQ(status.error_code(), StatusCode::UNAVAILABLE);
  EXPECT_EQ(ReasonIn(status), "DRAINING");
  EXPECT_EQ(Detail<google::rpc::RetryInfo>(DetailsOf(status))->retry_delay().seconds(), 1);
  EXPECT_EQ(ValueIn(context->GetServerTrailingMetadata(), "grpc-retry-pushback-ms"), "1000");
  // gRPC's clients repeat a call only if they have got nothing but its end.
  EXPECT_TRUE(context->GetServerInitialMetadata().empty());
}

TEST_F(ErrorsTest, AnUnfinishedUploadSaysWhatIsMissing) {
  Serve();
  const auto stub = v1::UploadService::NewStub(server_->channel());
  v1::UploadResponse response;
  const auto stream = stub->Upload(context_.get(), &response);
  v1::UploadPart part;
  part.mutable_start()->set_sha256(std::string(32, 's'));
  part.mutable_start()->set_size(10);
  part.mutable_start()->set_offset(5);
  stream->Write(part);
  stream->WritesDone();
  const grpc::Status status = stream->Finish();
  EXPECT_EQ(status.error_code(), StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(ReasonIn(status), "UPLOAD_INCOMPLETE");
  const auto failure = Detail<google::rpc::PreconditionFailure>(DetailsOf(status));
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->violations(0).subject(), "start.offset");
}

TEST_F(ErrorsTest, AStreamsErrorHasDetails) {
  Serve();
  const auto stream = server_->stub().StreamSteps(context_.get());
  ASSERT_TRUE(Write(*stream, SquareStep("scene-of-nobody")));
  v1::StreamStepsResponse response;
  EXPECT_FALSE(stream->Read(&response));
  EXPECT_EQ(ReasonIn(stream->Finish()), "UNKNOWN_HANDLE");
}

TEST_F(ErrorsTest, TheNameOfACallIsInTheAnswerTheErrorAndTheLog) {
  Serve();
  context_->AddMetadata("x-request-id", "order-17");
  context_->AddMetadata("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
  v1::DetectRequest request = SquareDetect();
  request.mutable_job()->mutable_deadline()->set_nanos(1);
  request.mutable_job()->set_tenant(3);
  const grpc::Status status = Detect(request);
  EXPECT_EQ(ValueIn(context_->GetServerTrailingMetadata(), "x-request-id"), "order-17");
  EXPECT_EQ(Detail<google::rpc::RequestInfo>(DetailsOf(status))->request_id(), "order-17");
  ASSERT_TRUE(log_->Flush(absl::Seconds(10)));
  const auto lines = pipe_.ReadLines();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(TextOf(lines[0], "request_id"), "order-17");
  EXPECT_EQ(TextOf(lines[0], "trace_id"), "4bf92f3577b34da6a3ce929d0e0e4736");
  EXPECT_EQ(TextOf(lines[0], "parent_id"), "00f067aa0ba902b7");
  EXPECT_EQ(TextOf(lines[0], "method"), "warpyard.v1.CollisionService/Detect");
  EXPECT_EQ(TextOf(lines[0], "reason"), "DEADLINE_PASSED");
  EXPECT_EQ(NumberOf(lines[0], "tenant"), 3);
}

TEST_F(ErrorsTest, AHostileNameIsReplaced) {
  Serve();
  context_->AddMetadata("x-request-id", "a\",\"level\":\"error");
  v1::DetectRequest request = SquareDetect();
  request.clear_end();
  const grpc::Status status = Detect(request);
  const std::string name = Detail<google::rpc::RequestInfo>(DetailsOf(status))->request_id();
  EXPECT_TRUE(server::IsRequestId(name));
  EXPECT_EQ(ValueIn(context_->GetServerTrailingMetadata(), "x-request-id"), name);
  ASSERT_TRUE(log_->Flush(absl::Seconds(10)));
  const auto lines = pipe_.ReadLines();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(TextOf(lines[0], "event"), "call_end");
  EXPECT_EQ(TextOf(lines[0], "request_id"), name);
}

TEST_F(ErrorsTest, ASuccessHasANameAndNoLine) {
  Serve();
  ASSERT_TRUE(Detect(SquareDetect()).ok());
  EXPECT_TRUE(server::IsRequestId(ValueIn(context_->GetServerInitialMetadata(), "x-request-id")));
  EXPECT_EQ(ValueIn(context_->GetServerInitialMetadata(), "warpyard-server").size(), 16u);
  ASSERT_TRUE(log_->Flush(absl::Seconds(10)));
  EXPECT_EQ(pipe_.Read(), "");
}

}  // namespace
}  // namespace warpyard::test_support
