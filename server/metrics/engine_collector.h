// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// State of the engine and its devices, for Prometheus.
#ifndef WARPYARD_SERVER_METRICS_ENGINE_COLLECTOR_H_
#define WARPYARD_SERVER_METRICS_ENGINE_COLLECTOR_H_

#include <mutex>
#include <vector>

#include "core/engine/engine.h"
#include "prometheus/collectable.h"
#include "prometheus/metric_family.h"
#include "server/admission/byte_budget.h"
#include "server/metrics/progress_watch.h"
#include "server/upload/upload_table.h"

namespace warpyard::server {

/// Reads Engine::Statistics, the held bytes and the uploads at each scrape. Budgets and uploads
/// must outlive the collector; the engine must live until Detach.
class EngineCollector : public prometheus::Collectable {
 public:
  EngineCollector(const Engine& engine, const ByteBudget& requests, const ByteBudget& results,
                  const UploadTable& uploads)
      : engine_(&engine), requests_(requests), results_(results), uploads_(uploads) {}

  std::vector<prometheus::MetricFamily> Collect() const override;

  /// Looks whether the devices make progress. Call it at regular times, so that their ages are
  /// right however seldom somebody scrapes.
  void Look();

  /// Later scrapes get no data of the engine. Waits for a scrape that is reading it.
  void Detach();

 private:
  mutable std::mutex mutex_;
  const Engine* engine_;            // guarded by mutex_
  mutable ProgressWatch progress_;  // guarded by mutex_
  const ByteBudget& requests_;
  const ByteBudget& results_;
  const UploadTable& uploads_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_METRICS_ENGINE_COLLECTOR_H_
