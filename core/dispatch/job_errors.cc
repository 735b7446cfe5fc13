// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/dispatch/job_errors.h"

#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "core/base/status_facts.h"

namespace warpyard::dispatch {
namespace {

double Milliseconds(absl::Duration duration) { return absl::ToDoubleMilliseconds(duration); }

/// With microseconds: more digits say nothing of an estimate.
std::string Text(absl::Duration duration) {
  return absl::FormatDuration(absl::Trunc(duration, absl::Microseconds(1)));
}

}  // namespace

absl::Status CancelError() { return absl::CancelledError("the job was cancelled"); }

absl::Status LateError() {
  return absl::DeadlineExceededError("the job's deadline passed before its result was ready");
}

absl::Status TimeLimitError(absl::Duration limit) {
  return WithCause(Cause::kJobTimeLimit,
                   absl::ResourceExhaustedError(absl::StrCat(
                       "the job ran longer than ", Text(limit), ", the limit (--job-time-limit)")));
}

absl::Status PendingError(std::size_t pending) {
  return WithCause(Cause::kPendingJobs,
                   absl::ResourceExhaustedError(absl::StrCat(
                       "job queue: ", pending, " jobs wait, the limit (--max-pending-jobs)")));
}

absl::Status RefusedError(const Unreachable& why) {
  const auto& [expected, left] = why;
  const absl::Status status =
      WithCause(Cause::kDeadlineUnreachable,
                absl::ResourceExhaustedError(absl::StrCat(
                    "the job would take ", Text(expected),
                    " with the work accepted before it, but its deadline is in ", Text(left))));
  return WithExpectation({Milliseconds(expected), Milliseconds(left)}, status);
}

absl::Status UnseenError(const Unseen& why) {
  return WithCause(Cause::kDeadlineUnreachable,
                   absl::ResourceExhaustedError(absl::StrCat(
                       "more jobs come than the server can decide about: this one would wait ",
                       Text(why.wait), " for that, and its deadline is in ", Text(why.left))));
}

absl::Status GaveWayError() {
  return WithCause(Cause::kDeadlineUnreachable,
                   absl::ResourceExhaustedError(
                       "the job gave way to a tenant that has less of the device for its weight"));
}

absl::Status GivenUpError() {
  return WithCause(Cause::kDeadlineHopeless,
                   absl::DeadlineExceededError(
                       "the job was given up: it could not be done before its deadline any more"));
}

absl::Status ErrorOf(Refusal why) {
  if (const auto* const late = std::get_if<Unreachable>(&why)) return RefusedError(*late);
  if (const auto* const unseen = std::get_if<Unseen>(&why)) return UnseenError(*unseen);
  return std::get<absl::Status>(std::move(why));
}

}  // namespace warpyard::dispatch
