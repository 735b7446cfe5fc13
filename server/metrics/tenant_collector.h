// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What each tenant uses now, for Prometheus.
#ifndef WARPYARD_SERVER_METRICS_TENANT_COLLECTOR_H_
#define WARPYARD_SERVER_METRICS_TENANT_COLLECTOR_H_

#include <vector>

#include "prometheus/collectable.h"
#include "prometheus/metric_family.h"
#include "server/jobs/resident_table.h"
#include "server/security/access.h"

namespace warpyard::server {

/// Samples of the tenants that are in the file now. The label has the tenant's number, which the
/// devices' series have, too; warpyard_tenant_info has its name. Both arguments must outlive the
/// collector.
class TenantCollector : public prometheus::Collectable {
 public:
  TenantCollector(const Access& access, const ResidentTable& residents)
      : access_(access), residents_(residents) {}

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const Access& access_;
  const ResidentTable& residents_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_METRICS_TENANT_COLLECTOR_H_
