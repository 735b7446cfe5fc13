// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/metrics/metrics.h"

#include <span>

namespace warpyard::server {
namespace {

using prometheus::BuildCounter;
using prometheus::BuildGauge;
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

std::span<const std::string_view> PhasesOf(JobKind kind) {
  switch (kind) {
    case JobKind::kOpenScene:
      return kOpenScenePhases;
    case JobKind::kLoad:
      return kLoadPhases;
    default:
      return kStepPhases;
  }
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

/// A label and all its values.
template <std::size_t kCount>
struct Dimension {
  const char* label;
  const std::array<const char*, kCount>& values;
};

/// One counter for each value of a label, beside labels that all of them have.
template <std::size_t kCount>
std::array<prometheus::Counter*, kCount> AddCounters(prometheus::Registry& registry,
                                                     const MetricName& metric,
                                                     const prometheus::Labels& labels,
                                                     const Dimension<kCount>& dimension) {
  // Register returns the family that is there already, if any.
  auto& family = BuildCounter().Name(metric.name).Help(metric.help).Register(registry);
  std::array<prometheus::Counter*, kCount> counters;
  for (std::size_t i = 0; i < kCount; ++i) {
    prometheus::Labels all = labels;
    all.emplace(dimension.label, dimension.values[i]);
    counters[i] = &family.Add(all);
  }
  return counters;
}

}  // namespace

Metrics::Metrics(const std::string& version, const std::string& backend)
    : registry_(
          std::make_shared<prometheus::Registry>(prometheus::Registry::InsertBehavior::Merge)) {
  AddJobSeries(JobKind::kOpenScene);
  AddJobSeries(JobKind::kStep);
  AddJobSeries(JobKind::kLoad);
  AddRpcSeries();
  BuildGauge()
      .Name(kBuildInfo.name)
      .Help(kBuildInfo.help)
      .Register(*registry_)
      .Add({{"version", version}, {"backend", backend}})
      .Set(1);
}

void Metrics::AddJobSeries(JobKind kind) {
  const std::size_t row = Index(kind);
  const prometheus::Labels labels = {{"kind", kJobKindNames[row]}};
  submitted_[row] =
      AddCounters(*registry_, kJobsSubmitted, labels, Dimension{"priority", kPriorityNames});
  rejected_[row] =
      AddCounters(*registry_, kJobsRejected, labels, Dimension{"reason", kRejectReasonNames});
  finished_[row] =
      AddCounters(*registry_, kJobsFinished, labels, Dimension{"outcome", kJobOutcomeNames});
  durations_[row] = &BuildHistogram()
                         .Name(kJobDuration.name)
                         .Help(kJobDuration.help)
                         .Register(*registry_)
                         .Add(labels, DurationBuckets());
  auto& phase_family = BuildHistogram()
                           .Name(kJobPhaseDuration.name)
                           .Help(kJobPhaseDuration.help)
                           .Register(*registry_);
  for (const std::string_view phase : PhasesOf(kind)) {
    prometheus::Labels all = labels;
    all.emplace("phase", std::string(phase));
    phases_[row][phase] = &phase_family.Add(all, DurationBuckets());
  }
}

void Metrics::AddRpcSeries() {
  for (std::size_t row = 0; row < kRpcMethodNames.size(); ++row) {
    rpcs_[row] = AddCounters(*registry_, kRpcCompleted, {{"method", kRpcMethodNames[row]}},
                             Dimension{"code", kStatusCodeNames});
  }
}

void Metrics::JobSubmitted(JobKind kind, Priority priority) {
  submitted_[Index(kind)][Index(priority)]->Increment();
}

void Metrics::JobRejected(JobKind kind, RejectReason reason) {
  rejected_[Index(kind)][Index(reason)]->Increment();
}

void Metrics::JobFinished(JobKind kind, const absl::Status& status, absl::Duration duration) {
  finished_[Index(kind)][Index(ToOutcome(status.code()))]->Increment();
  durations_[Index(kind)]->Observe(absl::ToDoubleSeconds(duration));
}

void Metrics::JobPhases(JobKind kind, const ccd::PhaseTimes& phases) {
  const auto& histograms = phases_[Index(kind)];
  for (const ccd::PhaseTime& phase : phases) {
    const auto found = histograms.find(phase.phase);
    if (found != histograms.end()) found->second->Observe(absl::ToDoubleSeconds(phase.duration));
  }
}

void Metrics::RpcCompleted(RpcMethod method, absl::StatusCode code) {
  // A code that gRPC does not know counts as UNKNOWN.
  const std::size_t column = static_cast<std::size_t>(code) < kStatusCodeNames.size()
                                 ? static_cast<std::size_t>(code)
                                 : static_cast<std::size_t>(absl::StatusCode::kUnknown);
  rpcs_[Index(method)][column]->Increment();
}

}  // namespace warpyard::server
