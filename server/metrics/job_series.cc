// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/metrics/job_series.h"

#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"

namespace warpyard::server {
namespace {

using prometheus::BuildCounter;
using prometheus::BuildHistogram;

template <class Enum>
constexpr std::size_t Index(Enum value) {
  return static_cast<std::size_t>(value);
}

const prometheus::Histogram::BucketBoundaries& DurationBuckets() {
  static const auto& buckets = *new prometheus::Histogram::BucketBoundaries{
      .0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30};
  return buckets;
}

JobOutcome ToOutcome(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kOk:
      return JobOutcome::kOk;
    case absl::StatusCode::kCancelled:
      return JobOutcome::kCancelled;
    case absl::StatusCode::kDeadlineExceeded:
      return JobOutcome::kExpired;
    case absl::StatusCode::kResourceExhausted:
      return JobOutcome::kExhausted;
    default:
      return JobOutcome::kFailed;
  }
}

RejectReason ToReason(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kNotFound:
      return RejectReason::kNotFound;
    case absl::StatusCode::kResourceExhausted:
      return RejectReason::kExhausted;
    case absl::StatusCode::kUnavailable:
      return RejectReason::kDraining;
    case absl::StatusCode::kUnauthenticated:
      return RejectReason::kUnauthenticated;
    case absl::StatusCode::kPermissionDenied:
      return RejectReason::kNoRight;
    default:
      return RejectReason::kInvalid;
  }
}

/// A label and all its values.
template <std::size_t kCount>
struct Dimension {
  const char* label;
  const std::array<const char*, kCount>& values;
};

/// One counter for each value of a label; all of them also have the common labels.
template <std::size_t kCount>
std::array<prometheus::Counter*, kCount> AddCounters(prometheus::Registry& registry,
                                                     const MetricName& metric,
                                                     const prometheus::Labels& labels,
                                                     const Dimension<kCount>& dimension) {
  // Register returns the existing family if there is one.
  auto& family = BuildCounter().Name(metric.name).Help(metric.help).Register(registry);
  std::array<prometheus::Counter*, kCount> counters;
  for (std::size_t i = 0; i < kCount; ++i) {
    prometheus::Labels all = labels;
    all.emplace(dimension.label, dimension.values[i]);
    counters[i] = &family.Add(all);
  }
  return counters;
}

prometheus::Histogram& AddHistogram(prometheus::Registry& registry, const MetricName& metric,
                                    const prometheus::Labels& labels) {
  return BuildHistogram()
      .Name(metric.name)
      .Help(metric.help)
      .Register(registry)
      .Add(labels, DurationBuckets());
}

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

}  // namespace

JobSeries::JobSeries(prometheus::Registry& registry, std::string_view kind,
                     std::span<const std::string_view> phases)
    : kind_(kind) {
  const prometheus::Labels labels = {{"kind", std::string(kind)}};
  submitted_ = AddCounters(registry, kJobsSubmitted, labels, Dimension{"priority", kPriorityNames});
  rejected_ = AddCounters(registry, kJobsRejected, labels, Dimension{"reason", kRejectReasonNames});
  finished_ = AddCounters(registry, kJobsFinished, labels, Dimension{"outcome", kJobOutcomeNames});
  duration_ = &AddHistogram(registry, kJobDuration, labels);
  for (const std::string_view phase : phases) {
    prometheus::Labels all = labels;
    all.emplace("phase", std::string(phase));
    phases_.emplace_back(phase, &AddHistogram(registry, kJobPhaseDuration, all));
  }
}

void JobSeries::Submitted(Priority priority) { submitted_[Index(priority)]->Increment(); }

void JobSeries::Rejected(const absl::Status& status) {
  rejected_[Index(ToReason(status.code()))]->Increment();
}

void JobSeries::Finished(const absl::Status& status, absl::Duration duration) {
  finished_[Index(ToOutcome(status.code()))]->Increment();
  duration_->Observe(absl::ToDoubleSeconds(duration));
}

void JobSeries::Phases(const PhaseTimes& phases) {
  for (const PhaseTime& phase : phases) {
    for (const auto& [name, histogram] : phases_) {
      if (name != phase.phase) continue;
      histogram->Observe(absl::ToDoubleSeconds(phase.duration));
      break;
    }
  }
}

MethodSeries::MethodSeries(prometheus::Registry& registry, std::string_view method)
    : method_(method),
      workload_(WorkloadOf(method)),
      completed_(AddCounters(registry, kRpcCompleted, {{"method", std::string(method)}},
                             Dimension{"code", kStatusCodeNames})) {}

void MethodSeries::Completed(absl::StatusCode code) {
  // A code that gRPC does not know counts as UNKNOWN.
  const std::size_t column =
      Index(code) < kStatusCodeNames.size() ? Index(code) : Index(absl::StatusCode::kUnknown);
  completed_[column]->Increment();
}

}  // namespace warpyard::server
