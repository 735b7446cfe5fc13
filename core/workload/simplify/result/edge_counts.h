// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Counts the edges of a result by how many triangles they have.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_EDGE_COUNTS_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_EDGE_COUNTS_H_

#include "core/workload/simplify/simplify_types.h"

namespace warpyard::simplify {

/// Vertices at the same position count as one if the mesh has attributes or groups: these tear
/// vertices apart where the surface has no border. Sorts on several threads of the host.
EdgeCounts CountEdges(const SimplifiedMesh& mesh);

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_EDGE_COUNTS_H_
