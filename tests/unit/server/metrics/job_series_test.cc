// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/metrics/job_series.h"

#include <string>
#include <string_view>

#include "core/base/status_facts.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "prometheus/text_serializer.h"

namespace warpyard::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kStepPhases[] = {"queue", "build", "narrow"};

class JobSeriesTest : public ::testing::Test {
 protected:
  std::string Text() { return prometheus::TextSerializer().Serialize(registry_.Collect()); }
  void ExpectLines(std::initializer_list<const char*> lines) {
    const std::string text = Text();
    for (const char* line : lines) EXPECT_THAT(text, HasSubstr(line));
  }
  void Finish(const absl::Status& status) {
    jobs_.Submitted(Priority::kNormal);
    jobs_.Finished(Priority::kNormal, {status, absl::Seconds(1), true});
  }

  prometheus::Registry registry_{prometheus::Registry::InsertBehavior::Merge};
  JobSeries jobs_{registry_, "step", kStepPhases};
  JobSeries other_{registry_, "other", kStepPhases};
};

TEST_F(JobSeriesTest, CountsWhatIsSubmittedAndRejected) {
  jobs_.Submitted(Priority::kHigh);
  for (const absl::Status& status :
       {absl::NotFoundError(""), absl::UnavailableError(""), absl::FailedPreconditionError(""),
        absl::UnauthenticatedError(""), absl::PermissionDeniedError("")}) {
    jobs_.Rejected(status);
  }
  ExpectLines({"jobs_submitted_total{kind=\"step\",priority=\"high\"} 1",
               "jobs_submitted_total{kind=\"other\",priority=\"high\"} 0",
               "jobs_rejected_total{kind=\"step\",reason=\"not_found\"} 1",
               "jobs_rejected_total{kind=\"step\",reason=\"draining\"} 1",
               "jobs_rejected_total{kind=\"step\",reason=\"invalid\"} 1",
               "jobs_rejected_total{kind=\"step\",reason=\"unauthenticated\"} 1",
               "jobs_rejected_total{kind=\"step\",reason=\"no_right\"} 1"});
}

TEST_F(JobSeriesTest, ARefusedDeadlineIsNoMissedOne) {
  const absl::Status status =
      WithCause(Cause::kDeadlineUnreachable, absl::ResourceExhaustedError(""));
  jobs_.Submitted(Priority::kNormal);
  jobs_.Finished(Priority::kNormal, {status, absl::ZeroDuration(), false, absl::Seconds(1)});
  ExpectLines({"jobs_finished_total{kind=\"step\",outcome=\"refused\"} 1",
               "jobs_finished_total{kind=\"step\",outcome=\"exhausted\"} 0",
               "deadline_jobs_total{kind=\"step\"} 0", "deadline_misses_total{kind=\"step\"} 0"});
}

TEST_F(JobSeriesTest, ARefusedJobLeavesTheQueueWithoutAWait) {
  jobs_.Submitted(Priority::kNormal);
  jobs_.Finished(Priority::kNormal,
                 {WithCause(Cause::kDeadlineUnreachable, absl::ResourceExhaustedError("")),
                  absl::ZeroDuration(), false, absl::Seconds(1)});
  ExpectLines({"warpyard_queue_jobs{kind=\"step\",priority=\"normal\"} 0",
               "job_queue_wait_seconds_count{priority=\"normal\"} 0",
               "job_duration_seconds_count{kind=\"step\"} 0"});
}

TEST_F(JobSeriesTest, CountsHowJobsEnd) {
  Finish(absl::OkStatus());
  Finish(absl::DeadlineExceededError(""));
  Finish(absl::CancelledError(""));
  Finish(absl::ResourceExhaustedError(""));
  Finish(absl::InternalError(""));
  ExpectLines({"jobs_finished_total{kind=\"step\",outcome=\"ok\"} 1",
               "jobs_finished_total{kind=\"step\",outcome=\"expired\"} 1",
               "jobs_finished_total{kind=\"step\",outcome=\"cancelled\"} 1",
               "jobs_finished_total{kind=\"step\",outcome=\"exhausted\"} 1",
               "jobs_finished_total{kind=\"step\",outcome=\"failed\"} 1",
               "job_duration_seconds_count{kind=\"step\"} 5",
               "deadline_jobs_total{kind=\"step\"} 0"});
}

TEST_F(JobSeriesTest, KeepsTheLengthOfTheQueue) {
  jobs_.Submitted(Priority::kLow);
  jobs_.Submitted(Priority::kLow);
  other_.Submitted(Priority::kLow);
  ExpectLines({"warpyard_queue_jobs{kind=\"step\",priority=\"low\"} 2",
               "warpyard_queue_jobs{kind=\"other\",priority=\"low\"} 1"});
  jobs_.Started(Priority::kLow, absl::Microseconds(30));
  ExpectLines({"warpyard_queue_jobs{kind=\"step\",priority=\"low\"} 1",
               "job_queue_wait_seconds_bucket{priority=\"low\",le=\"2e-05\"} 0",
               "job_queue_wait_seconds_bucket{priority=\"low\",le=\"5e-05\"} 1"});
  jobs_.Finished(Priority::kLow, {absl::OkStatus(), absl::Seconds(1), true});
  ExpectLines({"warpyard_queue_jobs{kind=\"step\",priority=\"low\"} 1"});
}

TEST_F(JobSeriesTest, AJobThatNeverStartedHasWaitedUntilItsEnd) {
  jobs_.Submitted(Priority::kLow);
  jobs_.Finished(Priority::kLow, {absl::DeadlineExceededError(""), absl::Seconds(3), false,
                                  -absl::Milliseconds(1)});
  ExpectLines({"warpyard_queue_jobs{kind=\"step\",priority=\"low\"} 0",
               "job_queue_wait_seconds_sum{priority=\"low\"} 3"});
}

TEST_F(JobSeriesTest, CountsDeadlinesAndTheirSlack) {
  const auto finish = [&](const absl::Status& status, absl::Duration slack) {
    jobs_.Submitted(Priority::kNormal);
    jobs_.Finished(Priority::kNormal, {status, absl::Seconds(1), true, slack});
  };
  finish(absl::OkStatus(), absl::Milliseconds(5));
  finish(absl::OkStatus(), -absl::Milliseconds(5));
  finish(absl::DeadlineExceededError(""), -absl::Milliseconds(20));
  finish(absl::CancelledError(""), absl::Seconds(9));
  finish(absl::CancelledError(""), -absl::Seconds(9));  // the cancel came before the alarm
  ExpectLines({"deadline_jobs_total{kind=\"step\"} 5", "deadline_misses_total{kind=\"step\"} 3",
               "deadline_slack_seconds_count{kind=\"step\"} 3",
               "deadline_slack_seconds_bucket{kind=\"step\",le=\"-0.01\"} 1",
               "deadline_slack_seconds_bucket{kind=\"step\",le=\"0\"} 2"});
}

TEST_F(JobSeriesTest, CountsCancels) {
  const auto cancel = [&](bool started, absl::Duration ago) {
    jobs_.Submitted(Priority::kNormal);
    jobs_.Finished(Priority::kNormal, {absl::CancelledError(""), absl::Seconds(1), started,
                                       absl::InfiniteDuration(), ago});
  };
  cancel(false, absl::Milliseconds(2));
  cancel(true, absl::Milliseconds(2));
  cancel(true, absl::InfiniteDuration());  // the server ends, no client asked for it
  ExpectLines({"cancellations_total{kind=\"step\",stage=\"queued\"} 1",
               "cancellations_total{kind=\"step\",stage=\"running\"} 2",
               "cancel_latency_seconds_count 2"});
}

TEST_F(JobSeriesTest, KeepsTheTimesOfPhasesThatItKnows) {
  jobs_.Phases({{"build", absl::Seconds(2)}, {"unheard of", absl::Seconds(1)}});
  ExpectLines({"job_phase_duration_seconds_sum{kind=\"step\",phase=\"build\"} 2"});
  EXPECT_THAT(Text(), Not(HasSubstr("unheard of")));
}

}  // namespace
}  // namespace warpyard::server
