// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// From the device's unordered lists to the caller's sorted ones.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_RESULT_LISTS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_RESULT_LISTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/workload/ccd/collision_types.h"
#include "core/workload/ccd/scene_view.h"

namespace warpyard::ccd {

/// An unordered list of the device, and what sorting it needs. Kept between steps, since fresh
/// memory costs more than the sort.
template <class T>
struct ListBuffers {
  std::vector<T> list;
  std::vector<T> dealt;           ///< pairs by their first ids
  std::vector<std::size_t> next;  ///< place of the next pair with a first id
};

/// Sorted by (vertex, face). @shape `buffers.list` is sorted in place; candidates have time 0;
///     `vertices`: of the scene
std::vector<VertexFaceCollision> SortedVertexFace(ListBuffers<PairContact>& buffers,
                                                  std::size_t vertices);
std::vector<VertexFaceCollision> SortedVertexFace(ListBuffers<PairIds>& buffers,
                                                  std::size_t vertices);

/// Sorted by edge ids, edges named by their vertices. @shape `edge_vertices`: [edges][2]
std::vector<EdgeEdgeCollision> SortedEdgeEdge(ListBuffers<PairContact>& buffers,
                                              const std::vector<std::uint32_t>& edge_vertices);
std::vector<EdgeEdgeCollision> SortedEdgeEdge(ListBuffers<PairIds>& buffers,
                                              const std::vector<std::uint32_t>& edge_vertices);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_RESULT_LISTS_H_
