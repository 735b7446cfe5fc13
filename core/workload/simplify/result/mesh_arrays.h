// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// The memory of a result while it is made: a cut, and its collapses.
#ifndef WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_MESH_ARRAYS_H_
#define WARPYARD_CORE_WORKLOAD_SIMPLIFY_RESULT_MESH_ARRAYS_H_

#include <cstddef>
#include <cstdint>
#include <random>

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

/// UsesView on the device.
struct UseArrays {
  Array<std::uint32_t> nodes, first_use, numbers, slots, points, kept, firsts;

  std::uint64_t Bytes() const {
    return (nodes.size() + first_use.size() + numbers.size() + slots.size() + points.size() +
            kept.size() + firsts.size()) *
           sizeof(std::uint32_t);
  }
};

/// What kResult needs beside the result.
struct ResultArrays {
  Array<std::uint32_t> expanded, survivors, mapped, table, slots;
  Array<std::int32_t> surplus;
  UseArrays uses;
  Array<ViewFrustum> frusta;
  Array<std::uint32_t> previous;
  /// Words of `expanded`, and slots of the hash table, that are clear.
  std::size_t clear_words = 0, clear_slots = 0;
  /// Of hashes; no client knows it.
  std::uint32_t seed = std::random_device()();

  std::uint64_t Bytes() const {
    return (expanded.size() + survivors.size() + mapped.size() + table.size() + slots.size() +
            surplus.size() + previous.size()) *
               sizeof(std::uint32_t) +
           uses.Bytes() + frusta.size() * sizeof(ViewFrustum);
  }
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
