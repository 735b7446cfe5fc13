// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What the workers of every device can run: the procedures of all workloads in one program.
#ifndef WARPYARD_CORE_PROGRAMS_H_
#define WARPYARD_CORE_PROGRAMS_H_

#include "core/model/combined_program.h"
#include "core/workload/ccd/collision_program.h"
#include "core/workload/synthetic/synthetic_program.h"

namespace warpyard {

using ServiceProgram = model::CombinedProgram<ccd::CollisionProgram, synthetic::SyntheticProgram>;

}  // namespace warpyard

#endif  // WARPYARD_CORE_PROGRAMS_H_
