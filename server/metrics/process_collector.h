// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What the operating system says of this process, for Prometheus.
#ifndef WARPYARD_SERVER_METRICS_PROCESS_COLLECTOR_H_
#define WARPYARD_SERVER_METRICS_PROCESS_COLLECTOR_H_

#include <vector>

#include "prometheus/collectable.h"
#include "prometheus/metric_family.h"

namespace warpyard::server {

/// Reads /proc/self at each scrape. The names are those that client libraries of other languages
/// use. What cannot be read is left out.
class ProcessCollector : public prometheus::Collectable {
 public:
  std::vector<prometheus::MetricFamily> Collect() const override;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_METRICS_PROCESS_COLLECTOR_H_
