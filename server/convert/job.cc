// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/convert/job.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/base/status_facts.h"

namespace warpyard::server {
namespace {

void SetDuration(absl::Duration duration, google::protobuf::Duration* out) {
  absl::Duration rest;
  out->set_seconds(absl::IDivDuration(duration, absl::Seconds(1), &rest));
  out->set_nanos(static_cast<std::int32_t>(absl::ToInt64Nanoseconds(rest)));
}

absl::StatusOr<Priority> ToPriority(v1::Priority priority) {
  switch (priority) {
    case v1::PRIORITY_LOW:
      return Priority::kLow;
    case v1::PRIORITY_UNSPECIFIED:
    case v1::PRIORITY_NORMAL:
      return Priority::kNormal;
    case v1::PRIORITY_HIGH:
      return Priority::kHigh;
    case v1::PRIORITY_URGENT:
      return Priority::kUrgent;
    default:
      return InvalidField("job.priority",
                          absl::StrCat("unknown value ", static_cast<int>(priority)));
  }
}

absl::StatusOr<WhenLate> ToWhenLate(v1::WhenLate when_late) {
  switch (when_late) {
    case v1::WHEN_LATE_UNSPECIFIED:
    case v1::WHEN_LATE_REFUSE:
      return WhenLate::kRefuse;
    case v1::WHEN_LATE_RUN:
      return WhenLate::kRun;
    default:
      return InvalidField("job.when_late",
                          absl::StrCat("unknown value ", static_cast<int>(when_late)));
  }
}

absl::StatusOr<absl::Duration> ToDeadline(const google::protobuf::Duration& deadline) {
  constexpr std::int32_t kNanosPerSecond = 1'000'000'000;
  if (deadline.nanos() <= -kNanosPerSecond || deadline.nanos() >= kNanosPerSecond) {
    return InvalidField("job.deadline",
                        absl::StrCat(deadline.nanos(), " nanos, expected less than a second"));
  }
  // Saturates, so no number of seconds is too large.
  const absl::Duration duration =
      absl::Seconds(deadline.seconds()) + absl::Nanoseconds(deadline.nanos());
  if (duration <= absl::ZeroDuration()) {
    return InvalidField("job.deadline",
                        absl::StrCat(absl::FormatDuration(duration), ", must be positive"));
  }
  return duration;
}

}  // namespace

absl::StatusOr<JobOptions> ToJobOptions(const v1::JobOptions& options, const CallFacts& facts) {
  JobOptions core;
  core.deadline = facts.deadline;
  WY_ASSIGN_OR_RETURN(core.priority, ToPriority(options.priority()));
  if (options.has_deadline()) {
    WY_ASSIGN_OR_RETURN(const absl::Duration own, ToDeadline(options.deadline()));
    core.deadline = std::min(core.deadline, facts.received + own);
  }
  WY_ASSIGN_OR_RETURN(core.when_late, ToWhenLate(options.when_late()));
  WY_ASSIGN_OR_RETURN(core.tenant, facts.caller.NumberFor(options.tenant(), "job.tenant"));
  WY_RETURN_IF_ERROR(facts.caller.TakeJob(core, facts.received));
  return core;
}

void ToProto(const PhaseTimes& phases, google::protobuf::RepeatedPtrField<v1::PhaseDuration>* out) {
  for (const PhaseTime& phase : phases) {
    v1::PhaseDuration* message = out->Add();
    message->set_phase(std::string(phase.phase));
    SetDuration(phase.duration, message->mutable_duration());
  }
}

}  // namespace warpyard::server
