// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The errors with which the dispatcher refuses and ends jobs.
#ifndef WARPYARD_CORE_DISPATCH_JOB_ERRORS_H_
#define WARPYARD_CORE_DISPATCH_JOB_ERRORS_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace warpyard::dispatch {

absl::Status CancelError();
absl::Status LateError();
absl::Status TimeLimitError(absl::Duration limit);
absl::Status PendingError(std::size_t pending);

/// The job was not accepted. @shape expected, left: until it would be done, and until its deadline
absl::Status RefusedError(absl::Duration expected, absl::Duration left);
/// The job was accepted, and then a tenant with less than its share needed its place.
absl::Status GaveWayError();
/// The job was accepted, but it cannot be done in time any more.
absl::Status GivenUpError();

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_JOB_ERRORS_H_
