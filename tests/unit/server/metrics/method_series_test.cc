// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/metrics/method_series.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "prometheus/text_serializer.h"

namespace warpyard::server {
namespace {

using ::testing::HasSubstr;

TEST(MethodSeries, CountsCalls) {
  prometheus::Registry registry(prometheus::Registry::InsertBehavior::Merge);
  MethodSeries detect(registry, "warpyard.v1.SomeService/Detect");
  EXPECT_EQ(detect.method(), "warpyard.v1.SomeService/Detect");
  EXPECT_EQ(detect.workload(), "some");
  for (int i = 0; i < 4; ++i) detect.Started();
  detect.Received(100);
  detect.Received(20);
  detect.Sent(7);
  detect.Completed(absl::StatusCode::kInvalidArgument, absl::Seconds(2));
  detect.Completed(absl::StatusCode::kOk, absl::Seconds(1));
  // Codes that the server never gives, and that gRPC does not know.
  detect.Completed(absl::StatusCode::kDataLoss, absl::ZeroDuration());
  detect.Completed(static_cast<absl::StatusCode>(99), absl::ZeroDuration());
  const std::string text = prometheus::TextSerializer().Serialize(registry.Collect());
  const std::string method = "method=\"warpyard.v1.SomeService/Detect\"} ";
  EXPECT_THAT(text, HasSubstr("rpc_started_total{" + method + "4"));
  EXPECT_THAT(text, HasSubstr("rpc_completed_total{code=\"INVALID_ARGUMENT\"," + method + "1"));
  EXPECT_THAT(text, HasSubstr("rpc_completed_total{code=\"OK\"," + method + "1"));
  EXPECT_THAT(text, HasSubstr("rpc_completed_total{code=\"UNKNOWN\"," + method + "2"));
  EXPECT_THAT(text, HasSubstr("rpc_completed_total{code=\"UNAVAILABLE\"," + method + "0"));
  EXPECT_THAT(text, HasSubstr("rpc_duration_seconds_sum{" + method + "3"));
  EXPECT_THAT(text, HasSubstr("rpc_received_bytes_total{" + method + "120"));
  EXPECT_THAT(text, HasSubstr("rpc_sent_bytes_total{" + method + "7"));
}

TEST(MethodSeries, CountsBatchesToTheirWorkload) {
  prometheus::Registry registry(prometheus::Registry::InsertBehavior::Merge);
  EXPECT_EQ(MethodSeries(registry, "warpyard.v1.CollisionBatchService/StepBatch").workload(),
            "collision");
}

}  // namespace
}  // namespace warpyard::server
