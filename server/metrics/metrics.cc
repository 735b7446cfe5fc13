// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/metrics/metrics.h"

#include "server/metrics/add_series.h"

namespace warpyard::server {

using prometheus::Counter;
using prometheus::Gauge;

Metrics::Totals::Totals(prometheus::Registry& registry)
    : callers_refused(AddSeries<Counter>(registry, kCallersRefused, {})),
      residents_expired(AddSeries<Counter>(registry, kResidentsExpired, {})),
      uploads_expired(AddSeries<Counter>(registry, kUploadsExpired, {})) {}

Metrics::Metrics(const Build& build)
    : registry_(
          std::make_shared<prometheus::Registry>(prometheus::Registry::InsertBehavior::Merge)),
      ready_(&AddSeries<Gauge>(*ready_registry_, kReady, {})),
      totals_(*registry_) {
  AddSeries<Gauge>(
      *registry_, kBuildInfo,
      {{"version", build.version}, {"backend", build.backend}, {"policy", build.policy}})
      .Set(1);
}

JobSeries& Metrics::AddJobs(std::string_view kind, std::span<const std::string_view> phases) {
  return jobs_.emplace_back(*registry_, kind, phases);
}

MethodSeries& Metrics::AddMethod(std::string_view method) {
  return methods_.emplace_back(*registry_, method);
}

}  // namespace warpyard::server
