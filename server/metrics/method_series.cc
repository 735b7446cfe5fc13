// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/metrics/method_series.h"

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "server/metrics/add_series.h"
#include "server/metrics/buckets.h"

namespace warpyard::server {
namespace {

using prometheus::Counter;

/// A right to a workload is one to its batches, too.
/// @shape method: "package.WorkloadService/Method" or "package.WorkloadBatchService/Method"
std::string WorkloadOf(std::string_view method) {
  const std::string_view path = method.substr(0, method.find('/'));
  absl::string_view service(path.data(), path.size());
  service.remove_prefix(service.rfind('.') + 1);
  if (absl::ConsumeSuffix(&service, "Service")) absl::ConsumeSuffix(&service, "Batch");
  return absl::AsciiStrToLower(service);
}

prometheus::Labels LabelsOf(std::string_view method) { return {{"method", std::string(method)}}; }

}  // namespace

MethodSeries::MethodSeries(prometheus::Registry& registry, std::string_view method)
    : method_(method),
      workload_(WorkloadOf(method)),
      started_(&AddSeries<Counter>(registry, kRpcStarted, LabelsOf(method))),
      completed_(AddSeriesOf<Counter>(registry, kRpcCompleted, LabelsOf(method),
                                      Dimension{"code", kStatusCodeNames})),
      duration_(&AddHistogram(registry, kRpcDuration, LabelsOf(method), CoarseBuckets())),
      received_(&AddSeries<Counter>(registry, kRpcReceived, LabelsOf(method))),
      sent_(&AddSeries<Counter>(registry, kRpcSent, LabelsOf(method))) {}

void MethodSeries::Completed(absl::StatusCode code, absl::Duration duration) {
  // UNKNOWN comes first, and stands for all codes that the server does not give.
  std::size_t column = 0;
  for (std::size_t i = 1; i < kStatusCodes.size(); ++i) {
    if (kStatusCodes[i] == code) column = i;
  }
  completed_[column]->Increment();
  duration_->Observe(absl::ToDoubleSeconds(duration));
}

}  // namespace warpyard::server
