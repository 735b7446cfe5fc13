// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Deadlines that cannot be met, through the service: refusals at once, late work, and what is met
// when clients ask for several times of what the device can do. Jobs are loads of one element that
// spins, so each takes a worker for a known time.

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/test_server.h"
#include "tests/support/error_details.h"
#include "warpyard/v1/load_service.grpc.pb.h"

namespace warpyard {
namespace {

using test_support::Detail;
using test_support::DetailsOf;
using test_support::NewContext;
using test_support::ReasonIn;
using test_support::TestServer;
using ::testing::HasSubstr;

constexpr absl::Duration kLong = absl::Seconds(100);

v1::RunLoadRequest Spin(absl::Duration time, absl::Duration deadline,
                        v1::WhenLate when_late = v1::WHEN_LATE_UNSPECIFIED) {
  v1::RunLoadRequest request;
  request.set_elements(1);
  request.mutable_work()->set_kind(v1::LOAD_WORK_KIND_SPIN);
  request.mutable_work()->set_amount(static_cast<std::uint32_t>(absl::ToInt64Nanoseconds(time)));
  request.mutable_job()->set_when_late(when_late);
  request.mutable_job()->mutable_deadline()->set_nanos(
      static_cast<std::int32_t>(absl::ToInt64Nanoseconds(deadline)));
  return request;
}

class AdmissionService : public ::testing::Test {
 protected:
  void Start(server::ServerOptions options = test_support::TestOptions()) {
    options.enable_load_jobs = true;
    server_ = TestServer::WithRealEngine(options);
    stub_ = v1::LoadService::NewStub(server_->channel());
  }
  grpc::Status Run(const v1::RunLoadRequest& request) {
    v1::RunLoadResponse response;
    return stub_->RunLoad(NewContext(kLong).get(), request, &response);
  }
  /// The first jobs of a kind are accepted unseen.
  void Learn(const v1::RunLoadRequest& request) {
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(Run(request).ok());
  }
  /// Calls that begin together.
  std::vector<grpc::Status> RunTogether(int calls, const v1::RunLoadRequest& request) {
    std::vector<grpc::Status> statuses(static_cast<std::size_t>(calls));
    std::vector<std::thread> threads;
    for (grpc::Status& status : statuses) {
      threads.emplace_back([&] { status = Run(request); });
    }
    for (std::thread& thread : threads) thread.join();
    return statuses;
  }

  std::unique_ptr<TestServer> server_;
  std::unique_ptr<v1::LoadService::Stub> stub_;
};

constexpr absl::Duration kWork = absl::Milliseconds(100), kDeadline = absl::Milliseconds(900);

TEST_F(AdmissionService, RefusesAtOnceWhatCannotMeetItsDeadline) {
  Start(test_support::TestOptionsWithMetrics());
  Learn(Spin(kWork, kDeadline));
  int ok = 0, refused = 0;
  for (const grpc::Status& status : RunTogether(40, Spin(kWork, kDeadline))) {
    ok += status.ok();
    if (status.error_code() != grpc::StatusCode::RESOURCE_EXHAUSTED) continue;
    ++refused;
    const auto details = DetailsOf(status);
    EXPECT_EQ(ReasonIn(details), "DEADLINE_UNREACHABLE");
    const auto info = *Detail<google::rpc::ErrorInfo>(details);
    double expected = 0, deadline = 0;
    ASSERT_TRUE(absl::SimpleAtod(info.metadata().at("expected_ms"), &expected));
    ASSERT_TRUE(absl::SimpleAtod(info.metadata().at("deadline_ms"), &deadline));
    EXPECT_GT(expected, deadline);
    EXPECT_TRUE(Detail<google::rpc::RetryInfo>(details));
  }
  EXPECT_GE(ok, 1);
  // Two workers do eighteen at most of those that come together; a busy machine spreads them.
  EXPECT_GE(refused, 1);
  const std::string metrics = test_support::ScrapeMetrics(server_->server().metrics_port());
  EXPECT_THAT(metrics,
              HasSubstr("warpyard_admission_jobs_total{device=\"cpu\",decision=\"refused\"} " +
                        std::to_string(refused)));
  EXPECT_THAT(metrics, HasSubstr("jobs_finished_total{kind=\"load\",outcome=\"refused\"} " +
                                 std::to_string(refused)));
}

TEST_F(AdmissionService, RunsLateWorkAnywayIfItIsAskedFor) {
  Start();
  const v1::RunLoadRequest request = Spin(kWork, kDeadline / 3, v1::WHEN_LATE_RUN);
  Learn(request);
  for (const grpc::Status& status : RunTogether(20, request)) {
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
}

TEST_F(AdmissionService, RefusesNothingWhereItIsOff) {
  server::ServerOptions options = test_support::TestOptions();
  options.engine.admission = false;
  Start(options);
  Learn(Spin(kWork, kDeadline));
  for (const grpc::Status& status : RunTogether(40, Spin(kWork, kDeadline))) {
    EXPECT_NE(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  }
}

TEST_F(AdmissionService, GoesOnMeetingDeadlinesWhenClientsAskForMuchMore) {
  constexpr int kClients = 16;
  constexpr int kWanted = 300;
  Start();
  const v1::RunLoadRequest request = Spin(absl::Milliseconds(4), absl::Milliseconds(40));
  std::atomic<int> met = 0, late = 0, refused = 0;
  const absl::Time limit = absl::Now() + kLong;
  const auto client = [&] {
    while (met < kWanted && absl::Now() < limit) {
      const grpc::Status status = Run(request);
      met += status.ok();
      late += status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED;
      if (status.error_code() != grpc::StatusCode::RESOURCE_EXHAUSTED) continue;
      ++refused;
      absl::SleepFor(absl::Milliseconds(1));
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kClients; ++i) threads.emplace_back(client);
  for (std::thread& thread : threads) thread.join();
  EXPECT_GE(met, kWanted);
  RecordProperty("late", late);
  RecordProperty("refused", refused);
}

}  // namespace
}  // namespace warpyard
