// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The counters and histograms of one kind of job.
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
#include "prometheus/gauge.h"
#include "prometheus/histogram.h"
#include "prometheus/registry.h"
#include "server/metrics/metric_names.h"

namespace warpyard::server {

/// Thread-safe after construction.
class JobSeries {
 public:
  /// What a job was when it ended.
  struct End {
    const absl::Status& status;
    absl::Duration duration;                          ///< from its hand-over to the engine
    bool started;                                     ///< it got its place on a device
    absl::Duration slack = absl::InfiniteDuration();  ///< left to its deadline, if it had one
    absl::Duration since_cancel = absl::InfiniteDuration();  ///< if somebody cancelled it
  };

  /// All series of the kind exist from the start, with value 0.
  JobSeries(prometheus::Registry& registry, std::string_view kind,
            std::span<const std::string_view> phases);

  const std::string& kind() const { return kind_; }

  void Submitted(Priority priority);
  /// @shape waited: since the job was submitted
  void Started(Priority priority, absl::Duration waited);
  /// The request ended with `status` before it became a job.
  void Rejected(const absl::Status& status);
  void Finished(Priority priority, const End& end);
  /// Phases that were not named at the start are left out.
  void Phases(const PhaseTimes& phases);

 private:
  template <class Metric, std::size_t kCount>
  using Series = std::array<Metric*, kCount>;

  void CountCancelled(const End& end);

  std::string kind_;
  Series<prometheus::Counter, kPriorities> submitted_;
  Series<prometheus::Gauge, kPriorities> queued_;
  Series<prometheus::Histogram, kPriorities> waits_;  // of all kinds
  Series<prometheus::Counter, kRejectReasonNames.size()> rejected_;
  Series<prometheus::Counter, kJobOutcomeNames.size()> finished_;
  Series<prometheus::Counter, kCancelStageNames.size()> cancelled_;
  prometheus::Histogram* cancel_latency_;  // of all kinds
  prometheus::Histogram* duration_;
  prometheus::Counter* with_deadline_;
  prometheus::Counter* missed_;
  prometheus::Histogram* slack_;
  std::vector<std::pair<std::string_view, prometheus::Histogram*>> phases_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_METRICS_JOB_SERIES_H_
