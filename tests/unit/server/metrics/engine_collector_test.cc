// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/metrics/engine_collector.h"

#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "prometheus/text_serializer.h"
#include "tests/support/fake_engine.h"

namespace warpyard::server {
namespace {

using ::testing::HasSubstr;

class EngineCollectorTest : public ::testing::Test {
 protected:
  std::string Text() { return prometheus::TextSerializer().Serialize(collector_.Collect()); }

  test_support::FakeEngine engine_;
  ByteBudget requests_{5000, kRequestWording};
  ByteBudget results_{7000, kResultWording};
  UploadTable uploads_{
      {.upload_bytes = 100, .all_bytes = 9000, .uploads = 5, .ttl = absl::Minutes(1)}};
  const EngineCollector collector_{engine_, requests_, results_, uploads_};
};

TEST_F(EngineCollectorTest, ReadsTheEngineWhenScraped) {
  const std::string text = Text();
  for (const char* line :
       {"# TYPE warpyard_queue_items gauge",
        "warpyard_queue_items{device=\"fake:0\",queue=\"RefitNode\"} 7",
        "warpyard_queue_capacity_items{device=\"fake:1\",queue=\"RefitNode\"} 4096",
        "# TYPE warpyard_procedure_items_total counter",
        "warpyard_procedure_items_total{procedure=\"RefitNode\"} 24",  // of two devices
        "warpyard_procedure_busy_seconds_total{procedure=\"RefitNode\"} 3",
        "warpyard_procedure_longest_seconds{procedure=\"RefitNode\"} 1.75",
        "warpyard_jobs_pending_oldest_age_seconds{priority=\"urgent\"} 0",
        "warpyard_device_progress_age_seconds{device=\"fake:0\"} 0", "warpyard_jobs_pending 0",
        "warpyard_jobs_pending_limit 1024", "warpyard_residents 0", "warpyard_jobs_running 0"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST_F(EngineCollectorTest, ReadsEveryDevice) {
  engine_.LoseDevice(1);
  const std::string text = Text();
  for (const char* line : {"warpyard_device_lost{device=\"fake:0\"} 0",
                           "warpyard_device_lost{device=\"fake:1\"} 1",
                           "warpyard_device_resident{device=\"fake:0\"} 1",
                           "warpyard_device_idle{device=\"fake:0\"} 1",
                           "warpyard_device_idle{device=\"fake:1\"} 0",
                           "warpyard_device_events{device=\"fake:1\"} 1",
                           "# TYPE warpyard_device_launches_total counter",
                           "warpyard_device_launches_total{device=\"fake:1\"} 4",
                           "warpyard_device_workers{device=\"fake:0\"} 16",
                           "warpyard_device_spilled_items_total{device=\"fake:0\"} 5",
                           "warpyard_device_looks_total{device=\"fake:0\"} 40",
                           "warpyard_device_claims_total{device=\"fake:0\"} 30",
                           "# TYPE warpyard_device_missed_claims_total counter",
                           "warpyard_device_missed_claims_total{device=\"fake:1\"} 20",
                           "warpyard_device_back_offs_total{device=\"fake:0\"} 6",
                           "warpyard_device_busy_seconds_total{device=\"fake:0\"} 1.5",
                           "warpyard_device_held_seconds_total{device=\"fake:0\"} 0.25",
                           "warpyard_device_jobs_running{device=\"fake:0\"} 0",
                           "warpyard_device_residents{device=\"fake:0\"} 0",
                           "warpyard_tenant_busy_seconds_total{device=\"fake:1\",tenant=\"1\"} 2",
                           "# TYPE warpyard_admission_jobs_total counter",
                           "warpyard_admission_jobs_total{device=\"fake:0\",decision=\"late\"} 0",
                           "warpyard_admission_backlog_seconds{device=\"fake:0\"} 0",
                           "warpyard_admission_safety_ratio{device=\"fake:1\"} 1",
                           "warpyard_memory_bytes{device=\"fake:0\"} 1000",
                           "warpyard_memory_limit_bytes{device=\"fake:1\"} 2000"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST_F(EngineCollectorTest, ReadsTheRequestsThatAreHeld) {
  const auto hold = requests_.Take(1234);
  const std::string text = Text();
  EXPECT_THAT(text, HasSubstr("warpyard_request_bytes 1234"));
  EXPECT_THAT(text, HasSubstr("warpyard_request_limit_bytes 5000"));
}

TEST_F(EngineCollectorTest, ReadsTheResultsThatAreNotRead) {
  const auto hold = results_.Take(4321);
  const std::string text = Text();
  EXPECT_THAT(text, HasSubstr("warpyard_result_bytes 4321"));
  EXPECT_THAT(text, HasSubstr("warpyard_result_limit_bytes 7000"));
}

TEST_F(EngineCollectorTest, ReadsTheUploads) {
  ASSERT_TRUE(uploads_.Begin({0, std::string(32, 'x')}, 77, 0).ok());
  const std::string text = Text();
  EXPECT_THAT(text, HasSubstr("warpyard_uploads 1"));
  EXPECT_THAT(text, HasSubstr("warpyard_upload_bytes 77"));
  EXPECT_THAT(text, HasSubstr("warpyard_upload_limit_bytes 9000"));
}

TEST_F(EngineCollectorTest, LabelsAreClosedSets) {
  const std::set<std::string> allowed = {"device", "queue",    "procedure",
                                         "tenant", "priority", "decision"};
  for (const auto& family : collector_.Collect()) {
    for (const auto& metric : family.metric) {
      for (const auto& label : metric.label) {
        EXPECT_TRUE(allowed.contains(label.name)) << family.name << " " << label.name;
      }
    }
  }
}

}  // namespace
}  // namespace warpyard::server
