// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/jobs/job_runner.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "prometheus/registry.h"
#include "prometheus/text_serializer.h"

namespace warpyard::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A result of some workload.
struct Answer {
  PhaseTimes phases;
};
const PhaseTimes& PhasesOf(const Answer& answer) { return answer.phases; }

using Done = std::function<void(absl::StatusOr<Answer>)>;

/// Records the jobs that are cancelled.
class NotingEngine final : public Engine {
 public:
  JobId OpenResident(const JobOptions&, Open, OpenDone) override { return JobId{++last_job}; }
  JobId Run(ResidentId, const JobOptions&, WorkOn, Engine::Done) override {
    return JobId{++last_job};
  }
  JobId Run(const JobOptions&, Work, Engine::Done) override { return JobId{++last_job}; }
  void Cancel(JobId job) override { cancelled.push_back(job.value); }
  absl::Status Close(ResidentId) override { return absl::OkStatus(); }
  EngineStatistics Statistics() const override { return {}; }
  std::vector<DeviceHealth> Health() const override { return {}; }
  std::string BackendDescription() const override { return "noting"; }

  std::uint64_t last_job = 0;
  std::vector<std::uint64_t> cancelled;
};

constexpr std::string_view kPhases[] = {"queue", "think"};

class JobRunnerTest : public ::testing::Test {
 protected:
  /// Submits a job; `before_return` gets the job's completion before the caller knows the job's id.
  void Run(
      Done done = [](const absl::StatusOr<Answer>&) {},
      const std::function<void(Done)>& before_return = {}) {
    jobs_.Run<Answer>(
        {series_, {}, handle_},
        [&](Engine& engine, const JobOptions& options, Done counted) {
          const JobId job = engine.Run(options, {}, {});
          if (before_return) before_return(std::move(counted));
          return job;
        },
        std::move(done));
  }
  std::string Metrics() { return prometheus::TextSerializer().Serialize(registry_.Collect()); }

  NotingEngine engine_;
  prometheus::Registry registry_{prometheus::Registry::InsertBehavior::Merge};
  JobSeries series_{registry_, "answer", kPhases};
  Logger log_{LogLevel::kOff, -1};
  JobRunner jobs_{engine_, log_};
  const std::shared_ptr<JobHandle> handle_ = std::make_shared<JobHandle>(engine_);
};

TEST_F(JobRunnerTest, CancelsTheJobThatRuns) {
  Run();
  handle_->Cancel();
  EXPECT_THAT(engine_.cancelled, ElementsAre(1));
}

TEST_F(JobRunnerTest, CancelsAJobThatIsSubmittedLater) {
  handle_->Cancel();
  Run();
  EXPECT_THAT(engine_.cancelled, ElementsAre(1));
  Run();
  EXPECT_THAT(engine_.cancelled, ElementsAre(1, 2));
}

TEST_F(JobRunnerTest, CancelsAJobWhileItIsSubmitted) {
  Run([](const absl::StatusOr<Answer>&) {}, [this](const Done&) { handle_->Cancel(); });
  EXPECT_THAT(engine_.cancelled, ElementsAre(1));
}

TEST_F(JobRunnerTest, CancelsTheNextJobOfACompletionThatRanBeforeTheIdWasKnown) {
  Run([this](const absl::StatusOr<Answer>&) { Run(); }, [](Done done) { done(Answer()); });
  handle_->Cancel();
  EXPECT_THAT(engine_.cancelled, ElementsAre(2));
}

TEST_F(JobRunnerTest, CountsJobsAndTheirPhases) {
  Run([](const absl::StatusOr<Answer>&) {},
      [](Done done) {
        done(Answer{{{"think", absl::Seconds(2)}}});
      });
  Run([](const absl::StatusOr<Answer>&) {}, [](Done done) { done(absl::InternalError("")); });
  const std::string text = Metrics();
  EXPECT_THAT(text, HasSubstr("jobs_submitted_total{kind=\"answer\",priority=\"normal\"} 2"));
  EXPECT_THAT(text, HasSubstr("jobs_finished_total{kind=\"answer\",outcome=\"ok\"} 1"));
  EXPECT_THAT(text, HasSubstr("jobs_finished_total{kind=\"answer\",outcome=\"failed\"} 1"));
  EXPECT_THAT(text, HasSubstr("phase_duration_seconds_sum{kind=\"answer\",phase=\"think\"} 2"));
}

}  // namespace
}  // namespace warpyard::server
