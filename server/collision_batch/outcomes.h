// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The outcomes of the steps of a batch, as messages.
#ifndef WARPYARD_SERVER_COLLISION_BATCH_OUTCOMES_H_
#define WARPYARD_SERVER_COLLISION_BATCH_OUTCOMES_H_

#include <cstddef>
#include <span>

#include "absl/status/status.h"
#include "core/workload/ccd/set_types.h"
#include "warpyard/v1/collision_batch_service.pb.h"

namespace warpyard::server {

/// @shape status: not OK
void SetStepError(const absl::Status& status, v1::StepError* error);

/// All of an outcome but its result. @shape refused: one a world, not OK for one that had no step
void SetWorlds(const ccd::SetResult& result, std::span<const absl::Status> refused,
               ccd::Report report, v1::SetOutcome* outcome);

/// Takes the lists of worlds out of a result until the others have at most `most` bytes, and
/// returns how many bytes they have. Worlds that come first stay. The worlds whose lists are left
/// out get the error `why`.
std::size_t FitWorlds(std::size_t most, ccd::Report report, const absl::Status& why,
                      ccd::SetResult& result);

}  // namespace warpyard::server

#endif  // WARPYARD_SERVER_COLLISION_BATCH_OUTCOMES_H_
