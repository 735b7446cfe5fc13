// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Load jobs: wire <-> core.
#ifndef WARPYARD_SERVER_SYNTHETIC_CONVERT_H_
#define WARPYARD_SERVER_SYNTHETIC_CONVERT_H_

#include "absl/status/statusor.h"
#include "core/workload/synthetic/synthetic_run.h"
#include "warpyard/v1/load_service.pb.h"

namespace warpyard::server {

/// @errors INVALID_ARGUMENT
absl::StatusOr<synthetic::SyntheticJob> ToLoad(const v1::RunLoadRequest& request);

void ToProto(const synthetic::SyntheticResult& result, v1::RunLoadResponse* out);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SYNTHETIC_CONVERT_H_
