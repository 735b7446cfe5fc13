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
  const auto channel = Connect("127.0.0.1:" + std::to_string(port));
  ASSERT_TRUE(channel.ok()) << channel.status();
  grpc::ClientContext call;
  v1::StepResponse response;
  const grpc::Status status =
      v1::CollisionService::NewStub(*channel)->Step(&call, v1::StepRequest(), &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.result().vertex_face_ids().size(), kLargeBytes);
}

TEST(Connection, SaysHowToStartAServer) {
  const auto channel = Connect("127.0.0.1:1");
  EXPECT_EQ(channel.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(
      channel.status().message(),
      "no server answers at 127.0.0.1:1; start one with: warpyard-server --listen 127.0.0.1:1");
}

}  // namespace
}  // namespace warpyard::client_support
