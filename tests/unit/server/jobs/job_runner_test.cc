// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/jobs/job_runner.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

using ::testing::ElementsAre;

/// Notes which jobs are cancelled; OpenScene does what the test says before it returns its job's
/// id.
class NotingEngine final : public Engine {
 public:
  JobId OpenScene(const SceneDescription&, const JobOptions&, OpenDone done) override {
    const JobId job{++last_job};
    if (before_return) before_return(std::move(done));
    return job;
  }
  JobId Step(const StepDescription&, const JobOptions&, StepDone) override {
    return JobId{++last_job};
  }
  JobId RunLoad(const synthetic::SyntheticJob&, const JobOptions&, LoadDone) override {
    return JobId{++last_job};
  }
  void Cancel(JobId job) override { cancelled.push_back(job.value); }
  absl::Status CloseScene(SceneId) override { return absl::OkStatus(); }
  EngineStatistics Statistics() const override { return {}; }
  std::vector<DeviceHealth> Health() const override { return {}; }
  std::string BackendDescription() const override { return "noting"; }

  std::function<void(OpenDone)> before_return;
  std::uint64_t last_job = 0;
  std::vector<std::uint64_t> cancelled;
};

class JobRunnerTest : public ::testing::Test {
 protected:
  void Open(Engine::OpenDone done = [](const absl::StatusOr<SceneInfo>&) {}) {
    jobs_.OpenScene({}, {}, handle_, std::move(done));
  }
  void Step() {
    jobs_.Step({}, {}, handle_, [](const absl::StatusOr<ccd::CollisionResult>&) {});
  }

  NotingEngine engine_;
  Metrics metrics_{"1", "noting"};
  JobRunner jobs_{engine_, metrics_};
  const std::shared_ptr<JobHandle> handle_ = std::make_shared<JobHandle>(engine_);
};

TEST_F(JobRunnerTest, CancelsTheJobThatRuns) {
  Open();
  handle_->Cancel();
  EXPECT_THAT(engine_.cancelled, ElementsAre(1));
}

TEST_F(JobRunnerTest, CancelsAJobThatIsSubmittedLater) {
  handle_->Cancel();
  Open();
  EXPECT_THAT(engine_.cancelled, ElementsAre(1));
  Step();
  EXPECT_THAT(engine_.cancelled, ElementsAre(1, 2));
}

TEST_F(JobRunnerTest, CancelsAJobWhileItIsSubmitted) {
  engine_.before_return = [this](const Engine::OpenDone&) { handle_->Cancel(); };
  Open();
  EXPECT_THAT(engine_.cancelled, ElementsAre(1));
}

TEST_F(JobRunnerTest, CancelsTheNextJobOfACompletionThatRanBeforeTheIdWasKnown) {
  engine_.before_return = [](const Engine::OpenDone& done) { done(SceneInfo()); };
  Open([this](const absl::StatusOr<SceneInfo>&) { Step(); });
  handle_->Cancel();
  EXPECT_THAT(engine_.cancelled, ElementsAre(2));
}

}  // namespace
}  // namespace warpyard::server
