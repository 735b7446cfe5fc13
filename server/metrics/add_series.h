// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Registers the series of a metric.
#ifndef WARPYARD_SERVER_METRICS_ADD_SERIES_H_
#define WARPYARD_SERVER_METRICS_ADD_SERIES_H_

#include <array>
#include <cstddef>

#include "prometheus/counter.h"
#include "prometheus/gauge.h"
#include "prometheus/histogram.h"
#include "prometheus/registry.h"
#include "server/metrics/metric_names.h"

namespace warpyard::server {

template <class Enum>
constexpr std::size_t Index(Enum value) {
  return static_cast<std::size_t>(value);
}

/// A label and all its values.
template <std::size_t kCount>
struct Dimension {
  const char* label;
  const std::array<const char*, kCount>& values;
};
// Compilers may deduce this themselves; clang++ 14 does not.
template <std::size_t kCount>
Dimension(const char*, const std::array<const char*, kCount>&) -> Dimension<kCount>;

/// One series. Register returns the existing family if there is one.
/// @shape Metric: prometheus::Counter or Gauge
template <class Metric>
Metric& AddSeries(prometheus::Registry& registry, const MetricName& metric,
                  const prometheus::Labels& labels) {
  prometheus::detail::Builder<Metric> builder;
  return builder.Name(metric.name).Help(metric.help).Register(registry).Add(labels);
}

inline prometheus::Histogram& AddHistogram(prometheus::Registry& registry, const MetricName& metric,
                                           const prometheus::Labels& labels,
                                           const prometheus::Histogram::BucketBoundaries& buckets) {
  return prometheus::BuildHistogram()
      .Name(metric.name)
      .Help(metric.help)
      .Register(registry)
      .Add(labels, buckets);
}

/// One series for each value of a label; all of them also have the common labels.
template <class Metric, std::size_t kCount>
std::array<Metric*, kCount> AddSeriesOf(prometheus::Registry& registry, const MetricName& metric,
                                        const prometheus::Labels& labels,
                                        const Dimension<kCount>& dimension) {
  std::array<Metric*, kCount> series;
  for (std::size_t i = 0; i < kCount; ++i) {
    prometheus::Labels all = labels;
    all.emplace(dimension.label, dimension.values[i]);
    series[i] = &AddSeries<Metric>(registry, metric, all);
  }
  return series;
}

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_METRICS_ADD_SERIES_H_
