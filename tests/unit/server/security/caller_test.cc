// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/security/caller.h"

#include <atomic>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

using absl::StatusCode;

constexpr const char* kPath = "job.tenant";
const absl::Time kNow = absl::FromUnixSeconds(1000);

struct Facts {
  static constexpr const char* kNoun = "scene";
};

class CallerTest : public testing::Test {
 protected:
  Caller WithLimits(const TenantLimits& limits) {
    Tenant tenant;
    tenant.name = "robots";
    tenant.number = 3;
    tenant.limits = limits;
    return {std::make_shared<const Tenant>(tenant), &usage_};
  }

  TenantUsage usage_;
};

TEST_F(CallerTest, IsNobodyWhereTheServerKnowsNoTenants) {
  const Caller nobody;
  EXPECT_EQ(nobody.owner(), ResidentTable::kNobody);
  EXPECT_EQ(*nobody.NumberFor(15, kPath), 15u);
  EXPECT_EQ(nobody.NumberFor(16, kPath).status().code(), StatusCode::kInvalidArgument);
  JobOptions urgent;
  urgent.priority = Priority::kUrgent;
  EXPECT_TRUE(nobody.TakeJob(urgent, kNow).ok());
  EXPECT_TRUE(nobody.TakeCall().ok());
  EXPECT_TRUE(nobody.TakeRequest(std::numeric_limits<std::size_t>::max()).ok());
}

TEST_F(CallerTest, HasTheNumberOfItsTenantAlone) {
  const Caller caller = WithLimits({});
  EXPECT_EQ(caller.owner(), 3u);
  EXPECT_EQ(*caller.NumberFor(0, kPath), 3u);
  EXPECT_EQ(*caller.NumberFor(3, kPath), 3u);
  EXPECT_EQ(caller.NumberFor(4, kPath).status().code(), StatusCode::kPermissionDenied);
}

TEST_F(CallerTest, NeedsARightForUrgentJobs) {
  JobOptions job;
  EXPECT_TRUE(WithLimits({}).TakeJob(job, kNow).ok());
  job.priority = Priority::kUrgent;
  EXPECT_EQ(WithLimits({}).TakeJob(job, kNow).code(), StatusCode::kPermissionDenied);
}

TEST_F(CallerTest, HasAHorizonForDeadlines) {
  const Caller caller = WithLimits({.deadline_horizon = absl::Seconds(10)});
  JobOptions job;
  EXPECT_TRUE(caller.TakeJob(job, kNow).ok());  // without a deadline it comes after all others
  job.deadline = kNow + absl::Seconds(10);
  EXPECT_TRUE(caller.TakeJob(job, kNow).ok());
  job.deadline += absl::Nanoseconds(1);
  EXPECT_EQ(caller.TakeJob(job, kNow).code(), StatusCode::kInvalidArgument);
}

TEST_F(CallerTest, MayBeginSoManyJobsASecond) {
  const Caller caller = WithLimits({.jobs_per_second = 4});
  const auto begun = [&](absl::Duration after, int tries) {
    int passed = 0;
    for (int i = 0; i < tries; ++i) passed += caller.TakeJob({}, kNow + after).ok();
    return passed;
  };
  EXPECT_EQ(begun(absl::ZeroDuration(), 10), 4);
  EXPECT_EQ(begun(absl::Milliseconds(249), 10), 0);
  EXPECT_EQ(begun(absl::Milliseconds(500), 10), 2);
  EXPECT_EQ(begun(absl::Hours(1), 10), 4);
  EXPECT_EQ(begun(absl::Minutes(59), 10), 0) << "a clock that goes back gives nothing";
}

TEST_F(CallerTest, GivesBackWhatItTook) {
  const Caller caller = WithLimits({.calls_in_flight = 2, .request_bytes = 100});
  {
    const auto first = caller.TakeCall(), second = caller.TakeCall();
    EXPECT_EQ(caller.TakeCall().status().code(), StatusCode::kResourceExhausted);
    const auto bytes = caller.TakeRequest(60);
    EXPECT_EQ(caller.TakeRequest(41).status().code(), StatusCode::kResourceExhausted);
    EXPECT_EQ(caller.TakeRequest(std::numeric_limits<std::size_t>::max()).status().code(),
              StatusCode::kResourceExhausted);
    EXPECT_TRUE(caller.TakeRequest(40).ok());
    EXPECT_EQ(usage_.refused.load(), 3u);
  }
  EXPECT_EQ(usage_.calls.load(), 0u);
  EXPECT_EQ(usage_.request_bytes.load(), 0u);
  EXPECT_TRUE(caller.TakeRequest(100).ok());
}

TEST_F(CallerTest, CountsWhatATenantWithoutLimitsUses) {
  const Caller caller = WithLimits({});
  const auto call = caller.TakeCall();
  const auto bytes = caller.TakeRequest(60);
  EXPECT_EQ(usage_.calls.load(), 1u);
  EXPECT_EQ(usage_.request_bytes.load(), 60u);
  EXPECT_EQ(usage_.refused.load(), 0u);
}

TEST_F(CallerTest, NeverPassesALimitAmongManyThreads) {
  const Caller caller = WithLimits({.calls_in_flight = 3});
  std::atomic<int> inside = 0, most = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) {
        const auto hold = caller.TakeCall();
        if (!hold.ok()) continue;
        const int now = ++inside;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
        }
        --inside;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(most, 3);
  EXPECT_EQ(usage_.calls.load(), 0u);
}

TEST_F(CallerTest, HasALimitOfResidents) {
  ResidentTable residents(absl::Minutes(1), [](ResidentId) {});
  const Caller caller = WithLimits({.residents = 1});
  EXPECT_TRUE(caller.CheckResidents(residents).ok());
  residents.Add<Facts>(ResidentTable::Owner{4}, ResidentId{});
  EXPECT_TRUE(caller.CheckResidents(residents).ok());
  residents.Add<Facts>(caller.owner(), ResidentId{});
  EXPECT_EQ(caller.CheckResidents(residents).code(), StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace warpyard::server
