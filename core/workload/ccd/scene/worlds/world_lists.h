// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// Turns the lists of a whole set into lists of its worlds.
#ifndef WARPYARD_CORE_WORKLOAD_CCD_SCENE_WORLDS_WORLD_LISTS_H_
#define WARPYARD_CORE_WORKLOAD_CCD_SCENE_WORLDS_WORLD_LISTS_H_

#include <cstdint>
#include <vector>

#include "core/workload/ccd/collision_types.h"
#include "core/workload/ccd/job/scene_view.h"

namespace warpyard::ccd {

/// How many pairs each world of a set has. @shape [worlds]
struct WorldCounts {
  std::vector<std::uint64_t> vertex_faces, edge_edges;
};

/// Gives all pairs the ids that they have in the mesh, and counts the pairs of each world.
/// @shape result: sorted by the ids of the set
WorldCounts SplitByWorld(const WorldsView& worlds, CollisionResult& result);

/// Appends the lists of worlds that come later, with their counts of pairs.
void AppendLists(CollisionResult&& later, CollisionResult& to);

}  // namespace warpyard::ccd

#endif  // WARPYARD_CORE_WORKLOAD_CCD_SCENE_WORLDS_WORLD_LISTS_H_
