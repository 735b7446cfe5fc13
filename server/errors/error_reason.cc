// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "server/errors/error_reason.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "core/base/status_facts.h"

namespace warpyard::server {
namespace {

using Code = absl::StatusCode;
using Reason = ErrorReason;

// Jobs take milliseconds, so a place in the queue or bytes of a request are soon free again.
constexpr absl::Duration kSoon = absl::Milliseconds(100);
// The work that is in the way is done before the deadline of the refused job.
constexpr absl::Duration kAtOnce = absl::Milliseconds(10);
// Other limits end when a client closes something, and draining when another server takes over.
constexpr absl::Duration kLater = absl::Seconds(1);

constexpr ErrorRow kRows[] = {
    {Reason::kInvalidField, "INVALID_FIELD", Code::kInvalidArgument},
    {Reason::kInvalidMessage, "INVALID_MESSAGE", Code::kInvalidArgument},
    {Reason::kInvalidArgument, "INVALID_ARGUMENT", Code::kInvalidArgument},
    {Reason::kUnauthenticated, "UNAUTHENTICATED", Code::kUnauthenticated},
    {Reason::kNoRight, "NO_RIGHT", Code::kPermissionDenied},
    {Reason::kUnknownHandle, "UNKNOWN_HANDLE", Code::kNotFound},
    {Reason::kOtherServer, "OTHER_SERVER", Code::kNotFound},
    {Reason::kNotFound, "NOT_FOUND", Code::kNotFound},
    {Reason::kPendingJobsFull, "PENDING_JOBS_FULL", Code::kResourceExhausted, "pending_jobs",
     kSoon},
    {Reason::kRequestBytesFull, "REQUEST_BYTES_FULL", Code::kResourceExhausted, "request_bytes",
     kSoon},
    {Reason::kResultBytesFull, "RESULT_BYTES_FULL", Code::kResourceExhausted, "result_bytes",
     kSoon},
    {Reason::kUploadsFull, "UPLOADS_FULL", Code::kResourceExhausted, "uploads", kLater},
    {Reason::kResidentsFull, "RESIDENTS_FULL", Code::kResourceExhausted, "residents", kLater},
    {Reason::kTenantQuota, "TENANT_QUOTA", Code::kResourceExhausted, "tenant", kLater},
    {Reason::kDeviceMemory, "DEVICE_MEMORY", Code::kResourceExhausted, "device_memory"},
    {Reason::kResultTooLarge, "RESULT_TOO_LARGE", Code::kResourceExhausted, "response_bytes"},
    {Reason::kUploadTooLarge, "UPLOAD_TOO_LARGE", Code::kResourceExhausted, "upload_bytes"},
    {Reason::kJobTimeLimit, "JOB_TIME_LIMIT", Code::kResourceExhausted, "job_time"},
    {Reason::kSlowReader, "SLOW_READER", Code::kResourceExhausted, "unread_time"},
    {Reason::kDeadlineUnreachable, "DEADLINE_UNREACHABLE", Code::kResourceExhausted, "device_time",
     kAtOnce},
    {Reason::kLimitExceeded, "LIMIT_EXCEEDED", Code::kResourceExhausted},
    {Reason::kDeadlinePassed, "DEADLINE_PASSED", Code::kDeadlineExceeded},
    {Reason::kDeadlineHopeless, "DEADLINE_HOPELESS", Code::kDeadlineExceeded},
    {Reason::kCancelled, "CANCELLED", Code::kCancelled},
    {Reason::kUploadIncomplete, "UPLOAD_INCOMPLETE", Code::kFailedPrecondition},
    {Reason::kStartMissing, "START_MISSING", Code::kFailedPrecondition},
    {Reason::kPreconditionFailed, "PRECONDITION_FAILED", Code::kFailedPrecondition},
    {Reason::kUploadDropped, "UPLOAD_DROPPED", Code::kAborted},
    {Reason::kProcedureFailed, "PROCEDURE_FAILED", Code::kAborted},
    {Reason::kAlreadyExists, "ALREADY_EXISTS", Code::kAlreadyExists},
    {Reason::kOutOfRange, "OUT_OF_RANGE", Code::kOutOfRange},
    {Reason::kDraining, "DRAINING", Code::kUnavailable, "", kLater},
    {Reason::kDeviceLost, "DEVICE_LOST", Code::kUnavailable, "", kLater},
    {Reason::kNotSupported, "NOT_SUPPORTED", Code::kUnimplemented},
    {Reason::kInternal, "INTERNAL", Code::kInternal},
    {Reason::kUnknown, "UNKNOWN", Code::kUnknown},
};

constexpr bool RowsAreInOrder() {
  for (std::size_t i = 0; i < std::size(kRows); ++i) {
    if (static_cast<std::size_t>(kRows[i].reason) != i) return false;
  }
  return std::size(kRows) == static_cast<std::size_t>(Reason::kUnknown) + 1;
}
static_assert(RowsAreInOrder(), "RowOf finds a row by its number");

ErrorReason OfCause(Cause cause) {
  switch (cause) {
    case Cause::kPendingJobs:
      return Reason::kPendingJobsFull;
    case Cause::kDeviceMemory:
      return Reason::kDeviceMemory;
    case Cause::kResidents:
      return Reason::kResidentsFull;
    case Cause::kJobTimeLimit:
      return Reason::kJobTimeLimit;
    case Cause::kDeviceLost:
      return Reason::kDeviceLost;
    case Cause::kDeadlineUnreachable:
      return Reason::kDeadlineUnreachable;
    case Cause::kDeadlineHopeless:
      return Reason::kDeadlineHopeless;
  }
  return Reason::kUnknown;
}

ErrorReason OfCode(Code code) {
  switch (code) {
    case Code::kInvalidArgument:
      return Reason::kInvalidArgument;
    case Code::kNotFound:
      return Reason::kNotFound;
    case Code::kResourceExhausted:
      return Reason::kLimitExceeded;
    case Code::kFailedPrecondition:
      return Reason::kPreconditionFailed;
    case Code::kAborted:
      return Reason::kProcedureFailed;
    // The engine says UNAVAILABLE only of devices.
    case Code::kUnavailable:
      return Reason::kDeviceLost;
    case Code::kDataLoss:
      return Reason::kInternal;
    default: {
      const auto row =
          std::find_if(std::begin(kRows), std::end(kRows),
                       [code](const ErrorRow& candidate) { return candidate.code == code; });
      return row == std::end(kRows) ? Reason::kUnknown : row->reason;
    }
  }
}

}  // namespace

std::span<const ErrorRow> ErrorRows() { return kRows; }

const ErrorRow& RowOf(ErrorReason reason) { return kRows[static_cast<std::size_t>(reason)]; }

ErrorReason ImpliedReason(const absl::Status& status) {
  if (const auto cause = CauseOf(status)) return OfCause(*cause);
  if (status.code() == Code::kInvalidArgument && FieldOf(status)) return Reason::kInvalidField;
  return OfCode(status.code());
}

}  // namespace warpyard::server
