// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The counters and histograms of one kind of job, and of one method.
#ifndef WARPYARD_SERVER_METRICS_JOB_SERIES_H_
#define WARPYARD_SERVER_METRICS_JOB_SERIES_H_

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/base/phase_times.h"
#include "core/engine/engine_options.h"
#include "prometheus/counter.h"
#include "prometheus/histogram.h"
#include "prometheus/registry.h"
#include "server/metrics/metric_names.h"

namespace warpyard::server {

/// Thread-safe after construction.
class JobSeries {
 public:
  /// All series of the kind exist from the start, with value 0.
  JobSeries(prometheus::Registry& registry, std::string_view kind,
            std::span<const std::string_view> phases);

  const std::string& kind() const { return kind_; }

  void Submitted(Priority priority);
  /// The request ended with `status` before it became a job.
  void Rejected(const absl::Status& status);
  void Finished(const absl::Status& status, absl::Duration duration);
  /// Phases that were not named at the start are left out.
  void Phases(const PhaseTimes& phases);

 private:
  template <std::size_t kCount>
  using Counters = std::array<prometheus::Counter*, kCount>;

  std::string kind_;
  Counters<kPriorityNames.size()> submitted_;
  Counters<kRejectReasonNames.size()> rejected_;
  Counters<kJobOutcomeNames.size()> finished_;
  prometheus::Histogram* duration_;
  std::vector<std::pair<std::string_view, prometheus::Histogram*>> phases_;
};

/// Counts the calls of one method. Thread-safe after construction.
class MethodSeries {
 public:
  /// @shape method: "package.WorkloadService/Method"
  MethodSeries(prometheus::Registry& registry, std::string_view method);

  const std::string& method() const { return method_; }

  void Completed(absl::StatusCode code);

  /// The workload of the method as rights name it: "collision" of warpyard.v1.CollisionService.
  const std::string& workload() const { return workload_; }

 private:
  const std::string method_;
  const std::string workload_;
  std::array<prometheus::Counter*, kStatusCodeNames.size()> completed_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_METRICS_JOB_SERIES_H_
