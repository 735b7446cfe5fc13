// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/jobs/job_watch.h"

#include <memory>
#include <string>
#include <string_view>

#include "absl/time/clock.h"
#include "core/engine/engine.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "prometheus/text_serializer.h"

namespace warpyard::server {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kWatchedPhases[] = {"queue"};

class JobWatchTest : public ::testing::Test {
 protected:
  std::string Text() { return prometheus::TextSerializer().Serialize(registry_.Collect()); }

  prometheus::Registry registry_{prometheus::Registry::InsertBehavior::Merge};
  JobSeries series_{registry_, "step", kWatchedPhases};
};

TEST_F(JobWatchTest, FollowsAJobFromItsSubmissionToItsEnd) {
  JobWatch watch(series_, {.priority = Priority::kHigh, .deadline = absl::Now() + absl::Hours(1)});
  EXPECT_THAT(Text(), HasSubstr("warpyard_queue_jobs{kind=\"step\",priority=\"high\"} 1"));
  watch.OnStart(absl::Seconds(2));
  EXPECT_THAT(Text(), HasSubstr("warpyard_queue_jobs{kind=\"step\",priority=\"high\"} 0"));
  EXPECT_GE(watch.End(absl::OkStatus(), absl::InfiniteFuture()), absl::ZeroDuration());
  const std::string text = Text();
  EXPECT_THAT(text, HasSubstr("job_queue_wait_seconds_sum{priority=\"high\"} 2"));
  EXPECT_THAT(text, HasSubstr("jobs_finished_total{kind=\"step\",outcome=\"ok\"} 1"));
  EXPECT_THAT(text, HasSubstr("deadline_jobs_total{kind=\"step\"} 1"));
  EXPECT_THAT(text, HasSubstr("deadline_misses_total{kind=\"step\"} 0"));
}

TEST_F(JobWatchTest, TellsWhereACancelMetTheJob) {
  JobWatch queued(series_, {}), running(series_, {});
  running.OnStart(absl::ZeroDuration());
  queued.End(absl::CancelledError(""), absl::Now());
  running.End(absl::CancelledError(""), absl::InfiniteFuture());
  const std::string text = Text();
  EXPECT_THAT(text, HasSubstr("cancellations_total{kind=\"step\",stage=\"queued\"} 1"));
  EXPECT_THAT(text, HasSubstr("cancellations_total{kind=\"step\",stage=\"running\"} 1"));
  EXPECT_THAT(text, HasSubstr("cancel_latency_seconds_count 1"));
  EXPECT_THAT(text, HasSubstr("warpyard_queue_jobs{kind=\"step\",priority=\"normal\"} 0"));
}

TEST_F(JobWatchTest, IsToldOfItsJobByTheEngine) {
  EngineOptions options;
  options.backend = BackendChoice::kCpu;
  options.threads = 1;
  auto engine = Engine::Create(options);
  ASSERT_TRUE(engine.ok()) << engine.status();
  JobOptions job;
  const auto watch = std::make_shared<JobWatch>(series_, job);
  job.observer = watch;
  job.lend_thread = true;
  absl::Status status = absl::UnknownError("the job did not end");
  (*engine)->Run(
      job, [](JobContext&) { return absl::OkStatus(); },
      [&](const absl::Status& end) { status = end; });
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_THAT(Text(), HasSubstr("job_queue_wait_seconds_count{priority=\"normal\"} 1"));
  EXPECT_THAT(Text(), HasSubstr("warpyard_queue_jobs{kind=\"step\",priority=\"normal\"} 0"));
}

}  // namespace
}  // namespace warpyard::server
