// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The errors with which the dispatcher refuses and ends jobs.
#ifndef WARPYARD_CORE_DISPATCH_JOB_ERRORS_H_
#define WARPYARD_CORE_DISPATCH_JOB_ERRORS_H_

#include <cstddef>
#include <variant>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace warpyard::dispatch {

absl::Status CancelError();
absl::Status LateError();
absl::Status TimeLimitError(absl::Duration limit);
absl::Status PendingError(std::size_t pending);

/// A deadline that cannot be met. @shape until the job would be done, and until its deadline
struct Unreachable {
  absl::Duration expected, left;
};
/// The job was not accepted.
absl::Status RefusedError(const Unreachable& why);

/// More jobs arrive than one thread can offer to admission. @shape wait: until that thread would
/// offer this job; left: until its deadline
struct Unseen {
  absl::Duration wait, left;
};
/// The job was not offered.
absl::Status UnseenError(const Unseen& why);
/// The job was accepted, and then a tenant with less than its share needed its place.
absl::Status GaveWayError();
/// The job was accepted, but it cannot be done in time any more.
absl::Status GivenUpError();

/// Why a job is rejected. Some errors have a long text, which is made when they are delivered.
using Refusal = std::variant<absl::Status, Unreachable, Unseen>;
absl::Status ErrorOf(Refusal why);

}  // namespace warpyard::dispatch

#endif  // WARPYARD_CORE_DISPATCH_JOB_ERRORS_H_
