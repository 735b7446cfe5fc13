// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/metrics/method_series.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "server/metrics/add_series.h"
#include "server/metrics/buckets.h"

namespace warpyard::server {
namespace {

using prometheus::Counter;

/// @shape method: "package.WorkloadService/Method"
std::string WorkloadOf(std::string_view method) {
  constexpr std::string_view kService = "Service";
  std::string_view service = method.substr(0, method.find('/'));
  service.remove_prefix(service.rfind('.') + 1);
  if (absl::EndsWith({service.data(), service.size()}, {kService.data(), kService.size()})) {
    service.remove_suffix(kService.size());
  }
  return absl::AsciiStrToLower({service.data(), service.size()});
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
