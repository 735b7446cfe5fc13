// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/metrics/metrics.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
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

constexpr std::string_view kPhases[] = {"queue", "build", "narrow"};

TEST(Metrics, EverySeriesExistsFromItsRegistration) {
  Metrics metrics("1.2.3", "cpu, 2 threads");
  metrics.AddJobs("step", kPhases);
  metrics.AddMethod("warpyard.v1.Some/Step");
  const std::string text = Text(*metrics.registry());
  for (const char* line : {
           "warpyard_jobs_submitted_total{kind=\"step\",priority=\"urgent\"} 0",
           "warpyard_jobs_submitted_total{kind=\"step\",priority=\"low\"} 0",
           "warpyard_jobs_rejected_total{kind=\"step\",reason=\"exhausted\"} 0",
           "warpyard_jobs_rejected_total{kind=\"step\",reason=\"invalid\"} 0",
           "warpyard_jobs_rejected_total{kind=\"step\",reason=\"draining\"} 0",
           "warpyard_jobs_finished_total{kind=\"step\",outcome=\"ok\"} 0",
           "warpyard_jobs_finished_total{kind=\"step\",outcome=\"cancelled\"} 0",
           "warpyard_jobs_finished_total{kind=\"step\",outcome=\"expired\"} 0",
           "warpyard_job_duration_seconds_count{kind=\"step\"} 0",
           "warpyard_job_phase_duration_seconds_count{kind=\"step\",phase=\"narrow\"} 0",
           "warpyard_rpc_completed_total{code=\"OK\",method=\"warpyard.v1.Some/Step\"} 0",
           "warpyard_build_info{backend=\"cpu, 2 threads\",version=\"1.2.3\"} 1",
       }) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(Metrics, CountsJobs) {
  Metrics metrics("1", "fake");
  JobSeries& jobs = metrics.AddJobs("step", kPhases);
  MethodSeries& detect = metrics.AddMethod("warpyard.v1.Some/Detect");
  metrics.AddJobs("other", kPhases);  // leaves the references valid
  jobs.Submitted(Priority::kHigh);
  jobs.Rejected(absl::NotFoundError(""));
  jobs.Rejected(absl::UnavailableError(""));
  jobs.Rejected(absl::FailedPreconditionError(""));
  jobs.Rejected(absl::UnauthenticatedError(""));
  jobs.Rejected(absl::PermissionDeniedError(""));
  jobs.Finished(absl::OkStatus(), absl::Milliseconds(3));
  jobs.Finished(absl::DeadlineExceededError(""), absl::Seconds(1));
  jobs.Finished(absl::CancelledError(""), absl::Seconds(1));
  jobs.Finished(absl::ResourceExhaustedError(""), absl::Seconds(1));
  jobs.Finished(absl::InternalError(""), absl::Seconds(1));
  jobs.Phases({{"build", absl::Seconds(2)}, {"unheard of", absl::Seconds(1)}});
  detect.Completed(absl::StatusCode::kInvalidArgument);
  detect.Completed(static_cast<absl::StatusCode>(99));
  const std::string text = Text(*metrics.registry());
  for (const char* line :
       {"jobs_submitted_total{kind=\"step\",priority=\"high\"} 1",
        "jobs_rejected_total{kind=\"step\",reason=\"not_found\"} 1",
        "jobs_rejected_total{kind=\"step\",reason=\"draining\"} 1",
        "jobs_rejected_total{kind=\"step\",reason=\"invalid\"} 1",
        "jobs_rejected_total{kind=\"step\",reason=\"unauthenticated\"} 1",
        "jobs_rejected_total{kind=\"step\",reason=\"no_right\"} 1",
        "jobs_finished_total{kind=\"step\",outcome=\"ok\"} 1",
        "jobs_finished_total{kind=\"step\",outcome=\"expired\"} 1",
        "jobs_finished_total{kind=\"step\",outcome=\"cancelled\"} 1",
        "jobs_finished_total{kind=\"step\",outcome=\"exhausted\"} 1",
        "jobs_finished_total{kind=\"step\",outcome=\"failed\"} 1",
        "jobs_submitted_total{kind=\"other\",priority=\"high\"} 0",
        "job_duration_seconds_count{kind=\"step\"} 5",
        "job_phase_duration_seconds_sum{kind=\"step\",phase=\"build\"} 2",
        "rpc_completed_total{code=\"INVALID_ARGUMENT\",method=\"warpyard.v1.Some/Detect\"} 1",
        "rpc_completed_total{code=\"UNKNOWN\",method=\"warpyard.v1.Some/Detect\"} 1"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  EXPECT_THAT(text, Not(HasSubstr("unheard of")));
}

TEST(Metrics, LabelsAreClosedSets) {
  Metrics metrics("1", "fake");
  metrics.AddJobs("step", kPhases);
  metrics.AddMethod("warpyard.v1.Some/Step");
  const std::set<std::string> allowed = {"kind",   "priority", "reason",  "outcome", "phase",
                                         "method", "code",     "version", "backend"};
  for (const auto& family : metrics.registry()->Collect()) {
    for (const auto& metric : family.metric) {
      for (const auto& label : metric.label) {
        EXPECT_TRUE(allowed.contains(label.name)) << family.name << " " << label.name;
      }
    }
  }
}

}  // namespace
}  // namespace warpyard::server
