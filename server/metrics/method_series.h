// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The counters and histograms of one method.
#ifndef WARPYARD_SERVER_METRICS_METHOD_SERIES_H_
#define WARPYARD_SERVER_METRICS_METHOD_SERIES_H_

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "prometheus/counter.h"
#include "prometheus/histogram.h"
#include "prometheus/registry.h"
#include "server/metrics/metric_names.h"

namespace warpyard::server {

/// Counts the calls of one method. Thread-safe after construction.
class MethodSeries {
 public:
  /// @shape method: "package.WorkloadService/Method"
  MethodSeries(prometheus::Registry& registry, std::string_view method);

  const std::string& method() const { return method_; }
  /// The workload of the method as rights name it: "collision" of warpyard.v1.CollisionService.
  const std::string& workload() const { return workload_; }

  void Started() { started_->Increment(); }
  /// @shape bytes: of one message, serialised, without what gRPC adds
  void Received(std::size_t bytes) { received_->Increment(static_cast<double>(bytes)); }
  void Sent(std::size_t bytes) { sent_->Increment(static_cast<double>(bytes)); }
  /// @shape duration: of the whole call
  void Completed(absl::StatusCode code, absl::Duration duration);

 private:
  const std::string method_;
  const std::string workload_;
  prometheus::Counter* const started_;
  std::array<prometheus::Counter*, kStatusCodeNames.size()> completed_;
  prometheus::Histogram* const duration_;
  prometheus::Counter* const received_;
  prometheus::Counter* const sent_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_METRICS_METHOD_SERIES_H_
