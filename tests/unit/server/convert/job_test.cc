// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/convert/job.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

using ::testing::HasSubstr;

const CallFacts kTimes = {absl::FromUnixSeconds(1000), absl::FromUnixSeconds(1060)};

template <class Result>
void ExpectInvalid(const Result& result, const std::string& part) {
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument) << result.status();
  EXPECT_THAT(std::string(result.status().message()), HasSubstr(part));
}

TEST(ToJobOptions, DefaultsToTheDeadlineOfTheCall) {
  const auto options = ToJobOptions(v1::JobOptions(), kTimes);
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->deadline, kTimes.deadline);
  EXPECT_EQ(options->priority, Priority::kNormal);
}

TEST(ToJobOptions, TakesTheEarlierDeadline) {
  v1::JobOptions message;
  message.mutable_deadline()->set_seconds(10);
  message.mutable_deadline()->set_nanos(500'000'000);
  EXPECT_EQ(ToJobOptions(message, kTimes)->deadline, kTimes.received + absl::Milliseconds(10'500));
  message.mutable_deadline()->set_seconds(100);
  EXPECT_EQ(ToJobOptions(message, kTimes)->deadline, kTimes.deadline);
  message.mutable_deadline()->set_seconds(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(ToJobOptions(message, kTimes)->deadline, kTimes.deadline);
  EXPECT_EQ(ToJobOptions(message, {kTimes.received, absl::InfiniteFuture()})->deadline,
            absl::InfiniteFuture());
}

TEST(ToJobOptions, RefusesLateJobsUnlessTheyAreToRun) {
  v1::JobOptions message;
  EXPECT_EQ(ToJobOptions(message, kTimes)->when_late, WhenLate::kRefuse);
  message.set_when_late(v1::WHEN_LATE_REFUSE);
  EXPECT_EQ(ToJobOptions(message, kTimes)->when_late, WhenLate::kRefuse);
  message.set_when_late(v1::WHEN_LATE_RUN);
  EXPECT_EQ(ToJobOptions(message, kTimes)->when_late, WhenLate::kRun);
  message.set_when_late(static_cast<v1::WhenLate>(7));
  ExpectInvalid(ToJobOptions(message, kTimes), "job.when_late: unknown value 7");
}

TEST(ToJobOptions, RefusesDeadlinesThatAreNotPositive) {
  v1::JobOptions message;
  message.mutable_deadline();
  ExpectInvalid(ToJobOptions(message, kTimes), "job.deadline: 0, must be positive");
  message.mutable_deadline()->set_seconds(-3);
  ExpectInvalid(ToJobOptions(message, kTimes), "job.deadline: -3s, must be positive");
  message.mutable_deadline()->set_seconds(std::numeric_limits<std::int64_t>::min());
  ExpectInvalid(ToJobOptions(message, kTimes), "must be positive");
  message.mutable_deadline()->set_seconds(1);
  message.mutable_deadline()->set_nanos(2'000'000'000);
  ExpectInvalid(ToJobOptions(message, kTimes), "job.deadline: 2000000000 nanos");
}

TEST(ToJobOptions, KnowsEveryPriority) {
  v1::JobOptions message;
  for (const auto& [wire, core] :
       std::vector<std::pair<v1::Priority, Priority>>{{v1::PRIORITY_LOW, Priority::kLow},
                                                      {v1::PRIORITY_NORMAL, Priority::kNormal},
                                                      {v1::PRIORITY_HIGH, Priority::kHigh},
                                                      {v1::PRIORITY_URGENT, Priority::kUrgent}}) {
    message.set_priority(wire);
    EXPECT_EQ(ToJobOptions(message, kTimes)->priority, core);
  }
  message.set_priority(static_cast<v1::Priority>(99));
  ExpectInvalid(ToJobOptions(message, kTimes), "job.priority: unknown value 99");
}

TEST(ToJobOptions, TakesTenantsThatExist) {
  v1::JobOptions message;
  EXPECT_EQ(ToJobOptions(message, kTimes)->tenant, 0u);
  message.set_tenant(15);
  EXPECT_EQ(ToJobOptions(message, kTimes)->tenant, 15u);
  message.set_tenant(16);
  ExpectInvalid(ToJobOptions(message, kTimes), "job.tenant: 16, expected less than 16");
  message.set_tenant(std::numeric_limits<std::uint32_t>::max());
  ExpectInvalid(ToJobOptions(message, kTimes), "job.tenant: 4294967295");
}

}  // namespace
}  // namespace warpyard::server
