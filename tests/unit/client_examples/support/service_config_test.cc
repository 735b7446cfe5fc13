// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/support/service_config.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>

#include "client_examples/support/connection.h"
#include "warpyard/v1/collision_service.grpc.pb.h"

namespace warpyard::client_support {
namespace {

/// Refuses the first calls of each method with a code, and takes the others.
class Refusing final : public v1::CollisionService::Service {
 public:
  std::atomic<int> detects = 0, steps = 0;
  grpc::StatusCode code = grpc::StatusCode::UNAVAILABLE;
  int refusals = 2;

 private:
  grpc::Status Detect(grpc::ServerContext*, const v1::DetectRequest*,
                      v1::DetectResponse*) override {
    return ++detects <= refusals ? grpc::Status(code, "not now") : grpc::Status::OK;
  }
  grpc::Status Step(grpc::ServerContext*, const v1::StepRequest*, v1::StepResponse*) override {
    return ++steps <= refusals ? grpc::Status(code, "not now") : grpc::Status::OK;
  }
};

class ServiceConfigTest : public ::testing::Test {
 protected:
  grpc::StatusCode Detect() {
    grpc::ClientContext call;
    v1::DetectResponse response;
    return stub_->Detect(&call, v1::DetectRequest(), &response).error_code();
  }
  grpc::StatusCode Step() {
    grpc::ClientContext call;
    v1::StepResponse response;
    return stub_->Step(&call, v1::StepRequest(), &response).error_code();
  }

  Refusing service_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_ =
      grpc::ServerBuilder()
          .AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_)
          .RegisterService(&service_)
          .BuildAndStart();
  std::unique_ptr<v1::CollisionService::Stub> stub_ =
      v1::CollisionService::NewStub(*Connect({"127.0.0.1:" + std::to_string(port_)}));
};

TEST_F(ServiceConfigTest, RepeatsACallThatChangesNothing) {
  EXPECT_EQ(Detect(), grpc::StatusCode::OK);
  EXPECT_EQ(service_.detects, 3);
}

TEST_F(ServiceConfigTest, GivesUpAfterFourAttempts) {
  service_.refusals = 100;
  EXPECT_EQ(Detect(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(service_.detects, 4);
}

TEST_F(ServiceConfigTest, RepeatsNoStepBecauseItMovesItsScene) {
  EXPECT_EQ(Step(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(service_.steps, 1);
}

TEST_F(ServiceConfigTest, RepeatsNoCallThatAFullServerRefuses) {
  service_.code = grpc::StatusCode::RESOURCE_EXHAUSTED;
  EXPECT_EQ(Detect(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(service_.detects, 1);
}

/// gRPC ignores names of methods that do not exist, so a wrong name would go unseen.
TEST(ServiceConfig, NamesCollisionServiceAsItIs) {
  EXPECT_NE(std::string(kServiceConfig).find(v1::CollisionService::service_full_name()),
            std::string::npos);
}

}  // namespace
}  // namespace warpyard::client_support
