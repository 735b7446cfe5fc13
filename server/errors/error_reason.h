// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The reasons of errors, as clients' programs see them, and what each reason says beside its name.
// docs/errors.md has the same table; a test compares both.
#ifndef WARPYARD_SERVER_ERRORS_ERROR_REASON_H_
#define WARPYARD_SERVER_ERRORS_ERROR_REASON_H_

#include <span>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace warpyard::server {

enum class ErrorReason {
  kInvalidField,
  kInvalidMessage,
  kInvalidArgument,
  kUnauthenticated,
  kNoRight,
  kUnknownHandle,
  kOtherServer,
  kNotFound,
  kPendingJobsFull,
  kRequestBytesFull,
  kResultBytesFull,
  kUploadsFull,
  kResidentsFull,
  kTenantQuota,
  kDeviceMemory,
  kResultTooLarge,
  kUploadTooLarge,
  kJobTimeLimit,
  kSlowReader,
  kDeadlineUnreachable,
  kLimitExceeded,
  kDeadlinePassed,
  kDeadlineHopeless,
  kCancelled,
  kUploadIncomplete,
  kStartMissing,
  kPreconditionFailed,
  kUploadDropped,
  kProcedureFailed,
  kAlreadyExists,
  kOutOfRange,
  kDraining,
  kDeviceLost,
  kNotSupported,
  kInternal,
  kUnknown,
};

/// One row of the table.
struct ErrorRow {
  ErrorReason reason;
  absl::string_view name;  ///< ErrorInfo.reason
  absl::StatusCode code;
  /// QuotaFailure.subject; empty: the error is about no limit.
  absl::string_view limit = "";
  /// RetryInfo.retry_delay; zero: waiting does not help.
  absl::Duration retry_delay = absl::ZeroDuration();
};

/// All rows, in the order of the enumerators.
std::span<const ErrorRow> ErrorRows();

const ErrorRow& RowOf(ErrorReason reason);

/// The reason of an error whose maker gave none: by the engine's cause or field, else by the code.
/// @shape status: not OK
ErrorReason ImpliedReason(const absl::Status& status);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_ERRORS_ERROR_REASON_H_
