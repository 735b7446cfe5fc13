// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/metrics/job_series.h"

#include <string>

#include "core/base/status_facts.h"
#include "server/metrics/add_series.h"
#include "server/metrics/buckets.h"

namespace warpyard::server {
namespace {

using prometheus::Counter;
using prometheus::Gauge;

JobOutcome ToOutcome(const absl::Status& status) {
  if (CauseOf(status) == Cause::kDeadlineUnreachable) return JobOutcome::kRefused;
  switch (status.code()) {
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

std::array<prometheus::Histogram*, kPriorities> AddWaits(prometheus::Registry& registry) {
  std::array<prometheus::Histogram*, kPriorities> waits;
  for (std::size_t i = 0; i < kPriorities; ++i) {
    waits[i] =
        &AddHistogram(registry, kJobQueueWait, {{"priority", kPriorityNames[i]}}, FineBuckets());
  }
  return waits;
}

}  // namespace

JobSeries::JobSeries(prometheus::Registry& registry, std::string_view kind,
                     std::span<const std::string_view> phases)
    : kind_(kind) {
  const prometheus::Labels labels = {{"kind", std::string(kind)}};
  const Dimension priority = {"priority", kPriorityNames};
  submitted_ = AddSeriesOf<Counter>(registry, kJobsSubmitted, labels, priority);
  queued_ = AddSeriesOf<Gauge>(registry, kJobsQueued, labels, priority);
  waits_ = AddWaits(registry);
  rejected_ = AddSeriesOf<Counter>(registry, kJobsRejected, labels,
                                   Dimension{"reason", kRejectReasonNames});
  finished_ =
      AddSeriesOf<Counter>(registry, kJobsFinished, labels, Dimension{"outcome", kJobOutcomeNames});
  cancelled_ =
      AddSeriesOf<Counter>(registry, kCancellations, labels, Dimension{"stage", kCancelStageNames});
  cancel_latency_ = &AddHistogram(registry, kCancelLatency, {}, CoarseBuckets());
  duration_ = &AddHistogram(registry, kJobDuration, labels, FineBuckets());
  with_deadline_ = &AddSeries<Counter>(registry, kDeadlineJobs, labels);
  missed_ = &AddSeries<Counter>(registry, kDeadlineMisses, labels);
  slack_ = &AddHistogram(registry, kDeadlineSlack, labels, SlackBuckets());
  for (const std::string_view phase : phases) {
    prometheus::Labels all = labels;
    all.emplace("phase", std::string(phase));
    phases_.emplace_back(phase, &AddHistogram(registry, kJobPhaseDuration, all, CoarseBuckets()));
  }
}

void JobSeries::Submitted(Priority priority) {
  submitted_[Index(priority)]->Increment();
  queued_[Index(priority)]->Increment();
}

void JobSeries::Started(Priority priority, absl::Duration waited) {
  queued_[Index(priority)]->Decrement();
  waits_[Index(priority)]->Observe(absl::ToDoubleSeconds(waited));
}

void JobSeries::Rejected(const absl::Status& status) {
  rejected_[Index(ToReason(status.code()))]->Increment();
}

void JobSeries::Finished(Priority priority, const End& end) {
  const JobOutcome outcome = ToOutcome(end.status);
  finished_[Index(outcome)]->Increment();
  if (outcome == JobOutcome::kRefused) {
    // It has no promise to keep, and took no time: the more are refused, the shorter all waits
    // would look, and no autoscaler would see the overload.
    if (!end.started) queued_[Index(priority)]->Decrement();
    return;
  }
  // Who gave up in the queue has waited, too: the longest waits must not be missing.
  if (!end.started) Started(priority, end.duration);
  duration_->Observe(absl::ToDoubleSeconds(end.duration));
  if (outcome == JobOutcome::kCancelled) CountCancelled(end);
  if (end.slack == absl::InfiniteDuration()) return;
  with_deadline_->Increment();
  if (outcome == JobOutcome::kExpired || end.slack < absl::ZeroDuration()) missed_->Increment();
  // The time that was left when a job was cancelled, or failed, says nothing of the scheduler.
  if (outcome == JobOutcome::kOk || outcome == JobOutcome::kExpired) {
    slack_->Observe(absl::ToDoubleSeconds(end.slack));
  }
}

void JobSeries::CountCancelled(const End& end) {
  cancelled_[Index(end.started ? CancelStage::kRunning : CancelStage::kQueued)]->Increment();
  if (end.since_cancel == absl::InfiniteDuration()) return;
  cancel_latency_->Observe(absl::ToDoubleSeconds(end.since_cancel));
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

}  // namespace warpyard::server
