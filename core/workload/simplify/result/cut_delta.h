// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What is new in a cut against the one before it.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_CUT_DELTA_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_CUT_DELTA_H_

#include "core/workload/simplify/simplify_types.h"

namespace warpyard::simplify {

/// Leaves only what `previous` does not have, in the same order, and sets SimplifiedMesh::delta. A
/// vertex at a seam may have moved, or have other attributes: then it stays, too.
/// @shape both: with ids
void KeepDifference(const SimplifiedMesh& previous, SimplifiedMesh& mesh);

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_CUT_DELTA_H_
