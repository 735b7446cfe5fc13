// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/metrics/metrics.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "prometheus/text_serializer.h"

namespace warpyard::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Text(const prometheus::Collectable& collectable) {
  return prometheus::TextSerializer().Serialize(collectable.Collect());
}

TEST(Metrics, EverySeriesExistsFromTheStart) {
  const Metrics metrics("1.2.3", "cpu, 2 threads");
  const std::string text = Text(*metrics.registry());
  for (const char* line : {
           "warpyard_jobs_submitted_total{kind=\"collision_step\",priority=\"urgent\"} 0",
           "warpyard_jobs_submitted_total{kind=\"collision_open_scene\",priority=\"low\"} 0",
           "warpyard_jobs_submitted_total{kind=\"load\",priority=\"normal\"} 0",
           "warpyard_jobs_rejected_total{kind=\"load\",reason=\"exhausted\"} 0",
           "warpyard_job_phase_duration_seconds_count{kind=\"load\",phase=\"prepare\"} 0",
           "warpyard_jobs_rejected_total{kind=\"collision_step\",reason=\"invalid\"} 0",
           "warpyard_jobs_rejected_total{kind=\"collision_step\",reason=\"draining\"} 0",
           "warpyard_jobs_finished_total{kind=\"collision_step\",outcome=\"ok\"} 0",
           "warpyard_jobs_finished_total{kind=\"collision_step\",outcome=\"cancelled\"} 0",
           "warpyard_jobs_finished_total{kind=\"collision_step\",outcome=\"expired\"} 0",
           "warpyard_job_duration_seconds_count{kind=\"collision_step\"} 0",
           "warpyard_job_phase_duration_seconds_count{kind=\"collision_step\",phase=\"narrow\"} 0",
           "warpyard_job_phase_duration_seconds_count{kind=\"collision_open_scene\",phase="
           "\"build\"}"
           " 0",
           "warpyard_rpc_completed_total{code=\"OK\",method=\"warpyard.v1.CollisionService/Step\"}"
           " 0",
           "warpyard_build_info{backend=\"cpu, 2 threads\",version=\"1.2.3\"} 1",
       }) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(Metrics, CountsJobs) {
  Metrics metrics("1", "fake");
  metrics.JobSubmitted(JobKind::kStep, Priority::kHigh);
  metrics.JobRejected(JobKind::kStep, RejectReason::kNotFound);
  metrics.JobFinished(JobKind::kStep, absl::OkStatus(), absl::Milliseconds(3));
  metrics.JobFinished(JobKind::kStep, absl::DeadlineExceededError(""), absl::Seconds(1));
  metrics.JobFinished(JobKind::kStep, absl::CancelledError(""), absl::Seconds(1));
  metrics.JobFinished(JobKind::kStep, absl::ResourceExhaustedError(""), absl::Seconds(1));
  metrics.JobFinished(JobKind::kStep, absl::InternalError(""), absl::Seconds(1));
  metrics.JobPhases(JobKind::kStep,
                    {{"broad", absl::Seconds(2)}, {"unheard of", absl::Seconds(1)}});
  metrics.RpcCompleted(RpcMethod::kDetect, absl::StatusCode::kInvalidArgument);
  const std::string text = Text(*metrics.registry());
  for (const char* line :
       {"jobs_submitted_total{kind=\"collision_step\",priority=\"high\"} 1",
        "jobs_rejected_total{kind=\"collision_step\",reason=\"not_found\"} 1",
        "jobs_finished_total{kind=\"collision_step\",outcome=\"ok\"} 1",
        "jobs_finished_total{kind=\"collision_step\",outcome=\"expired\"} 1",
        "jobs_finished_total{kind=\"collision_step\",outcome=\"cancelled\"} 1",
        "jobs_finished_total{kind=\"collision_step\",outcome=\"exhausted\"} 1",
        "jobs_finished_total{kind=\"collision_step\",outcome=\"failed\"} 1",
        "job_duration_seconds_count{kind=\"collision_step\"} 5",
        "job_phase_duration_seconds_sum{kind=\"collision_step\",phase=\"broad\"} 2",
        "rpc_completed_total{code=\"INVALID_ARGUMENT\","
        "method=\"warpyard.v1.CollisionService/Detect\"} 1"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  EXPECT_THAT(text, Not(HasSubstr("unheard of")));
}

TEST(Metrics, LabelsAreClosedSets) {
  const Metrics metrics("1", "fake");
  const std::set<std::string> allowed = {"kind",   "priority", "reason",  "outcome", "phase",
                                         "method", "code",     "version", "backend"};
  std::size_t series = 0;
  for (const auto& family : metrics.registry()->Collect()) {
    for (const auto& metric : family.metric) {
      ++series;
      for (const auto& label : metric.label) {
        EXPECT_TRUE(allowed.contains(label.name)) << family.name << " " << label.name;
      }
    }
  }
  EXPECT_LT(series, 250u);
}

}  // namespace
}  // namespace warpyard::server
