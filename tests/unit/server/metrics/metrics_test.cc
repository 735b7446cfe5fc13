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

std::string Text(const prometheus::Collectable& collectable) {
  return prometheus::TextSerializer().Serialize(collectable.Collect());
}

constexpr std::string_view kPhases[] = {"queue", "build", "narrow"};

TEST(Metrics, EverySeriesExistsFromItsRegistration) {
  Metrics metrics({"1.2.3", "cpu, 2 threads", "edf"});
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
           "warpyard_build_info{backend=\"cpu, 2 threads\",policy=\"edf\",version=\"1.2.3\"} 1",
           "warpyard_ready 0",
           "warpyard_queue_jobs{kind=\"step\",priority=\"normal\"} 0",
           "warpyard_job_queue_wait_seconds_count{priority=\"urgent\"} 0",
           "warpyard_deadline_jobs_total{kind=\"step\"} 0",
           "warpyard_deadline_misses_total{kind=\"step\"} 0",
           "warpyard_deadline_slack_seconds_bucket{kind=\"step\",le=\"-0.001\"} 0",
           "warpyard_cancellations_total{kind=\"step\",stage=\"queued\"} 0",
           "warpyard_cancel_latency_seconds_count 0",
           "warpyard_rpc_started_total{method=\"warpyard.v1.Some/Step\"} 0",
           "warpyard_rpc_duration_seconds_count{method=\"warpyard.v1.Some/Step\"} 0",
           "warpyard_rpc_received_bytes_total{method=\"warpyard.v1.Some/Step\"} 0",
           "warpyard_rpc_sent_bytes_total{method=\"warpyard.v1.Some/Step\"} 0",
       }) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(Metrics, ReadyFollowsTheServer) {
  Metrics metrics({"1", "fake", "fifo"});
  metrics.SetReady(true);
  EXPECT_THAT(Text(*metrics.registry()), HasSubstr("warpyard_ready 1"));
}

TEST(Metrics, LabelsAreClosedSets) {
  Metrics metrics({"1", "fake", "fifo"});
  metrics.AddJobs("step", kPhases);
  metrics.AddMethod("warpyard.v1.Some/Step");
  const std::set<std::string> allowed = {"kind",    "priority", "reason", "outcome",
                                         "phase",   "stage",    "method", "code",
                                         "version", "backend",  "policy"};
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
