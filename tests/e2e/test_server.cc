// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "tests/e2e/test_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "core/base/macros.h"
#include "gmock/gmock.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/slice.h"

namespace warpyard::test_support {
namespace {

std::string ToString(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  if (!buffer.Dump(&slices).ok()) return "";
  std::string bytes;
  for (const grpc::Slice& slice : slices) {
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  return bytes;
}

}  // namespace

server::ServerOptions TestOptions() {
  server::ServerOptions options;
  options.listen = "127.0.0.1:0";
  options.metrics.clear();
  options.max_request_bytes = std::size_t{16} << 20;
  options.max_response_bytes = std::size_t{1} << 20;
  options.engine.backend = BackendChoice::kCpu;
  options.engine.threads = 2;
  options.engine.memory_limit_bytes = std::size_t{512} << 20;
  return options;
}

server::ServerOptions TestOptionsWithMetrics() {
  server::ServerOptions options = TestOptions();
  options.metrics = "127.0.0.1:0";
  return options;
}

std::shared_ptr<grpc::Channel> NewChannel(int port) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  // Else gRPC may buffer many megabytes for a client that reads nothing, if the connection is fast.
  arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  return grpc::CreateCustomChannel(absl::StrCat("127.0.0.1:", port),
                                   grpc::InsecureChannelCredentials(), arguments);
}

std::unique_ptr<grpc::ClientContext> NewContext(absl::Duration timeout) {
  auto context = std::make_unique<grpc::ClientContext>();
  context->set_deadline(absl::ToChronoTime(absl::Now() + timeout));
  return context;
}

grpc::Status CallRaw(const std::shared_ptr<grpc::Channel>& channel, const std::string& method,
                     const std::string& request, std::string* response) {
  const grpc::Slice slice(request);
  grpc::ByteBuffer request_bytes(&slice, 1);
  grpc::ByteBuffer response_bytes;
  const auto context = NewContext();
  grpc::CompletionQueue queue;
  grpc::GenericStub stub(channel);
  const auto call = stub.PrepareUnaryCall(context.get(), method, request_bytes, &queue);
  call->StartCall();
  grpc::Status status;
  call->Finish(&response_bytes, &status, nullptr);
  void* tag;
  bool ok;
  queue.Next(&tag, &ok);
  if (status.ok()) *response = ToString(response_bytes);
  queue.Shutdown();
  while (queue.Next(&tag, &ok)) {
  }
  return status;
}

std::string ListServices(const std::shared_ptr<grpc::Channel>& channel) {
  grpc::GenericStub stub(channel);
  grpc::CompletionQueue queue;
  const auto context = NewContext();
  const auto stream = stub.PrepareCall(
      context.get(), "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", &queue);
  const auto next_ok = [&queue] {
    void* tag;
    bool ok = false;
    return queue.Next(&tag, &ok) && ok;
  };
  const auto names = [&]() -> std::string {
    stream->StartCall(nullptr);
    if (!next_ok()) return "";
    const grpc::Slice list_services("\x3a\x01*", 3);
    stream->Write(grpc::ByteBuffer(&list_services, 1), nullptr);
    if (!next_ok()) return "";
    grpc::ByteBuffer response;
    stream->Read(&response, nullptr);
    return next_ok() ? ToString(response) : "";
  }();
  context->TryCancel();
  queue.Shutdown();
  void* tag;
  bool ok;
  while (queue.Next(&tag, &ok)) {
  }
  return names;
}

std::string ScrapeMetrics(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  WY_ASSERT(socket >= 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval timeout = {10, 0};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
  std::string body;
  const std::string request = "GET /metrics HTTP/1.0\r\n\r\n";
  if (connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0 &&
      send(socket, request.data(), request.size(), MSG_NOSIGNAL) > 0) {
    std::array<char, 4096> buffer;
    ssize_t count;
    while ((count = recv(socket, buffer.data(), buffer.size(), 0)) > 0) {
      body.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }
  close(socket);
  return body;
}

void ExpectError(const grpc::Status& status, grpc::StatusCode code, const std::string& message) {
  EXPECT_EQ(status.error_code(), code);
  EXPECT_THAT(status.error_message(), ::testing::HasSubstr(message));
}

bool WaitFor(const std::function<bool()>& condition) {
  const absl::Time give_up = absl::Now() + absl::Seconds(10);
  while (!condition()) {
    if (absl::Now() > give_up) return false;
    absl::SleepFor(absl::Milliseconds(2));
  }
  return true;
}

TestServer::TestServer(const server::ServerOptions& options, std::unique_ptr<Engine> engine,
                       std::span<const server::WorkloadEntry> workloads) {
  auto server = server::Server::Start(options, std::move(engine), workloads);
  WY_ASSERT(server.ok());
  server_ = *std::move(server);
  channel_ = NewChannel(server_->port());
  stub_ = v1::CollisionService::NewStub(channel_);
}

std::unique_ptr<TestServer> TestServer::WithRealEngine(const server::ServerOptions& options) {
  EngineOptions engine_options = options.engine;
  engine_options.synthetic_jobs = options.enable_load_jobs;
  auto engine = Engine::Create(engine_options);
  WY_ASSERT(engine.ok());
  return std::make_unique<TestServer>(options, *std::move(engine));
}

std::string TestServer::Open(const v1::TriangleMesh& mesh) {
  v1::OpenSceneRequest request;
  *request.mutable_mesh() = mesh;
  v1::OpenSceneResponse response;
  const auto context = NewContext();
  return stub_->OpenScene(context.get(), request, &response).ok() ? response.scene() : "";
}

grpc::Status RealServerTest::Call(const v1::StepRequest& request, v1::CollisionResult* result) {
  v1::StepResponse response;
  const auto context = NewContext();
  const grpc::Status status = stub_.Step(context.get(), request, &response);
  *result = std::move(*response.mutable_result());
  return status;
}

grpc::Status RealServerTest::Call(const v1::DetectRequest& request, v1::CollisionResult* result) {
  v1::DetectResponse response;
  const auto context = NewContext();
  const grpc::Status status = stub_.Detect(context.get(), request, &response);
  *result = std::move(*response.mutable_result());
  return status;
}

FakeServer::FakeServer(const server::ServerOptions& options)
    : FakeServer(options, std::make_unique<FakeEngine>()) {}

FakeServer::FakeServer(const server::ServerOptions& options, std::unique_ptr<FakeEngine> engine)
    : engine_(engine.get()), server_(options, std::move(engine)) {}

v1::StepRequest SquareStep(const std::string& scene) {
  v1::StepRequest request;
  request.set_scene(scene);
  *request.mutable_end() = SquareEnd();
  return request;
}

v1::StepRequest ClumpStep(const std::string& scene, std::uint32_t triangles) {
  v1::StepRequest request;
  request.set_scene(scene);
  *request.mutable_end() = ClumpMesh(triangles).positions();
  return request;
}

bool Write(Stream& stream, const v1::StepRequest& step) {
  v1::StreamStepsRequest request;
  *request.mutable_step() = step;
  return stream.Write(request);
}

}  // namespace warpyard::test_support
