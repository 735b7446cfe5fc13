// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What the server counts, for Prometheus: workloads register their series here.
#ifndef WARPYARD_SERVER_METRICS_METRICS_H_
#define WARPYARD_SERVER_METRICS_METRICS_H_

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "prometheus/registry.h"
#include "server/metrics/job_series.h"

namespace warpyard::server {

/// Every series exists from its registration, with 0, so that the first event is a visible
/// increase. Labels are closed sets: never a name that a client chose, nor an id.
/// @scope registering: one thread, before the server serves
class Metrics {
 public:
  Metrics(const std::string& version, const std::string& backend);

  /// The series of a kind of job, for as long as this lives. @shape phases: as results name them
  JobSeries& AddJobs(std::string_view kind, std::span<const std::string_view> phases);
  /// The same for a method. @shape "package.Service/Method"
  MethodSeries& AddMethod(std::string_view method);

  /// What a scrape reads.
  const std::shared_ptr<prometheus::Registry>& registry() const { return registry_; }

 private:
  std::shared_ptr<prometheus::Registry> registry_;
  // Elements of a deque stay where they are.
  std::deque<JobSeries> jobs_;
  std::deque<MethodSeries> methods_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_METRICS_METRICS_H_
