// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/support/connection.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "warpyard/v1/collision_service.grpc.pb.h"

namespace warpyard::client_support {
namespace {

constexpr std::size_t kLargeBytes = 5 << 20;  // gRPC refuses 4 MiB by default

class LargeResults : public v1::CollisionService::Service {
  grpc::Status Step(grpc::ServerContext*, const v1::StepRequest*,
                    v1::StepResponse* response) override {
    response->mutable_result()->set_vertex_face_ids(std::string(kLargeBytes, '\0'));
    return grpc::Status::OK;
  }
};

TEST(Connection, TakesResponsesLargerThanTheDefaultOfGrpc) {
  LargeResults service;
  int port = 0;
  const std::unique_ptr<grpc::Server> server =
      grpc::ServerBuilder()
          .AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port)
          .RegisterService(&service)
          .BuildAndStart();
  const auto channel = Connect({"127.0.0.1:" + std::to_string(port)});
  ASSERT_TRUE(channel.ok()) << channel.status();
  grpc::ClientContext call;
  v1::StepResponse response;
  const grpc::Status status =
      v1::CollisionService::NewStub(*channel)->Step(&call, v1::StepRequest(), &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.result().vertex_face_ids().size(), kLargeBytes);
}

TEST(Connection, SaysHowToStartAServer) {
  const auto channel = Connect({"127.0.0.1:1"});
  EXPECT_EQ(channel.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(
      channel.status().message(),
      "no server answers at 127.0.0.1:1; start one with: warpyard-server --listen 127.0.0.1:1, or "
      "pass --tls-ca if it speaks TLS");
}

TEST(Connection, NamesTheFileThatIsWrong) {
  const auto message = [](const Endpoint& server) {
    const absl::Status status = Connect(server).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  Endpoint server{"127.0.0.1:1"};
  server.token_file = "/nowhere/token";
  EXPECT_EQ(message(server), "--token-file: /nowhere/token: cannot be read");
  server.address = "192.0.2.1:1";
  EXPECT_EQ(message(server),
            "--token-file: a token goes to 192.0.2.1:1 with --tls-ca only: others could read it");
  server.tls_ca = "/nowhere/ca";
  EXPECT_EQ(message(server), "--tls-ca: /nowhere/ca: cannot be read");
  server.tls_key = "/nowhere/key";
  EXPECT_EQ(message(server), "--tls-cert and --tls-key: only one of them is given");
  server.tls_ca.clear();
  EXPECT_EQ(message(server), "--tls-ca: missing; --tls-cert, --tls-key and --tls-name need it");
}

}  // namespace
}  // namespace warpyard::client_support
