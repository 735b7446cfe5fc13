// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/metrics/tenant_collector.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "server/metrics/family_builder.h"
#include "server/metrics/metric_names.h"

namespace warpyard::server {

std::vector<prometheus::MetricFamily> TenantCollector::Collect() const {
  using prometheus::MetricType;
  FamilyBuilder info(kTenantInfo, MetricType::Gauge);
  FamilyBuilder calls(kTenantCalls, MetricType::Gauge);
  FamilyBuilder requests(kTenantRequests, MetricType::Gauge);
  FamilyBuilder residents(kTenantResidents, MetricType::Gauge);
  FamilyBuilder refused(kTenantRefused, MetricType::Counter);
  for (const std::shared_ptr<const Tenant>& tenant : access_.AllTenants()) {
    const std::string number = absl::StrCat(tenant->number);
    const TenantUsage& usage = access_.UsageOf(*tenant);
    info.Add(1, {{"tenant", number}, {"name", tenant->name}});
    calls.Add(static_cast<double>(usage.calls.load()), {{"tenant", number}});
    requests.Add(static_cast<double>(usage.request_bytes.load()), {{"tenant", number}});
    residents.Add(static_cast<double>(residents_.CountOf(tenant->number)), {{"tenant", number}});
    refused.Add(static_cast<double>(usage.refused.load()), {{"tenant", number}});
  }
  std::vector<prometheus::MetricFamily> families;
  for (FamilyBuilder* family : {&info, &calls, &requests, &residents, &refused}) {
    families.push_back(family->Build());
  }
  return families;
}

}  // namespace warpyard::server
