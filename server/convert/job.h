// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Converts what all kinds of jobs have in common: wire <-> core.
#ifndef WARPYARD_SERVER_CONVERT_JOB_H_
#define WARPYARD_SERVER_CONVERT_JOB_H_

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/base/phase_times.h"
#include "core/engine/engine_options.h"
#include "server/security/caller.h"
#include "warpyard/v1/job.pb.h"

namespace warpyard::server {

/// When a request arrived, when its call ends, and who sent it.
struct CallFacts {
  absl::Time received;
  absl::Time deadline = absl::InfiniteFuture();
  Caller caller = {};
};

/// The deadline is the earlier of the call's and the job's own. Counts a job of the caller.
/// @errors INVALID_ARGUMENT, PERMISSION_DENIED, RESOURCE_EXHAUSTED
absl::StatusOr<JobOptions> ToJobOptions(const v1::JobOptions& options, const CallFacts& facts);

void ToProto(const PhaseTimes& phases, google::protobuf::RepeatedPtrField<v1::PhaseDuration>* out);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_CONVERT_JOB_H_
