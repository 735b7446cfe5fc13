// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The memory of a result while it is made: a cut, and its collapses.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_MESH_ARRAYS_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_MESH_ARRAYS_H_

#include <cstdint>

#include "core/workload/simplify/job/simplify_job.h"
#include "core/workload/simplify/model/task_run.h"

namespace warpyard::simplify {

struct MeshArrays {
  Array<std::uint32_t> corners, nodes;
  Array<Vector3d> positions;
  Array<Quadric> quadrics;
  Array<std::uint32_t> wedge_corners, wedge_nodes, wedge_sources;
  Array<float> fields;
};

/// Lists of vertices and wedges, as MeshView has them.
struct CompactedArrays {
  Array<std::uint32_t> nodes, wedge_nodes, wedge_sources;
  Array<Vector3d> positions;
  Array<Quadric> quadrics;
  Array<float> fields;
};

struct CutArrays {
  Array<std::uint32_t> expanded, survivors, mapped, table, slots, first_use, numbers;
  Array<std::uint32_t> wedge_first_use, wedge_numbers;
  Array<std::int32_t> surplus;
};

struct CollapseArrays {
  Array<std::uint32_t> counts, offsets, items;
  Array<std::uint32_t> flags, edges, edge_count, chosen, moved, next;
  Array<float> costs;
  Array<std::uint32_t> wedge_moved, wedge_next;
  Array<std::uint64_t> best, cheapest;
};

}  // namespace warpyard::simplify

#endif  // WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_MESH_ARRAYS_H_
