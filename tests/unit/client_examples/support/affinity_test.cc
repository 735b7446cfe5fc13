// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "client_examples/support/affinity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "client_examples/support/connection.h"
#include "tests/unit/client_examples/support/scripted_server.h"

namespace warpyard::client_support {
namespace {

class AffinityTest : public ::testing::Test {
 protected:
  std::unique_ptr<v1::CollisionService::Stub> Connect(Route route) {
    Endpoint endpoint;
    endpoint.address = server_.address();
    const auto channel = client_support::Connect(endpoint, route);
    EXPECT_TRUE(channel.ok()) << channel.status();
    return v1::CollisionService::NewStub(*channel);
  }

  static grpc::Status Step(v1::CollisionService::Stub& stub) {
    grpc::ClientContext call;
    v1::StepResponse response;
    return stub.Step(&call, v1::StepRequest(), &response);
  }

  ScriptedServer server_;
};

TEST_F(AffinityTest, NamesTheServerOfTheFirstAnswer) {
  const auto stub = Connect(Route::kOneServer);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Step(*stub).ok());
  EXPECT_EQ(server_.asked, (std::vector<std::string>{"any", "b7", "b7"}));
  // Each channel finds a server of its own.
  EXPECT_TRUE(Step(*Connect(Route::kOneServer)).ok());
  EXPECT_EQ(server_.asked.back(), "any");
}

TEST_F(AffinityTest, IsNotThereForProgramsThatNameServersThemselves) {
  const auto stub = Connect(Route::kAnyServer);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(Step(*stub).ok());
  EXPECT_EQ(server_.asked, (std::vector<std::string>{"any", "any"}));
}

TEST_F(AffinityTest, LetsOneCallFindTheServerForAll) {
  const auto stub = Connect(Route::kOneServer);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&stub] { EXPECT_TRUE(Step(*stub).ok()); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(server_.asked.size(), 8u);
  EXPECT_EQ(std::count(server_.asked.begin(), server_.asked.end(), "any"), 1);
}

TEST_F(AffinityTest, AsksAgainWhereNoServerAnswered) {
  const auto stub = Connect(Route::kOneServer);
  {
    grpc::ClientContext call;
    call.TryCancel();
    v1::StepResponse response;
    EXPECT_EQ(stub->Step(&call, v1::StepRequest(), &response).error_code(), grpc::CANCELLED);
  }
  EXPECT_TRUE(Step(*stub).ok());
  EXPECT_TRUE(Step(*stub).ok());
  EXPECT_EQ(server_.asked.back(), "b7");
}

TEST_F(AffinityTest, TakesTheNameOfARefusalToo) {
  server_.step_answers = {grpc::Status(grpc::NOT_FOUND, "lost")};
  const auto stub = Connect(Route::kOneServer);
  EXPECT_EQ(Step(*stub).error_code(), grpc::NOT_FOUND);
  EXPECT_TRUE(Step(*stub).ok());
  EXPECT_EQ(server_.asked, (std::vector<std::string>{"any", "b7"}));
}

}  // namespace
}  // namespace warpyard::client_support
