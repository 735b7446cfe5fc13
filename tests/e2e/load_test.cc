// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// LoadService: it is off by default, validated and cancellable; and collision jobs run beside its
// load.

#include <memory>
#include <string>
#include <thread>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/test_server.h"
#include "warpyard/v1/load_service.grpc.pb.h"

namespace warpyard {
namespace {

using test_support::CallRaw;
using test_support::FakeServer;
using test_support::NewContext;
using test_support::TestServer;
using ::testing::HasSubstr;

server::ServerOptions WithLoad() {
  server::ServerOptions options = test_support::TestOptions();
  options.enable_load_jobs = true;
  return options;
}

v1::RunLoadRequest Recursion() {
  v1::RunLoadRequest request;
  request.set_kind(v1::LOAD_KIND_RECURSIVE_ITEMS);
  request.set_seed(3);
  request.set_elements(100);
  request.mutable_growth()->set_depths(10);
  request.mutable_growth()->set_first_child_permille(1000);
  return request;
}

/// A load that runs until it is cancelled; no test waits for its end.
v1::RunLoadRequest LongLoad() {
  v1::RunLoadRequest request;
  request.set_elements(1'000'000);
  request.mutable_work()->set_kind(v1::LOAD_WORK_KIND_SPIN);
  request.mutable_work()->set_amount(1'000'000);
  return request;
}

/// Calls RunLoad.
class Loader {
 public:
  explicit Loader(const std::shared_ptr<grpc::Channel>& channel)
      : stub_(v1::LoadService::NewStub(channel)) {}

  grpc::Status Run(const v1::RunLoadRequest& request, v1::RunLoadResponse* response,
                   absl::Duration timeout = absl::Seconds(20)) {
    return stub_->RunLoad(NewContext(timeout).get(), request, response);
  }
  grpc::Status Run(const v1::RunLoadRequest& request) {
    v1::RunLoadResponse response;
    return Run(request, &response);
  }
  v1::LoadService::Stub& stub() { return *stub_; }

 private:
  const std::unique_ptr<v1::LoadService::Stub> stub_;
};

TEST(LoadService, IsOffUnlessAskedFor) {
  FakeServer server;
  EXPECT_EQ(Loader(server.channel()).Run(Recursion()).error_code(),
            grpc::StatusCode::UNIMPLEMENTED);
}

TEST(LoadService, ExecutesWhatItIsAskedFor) {
  const auto server = TestServer::WithRealEngine(WithLoad());
  Loader loader(server->channel());
  v1::RunLoadResponse first, second;
  ASSERT_TRUE(loader.Run(Recursion(), &first).ok());
  EXPECT_EQ(first.executed_elements(), 1000u);
  EXPECT_GT(first.elements_per_second(), 0);
  ASSERT_EQ(first.phases_size(), 3);
  EXPECT_EQ(first.phases(0).phase(), "queue");
  v1::RunLoadRequest again = Recursion();
  again.mutable_job()->set_tenant(3);
  again.mutable_job()->set_priority(v1::PRIORITY_URGENT);
  ASSERT_TRUE(loader.Run(again, &second).ok());
  EXPECT_EQ(first.checksum(), second.checksum());
}

TEST(LoadService, CountsNothingWhereItIsAskedNotTo) {
  const auto server = TestServer::WithRealEngine(WithLoad());
  v1::RunLoadRequest request = Recursion();
  request.set_uncounted(true);
  v1::RunLoadResponse response;
  ASSERT_TRUE(Loader(server->channel()).Run(request, &response).ok());
  EXPECT_EQ(response.executed_elements(), 0u);
  EXPECT_EQ(response.checksum(), 0u);
  ASSERT_EQ(response.phases_size(), 3);
  EXPECT_EQ(response.phases(2).phase(), "run");
}

TEST(LoadService, RefusesWhatIsOutOfRange) {
  FakeServer server(WithLoad());
  Loader loader(server.channel());
  v1::RunLoadRequest request = Recursion();
  request.set_elements(0);
  grpc::Status status = loader.Run(request);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("elements: 0, expected 1 to"));
  request = Recursion();
  request.mutable_growth()->set_depths(64);
  request.mutable_growth()->set_second_child_permille(1000);
  EXPECT_THAT(loader.Run(request).error_message(), HasSubstr("growth: "));
  request = Recursion();
  request.mutable_job()->set_tenant(16);
  EXPECT_THAT(loader.Run(request).error_message(), HasSubstr("job.tenant: 16"));
  std::string response;
  status = CallRaw(server.channel(), "/warpyard.v1.LoadService/RunLoad", "\xff\xff", &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_TRUE(server.engine().jobs().empty());
}

TEST(LoadService, HandsTenantPriorityAndDeadlineOver) {
  FakeServer server(WithLoad());
  v1::RunLoadRequest request = Recursion();
  request.mutable_job()->set_tenant(7);
  request.mutable_job()->set_priority(v1::PRIORITY_LOW);
  ASSERT_TRUE(Loader(server.channel()).Run(request).ok());
  ASSERT_EQ(server.engine().jobs().size(), 1u);
  EXPECT_EQ(server.engine().jobs()[0].tenant, 7u);
  EXPECT_EQ(server.engine().jobs()[0].priority, Priority::kLow);
  EXPECT_LT(server.engine().jobs()[0].deadline, absl::Now() + absl::Seconds(30));
}

TEST(LoadService, EndsWhenItsDeadlinePasses) {
  const auto server = TestServer::WithRealEngine(WithLoad());
  v1::RunLoadResponse response;
  const grpc::Status status =
      Loader(server->channel()).Run(LongLoad(), &response, absl::Milliseconds(200));
  EXPECT_EQ(status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_TRUE(server->server().WaitUntilIdle(absl::Seconds(10)));
}

TEST(LoadService, EndsWhenItsClientCancels) {
  FakeServer server(WithLoad());
  server.engine().HoldJobs(true);
  Loader loader(server.channel());
  const auto context = NewContext();
  grpc::Status status;
  std::thread client([&] {
    v1::RunLoadResponse response;
    status = loader.stub().RunLoad(context.get(), Recursion(), &response);
  });
  ASSERT_TRUE(server.engine().WaitForHeld(1));
  context->TryCancel();
  client.join();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(server.server().WaitUntilIdle(absl::Seconds(10)));
  EXPECT_EQ(server.engine().cancelled_jobs(), 1u);
}

TEST(LoadService, LetsCollisionStepsPass) {
  const auto server = TestServer::WithRealEngine(WithLoad());
  Loader loader(server->channel());
  // This deadline is later than those of the other calls, which therefore go first.
  const auto context = NewContext(absl::Seconds(100));
  std::thread client([&] {
    v1::RunLoadResponse response;
    loader.stub().RunLoad(context.get(), LongLoad(), &response);
  });
  const std::string scene = server->Open(test_support::SquareMesh());
  ASSERT_FALSE(scene.empty());
  for (int step = 0; step < 20; ++step) {
    v1::StepResponse response;
    const grpc::Status status =
        server->stub().Step(NewContext().get(), test_support::SquareStep(scene), &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
  context->TryCancel();
  client.join();
  EXPECT_TRUE(server->server().WaitUntilIdle(absl::Seconds(10)));
}

}  // namespace
}  // namespace warpyard
