// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Goals of chains of levels: wire -> core.
#ifndef WARPYARD_SERVER_SIMPLIFY_LEVEL_REQUEST_H_
#define WARPYARD_SERVER_SIMPLIFY_LEVEL_REQUEST_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "core/api/simplify.h"
#include "warpyard/v1/simplify_service.pb.h"

namespace warpyard::server {

/// The most levels of a chain.
inline constexpr int kMostLevels = 32;

/// What the levels of a model with so many triangles should be; `take` is left to the caller.
/// @errors INVALID_ARGUMENT
absl::StatusOr<simplify::LevelsDescription> ToLevels(const v1::SimplifyLevelsRequest& request,
                                                     std::uint32_t model_triangles);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_SIMPLIFY_LEVEL_REQUEST_H_
