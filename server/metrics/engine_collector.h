// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What the engine and its devices are doing, for Prometheus.
#ifndef WARPYARD_SERVER_METRICS_ENGINE_COLLECTOR_H_
#define WARPYARD_SERVER_METRICS_ENGINE_COLLECTOR_H_

#include <vector>

#include "core/engine/engine.h"
#include "prometheus/collectable.h"
#include "prometheus/metric_family.h"
#include "server/admission/request_budget.h"

namespace warpyard::server {

/// Reads Engine::Statistics and the requests that are held at each scrape. Both must outlive it.
class EngineCollector : public prometheus::Collectable {
 public:
  EngineCollector(const Engine& engine, const RequestBudget& requests)
      : engine_(engine), requests_(requests) {}

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const Engine& engine_;
  const RequestBudget& requests_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_METRICS_ENGINE_COLLECTOR_H_
