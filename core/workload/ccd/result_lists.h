// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// From the device's unordered lists to the caller's sorted ones.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_RESULT_LISTS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_RESULT_LISTS_H_

#include <cstdint>
#include <vector>

#include "core/workload/ccd/collision_types.h"
#include "core/workload/ccd/scene_view.h"

namespace warpyard::ccd {

/// Sorted by (vertex, face). @shape `list` is sorted in place; candidates have time 0
std::vector<VertexFaceCollision> SortedVertexFace(std::vector<PairContact>& list);
std::vector<VertexFaceCollision> SortedVertexFace(std::vector<PairIds>& list);

/// Sorted by edge ids, edges named by their vertices. @shape `edge_vertices`: [edges][2]
std::vector<EdgeEdgeCollision> SortedEdgeEdge(std::vector<PairContact>& list,
                                              const std::vector<std::uint32_t>& edge_vertices);
std::vector<EdgeEdgeCollision> SortedEdgeEdge(std::vector<PairIds>& list,
                                              const std::vector<std::uint32_t>& edge_vertices);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_RESULT_LISTS_H_
