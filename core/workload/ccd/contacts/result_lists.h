// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Sorts the lists of pairs for the caller, by their ids.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_CONTACTS_RESULT_LISTS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_CONTACTS_RESULT_LISTS_H_

#include <cstddef>
#include <vector>

#include "core/memory/host_vector.h"
#include "core/workload/ccd/collision_types.h"

namespace warpyard::ccd {

/// Memory for sorting, kept from step to step: lists are larger than caches, and getting new memory
/// costs more than filling it.
struct SortBuffers {
  memory::HostVector<VertexFaceCollision> vertex_face;
  memory::HostVector<EdgeEdgeCollision> edge_edge;
  std::vector<std::size_t> next;  ///< for each first id, the place of its next pair
};

/// Sorts by vertex, then face. @shape vertices: of the scene
void SortCollisions(memory::HostVector<VertexFaceCollision>& list, std::size_t vertices,
                    SortBuffers& buffers);

/// Sorts by the ids of the edges: the order of (a1, a0), then (b1, b0). @shape as above
void SortCollisions(memory::HostVector<EdgeEdgeCollision>& list, std::size_t vertices,
                    SortBuffers& buffers);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_CONTACTS_RESULT_LISTS_H_
