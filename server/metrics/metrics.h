// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The server's metrics for Prometheus: workloads register their series here.
#ifndef WARPYARD_SERVER_METRICS_METRICS_H_
#define WARPYARD_SERVER_METRICS_METRICS_H_

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "prometheus/counter.h"
#include "prometheus/gauge.h"
#include "prometheus/registry.h"
#include "server/metrics/job_series.h"
#include "server/metrics/method_series.h"

namespace warpyard::server {

/// Every series exists with value 0 from its registration on, so that the first event is a visible
/// increase. Labels have closed sets of values: never a name that a client chose, nor an id.
/// @scope registering: one thread, before the server serves
class Metrics {
 public:
  /// What runs, for the labels of warpyard_build_info.
  struct Build {
    std::string version;
    std::string backend;  ///< Engine::BackendDescription
    std::string policy;   ///< --policy
  };
  explicit Metrics(const Build& build);

  /// The series of a kind of job; they live as long as this object. @shape phases: the names that
  /// results use
  JobSeries& AddJobs(std::string_view kind, std::span<const std::string_view> phases);
  /// The series of a method. @shape "package.Service/Method"
  MethodSeries& AddMethod(std::string_view method);
  /// The same. @shape Service: as protoc generates it; method: its name within the service
  template <class Service>
  MethodSeries& AddMethod(std::string_view method) {
    return AddMethod(std::string(Service::service_full_name()).append("/").append(method));
  }

  /// Counters of the server itself.
  struct Totals {
    explicit Totals(prometheus::Registry& registry);
    prometheus::Counter& callers_refused;  ///< by Door
    prometheus::Counter& residents_expired;
    prometheus::Counter& uploads_expired;
  };
  Totals& totals() { return totals_; }

  void SetReady(bool ready) { ready_->Set(ready ? 1 : 0); }

  /// The registry that a scrape reads.
  const std::shared_ptr<prometheus::Registry>& registry() const { return registry_; }
  /// Only whether the server is ready, for proxies.
  const std::shared_ptr<prometheus::Registry>& ready_registry() const { return ready_registry_; }

 private:
  const std::shared_ptr<prometheus::Registry> registry_;
  const std::shared_ptr<prometheus::Registry> ready_registry_ =
      std::make_shared<prometheus::Registry>();
  prometheus::Gauge* ready_;
  Totals totals_;
  // A deque, because its elements keep their addresses.
  std::deque<JobSeries> jobs_;
  std::deque<MethodSeries> methods_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_METRICS_METRICS_H_
