// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/metrics/process_collector.h"

#include <unistd.h>

#include <map>
#include <string>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::server {
namespace {

std::map<std::string, double> Values() {
  std::map<std::string, double> values;
  for (const prometheus::MetricFamily& family : ProcessCollector().Collect()) {
    const prometheus::ClientMetric& sample = family.metric.at(0);
    values[family.name] =
        family.type == prometheus::MetricType::Counter ? sample.counter.value : sample.gauge.value;
  }
  return values;
}

TEST(ProcessCollector, ReadsThisProcess) {
  const std::map<std::string, double> values = Values();
  ASSERT_EQ(values.size(), 7u);
  const double now = absl::ToDoubleSeconds(absl::Now() - absl::UnixEpoch());
  // The kernel rounds both of its times to hundredths, or whole seconds.
  EXPECT_LT(values.at("process_start_time_seconds"), now + 2);
  EXPECT_GT(values.at("process_start_time_seconds"), now - 3600);
  EXPECT_GE(values.at("process_cpu_seconds_total"), 0);
  EXPECT_GE(values.at("process_threads"), 1);
  EXPECT_GT(values.at("process_resident_memory_bytes"), 1e6);
  EXPECT_GT(values.at("process_virtual_memory_bytes"), values.at("process_resident_memory_bytes"));
  EXPECT_GE(values.at("process_max_fds"), values.at("process_open_fds"));
}

TEST(ProcessCollector, CountsOpenFiles) {
  const double before = Values().at("process_open_fds");
  const int file = dup(STDOUT_FILENO);
  ASSERT_GE(file, 0);
  EXPECT_EQ(Values().at("process_open_fds"), before + 1);
  close(file);
  EXPECT_EQ(Values().at("process_open_fds"), before);
}

}  // namespace
}  // namespace warpyard::server
