// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// A server in the test's process, on free ports of loopback, and ways to talk to it.
#ifndef WARPYARD_TESTS_E2E_TEST_SERVER_H_
#define WARPYARD_TESTS_E2E_TEST_SERVER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "absl/time/time.h"
#include "core/engine/engine.h"
#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"
#include "grpcpp/support/status.h"
#include "gtest/gtest.h"
#include "server/server.h"
#include "tests/support/fake_engine.h"
#include "tests/unit/server/messages.h"
#include "warpyard/v1/collision_service.grpc.pb.h"

namespace warpyard::test_support {

inline constexpr char kServicePath[] = "/warpyard.v1.CollisionService/";

/// Options with a free port, small limits, and no metrics, because the metrics listener takes two
/// seconds to stop.
server::ServerOptions TestOptions();
server::ServerOptions TestOptionsWithMetrics();

/// A new channel with a connection of its own.
std::shared_ptr<grpc::Channel> NewChannel(int port);

/// A client context that gives up after 20 s, so that no test hangs.
std::unique_ptr<grpc::ClientContext> NewContext(absl::Duration timeout = absl::Seconds(20));

/// Sends any bytes to a unary method; `response` gets the answer.
grpc::Status CallRaw(const std::shared_ptr<grpc::Channel>& channel, const std::string& method,
                     const std::string& request, std::string* response);

/// Bytes that contain the names of the server's services, from reflection; empty on an error.
std::string ListServices(const std::shared_ptr<grpc::Channel>& channel);

/// The answer to GET /metrics, with its header.
std::string ScrapeMetrics(int port);

/// @shape message: a part of the status's
void ExpectError(const grpc::Status& status, grpc::StatusCode code, const std::string& message);

/// Waits until `condition` holds; false after ten seconds.
bool WaitFor(const std::function<bool()>& condition);

/// A server with an engine, and a stub for it.
class TestServer {
 public:
  TestServer(const server::ServerOptions& options, std::unique_ptr<Engine> engine,
             std::span<const server::WorkloadEntry> workloads = server::AllWorkloads());

  /// With the real engine, on two CPU threads.
  static std::unique_ptr<TestServer> WithRealEngine(
      const server::ServerOptions& options = TestOptions());

  server::Server& server() { return *server_; }
  const std::shared_ptr<grpc::Channel>& channel() const { return channel_; }
  v1::CollisionService::Stub& stub() { return *stub_; }

  /// Opens a scene with the mesh and returns its name; empty if that failed.
  std::string Open(const v1::TriangleMesh& mesh);

 private:
  std::unique_ptr<server::Server> server_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::CollisionService::Stub> stub_;
};

/// Tests whose steps run on a real engine, and that look at results and errors alone.
class RealServerTest : public ::testing::Test {
 protected:
  /// The result, which must come.
  v1::CollisionResult Step(const v1::StepRequest& request) { return ResultOf(request); }
  v1::CollisionResult Detect(const v1::DetectRequest& request) { return ResultOf(request); }

  /// What is wrong with an argument, which must be refused. @shape Request: of Step or Detect
  template <class Request>
  std::string ErrorOf(const Request& request) {
    v1::CollisionResult result;
    const grpc::Status status = Call(request, &result);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
    return status.error_message();
  }

  const std::unique_ptr<TestServer> server_ = TestServer::WithRealEngine();
  v1::CollisionService::Stub& stub_ = server_->stub();

 private:
  template <class Request>
  v1::CollisionResult ResultOf(const Request& request) {
    v1::CollisionResult result;
    const grpc::Status status = Call(request, &result);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return result;
  }

  grpc::Status Call(const v1::StepRequest& request, v1::CollisionResult* result);
  grpc::Status Call(const v1::DetectRequest& request, v1::CollisionResult* result);
};

/// A server with a fake engine that the test controls.
class FakeServer {
 public:
  explicit FakeServer(const server::ServerOptions& options = TestOptions());

  FakeEngine& engine() { return *engine_; }
  server::Server& server() { return server_.server(); }
  const std::shared_ptr<grpc::Channel>& channel() const { return server_.channel(); }
  v1::CollisionService::Stub& stub() { return server_.stub(); }
  /// Opens a scene with the mesh.
  std::string Open(const v1::TriangleMesh& mesh = SquareMesh()) { return server_.Open(mesh); }

 private:
  explicit FakeServer(const server::ServerOptions& options, std::unique_ptr<FakeEngine> engine);

  FakeEngine* engine_;
  TestServer server_;
};

/// A step of a scene with the square mesh.
v1::StepRequest SquareStep(const std::string& scene);

/// A step of a scene with the clump mesh, whose result is large: the clump stays where it is.
v1::StepRequest ClumpStep(const std::string& scene, std::uint32_t triangles);

/// A client's side of StreamSteps.
using Stream = grpc::ClientReaderWriter<v1::StreamStepsRequest, v1::StreamStepsResponse>;
bool Write(Stream& stream, const v1::StepRequest& step);

}  // namespace warpyard::test_support

#endif  // WARPYARD_TESTS_E2E_TEST_SERVER_H_
