// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Computes how much memory of a device a scene needs, before any of it is allocated.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_SCENE_MEMORY_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_SCENE_MEMORY_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "core/device/backend.h"
#include "core/workload/ccd/job/contact_rows.h"
#include "core/workload/ccd/job/pair_ids.h"
#include "core/workload/ccd/job/step_counters.h"

namespace warpyard::ccd {

struct SceneSize {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::uint64_t triangles = 0;
  bool has_groups = false;
  bool has_bodies = false;             ///< see CountBodies: rest positions are kept for poses
  std::uint64_t worlds = 1;            ///< equal parts of the vertices, edges and triangles
  std::uint64_t static_triangles = 0;  ///< of each world
};

/// Bytes of backend memory.
struct SceneBytes {
  std::uint64_t scene = 0;      ///< from Scene::Open on
  std::uint64_t hierarchy = 0;  ///< from the first step on whose traversal goes by leaves
  /// Needed from the first step on; more if a step has more pairs. Positions as floats, quantised
  /// or as poses need more memory: at most 12 bytes for each vertex and end.
  std::uint64_t lists = 0;
};

/// @shape size.triangles: at least 1
SceneBytes BytesOf(const SceneSize& size);

/// Room for `needed` items and a quarter more, since the next step needs about as many.
constexpr std::size_t WithSlack(std::uint64_t needed) {
  return static_cast<std::size_t>(needed + needed / 4);
}

/// `PairIds` slots of one `RowContact`: the sort reuses the survivors' memory for its rows.
inline constexpr std::uint64_t kSurvivorsToDeal = sizeof(RowContact) / sizeof(PairIds);
static_assert(sizeof(RowContact) % sizeof(PairIds) == 0);

/// Estimates the lengths of the lists of a first step; real scenes differ by a factor of a hundred.
/// @shape triangles: those that move
StepCounters FirstListLengths(std::uint64_t triangles);

/// Checks that this many bytes of a scene fit on a device.
/// @errors RESOURCE_EXHAUSTED: names the scene's size, the bytes it needs, the bytes in use and the
/// limit
absl::Status CheckFits(const device::Backend& backend, const SceneSize& size, std::uint64_t bytes);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_SCENE_MEMORY_H_
