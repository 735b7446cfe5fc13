// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The stream of SimplifyLevels, put together.
#ifndef WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_REMOTE_LEVEL_PARTS_H_
#define WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_REMOTE_LEVEL_PARTS_H_

#include <vector>

#include "absl/status/status.h"
#include "warpyard/v1/simplify_service.pb.h"

namespace warpyard::cli {

/// Adds a part to the levels: each is then the response that Simplify gives for such a mesh.
/// @errors INTERNAL: the part does not follow those before
absl::Status AddPart(v1::SimplifyLevelPart part, std::vector<v1::SimplifyResponse>& levels);

}  // namespace warpyard::cli

#endif  // WARPYARD_CLIENT_EXAMPLES_CPP_SIMPLIFY_REMOTE_LEVEL_PARTS_H_
