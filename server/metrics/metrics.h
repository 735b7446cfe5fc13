// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Counters and histograms of the server, for Prometheus.
#ifndef WARPYARD_SERVER_METRICS_METRICS_H_
#define WARPYARD_SERVER_METRICS_METRICS_H_

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/engine/engine.h"
#include "prometheus/counter.h"
#include "prometheus/histogram.h"
#include "prometheus/registry.h"
#include "server/metrics/metric_names.h"

namespace warpyard::server {

/// What the server counts. Thread-safe; every series exists from the start, with 0, so that the
/// first event is a visible increase. Labels are closed sets: never a name that a client chose, nor
/// an id.
class Metrics {
 public:
  Metrics(const std::string& version, const std::string& backend);

  void JobSubmitted(JobKind kind, Priority priority);
  void JobRejected(JobKind kind, RejectReason reason);
  void JobFinished(JobKind kind, const absl::Status& status, absl::Duration duration);
  void JobPhases(JobKind kind, const ccd::PhaseTimes& phases);
  void RpcCompleted(RpcMethod method, absl::StatusCode code);

  /// What a scrape reads.
  const std::shared_ptr<prometheus::Registry>& registry() const { return registry_; }

 private:
  template <std::size_t kRows, std::size_t kColumns>
  using CounterTable = std::array<std::array<prometheus::Counter*, kColumns>, kRows>;

  void AddJobSeries(JobKind kind);
  void AddRpcSeries();

  std::shared_ptr<prometheus::Registry> registry_;
  CounterTable<kJobKindNames.size(), kPriorityNames.size()> submitted_;
  CounterTable<kJobKindNames.size(), kRejectReasonNames.size()> rejected_;
  CounterTable<kJobKindNames.size(), kJobOutcomeNames.size()> finished_;
  CounterTable<kRpcMethodNames.size(), kStatusCodeNames.size()> rpcs_;
  std::array<prometheus::Histogram*, kJobKindNames.size()> durations_;
  std::array<std::map<std::string_view, prometheus::Histogram*>, kJobKindNames.size()> phases_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_METRICS_METRICS_H_
