// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Makes the samples of one metric that is read when somebody scrapes.
#ifndef WARPYARD_SERVER_METRICS_FAMILY_BUILDER_H_
#define WARPYARD_SERVER_METRICS_FAMILY_BUILDER_H_

#include <utility>
#include <vector>

#include "prometheus/client_metric.h"
#include "prometheus/metric_family.h"
#include "prometheus/metric_type.h"
#include "server/metrics/metric_names.h"

namespace warpyard::server {

class FamilyBuilder {
 public:
  using Labels = std::vector<prometheus::ClientMetric::Label>;

  /// @shape type: Counter or Gauge
  FamilyBuilder(const MetricName& metric, prometheus::MetricType type) {
    family_.name = metric.name;
    family_.help = metric.help;
    family_.type = type;
  }

  FamilyBuilder& Add(double value, Labels labels = {}) {
    prometheus::ClientMetric sample;
    sample.label = std::move(labels);
    if (family_.type == prometheus::MetricType::Counter) {
      sample.counter.value = value;
    } else {
      sample.gauge.value = value;
    }
    family_.metric.push_back(std::move(sample));
    return *this;
  }

  prometheus::MetricFamily Build() { return std::move(family_); }

 private:
  prometheus::MetricFamily family_;
};

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_METRICS_FAMILY_BUILDER_H_
