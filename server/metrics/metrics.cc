// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/metrics/metrics.h"

#include "prometheus/gauge.h"

namespace warpyard::server {

Metrics::Metrics(const std::string& version, const std::string& backend)
    : registry_(
          std::make_shared<prometheus::Registry>(prometheus::Registry::InsertBehavior::Merge)) {
  prometheus::BuildGauge()
      .Name(kBuildInfo.name)
      .Help(kBuildInfo.help)
      .Register(*registry_)
      .Add({{"version", version}, {"backend", backend}})
      .Set(1);
}

JobSeries& Metrics::AddJobs(std::string_view kind, std::span<const std::string_view> phases) {
  return jobs_.emplace_back(*registry_, kind, phases);
}

MethodSeries& Metrics::AddMethod(std::string_view method) {
  return methods_.emplace_back(*registry_, method);
}

}  // namespace warpyard::server
