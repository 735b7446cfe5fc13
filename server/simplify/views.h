// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Views as goals of results: wire -> core.
#ifndef WARPYARD_SERVER_SIMPLIFY_VIEWS_H_
#define WARPYARD_SERVER_SIMPLIFY_VIEWS_H_

#include "absl/status/statusor.h"
#include "core/api/simplify.h"
#include "server/rpc/wire_limit.h"
#include "warpyard/v1/simplify_service.pb.h"

namespace warpyard::server {

/// Of SimplifyRequest.
inline const WireLimit kViewsLimit = {
    "views",
    {v1::SimplifyRequest::kViewsFieldNumber, v1::ViewGoal::kViewsFieldNumber},
    simplify::kMostViews};

/// @errors INVALID_ARGUMENT: vectors and states of a wrong size. simplify::CheckOptions checks the
///     numbers.
absl::StatusOr<simplify::ViewGoal> ToViewGoal(const v1::ViewGoal& goal);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SIMPLIFY_VIEWS_H_
