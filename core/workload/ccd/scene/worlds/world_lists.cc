// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/worlds/world_lists.h"

#include <utility>

namespace warpyard::ccd {
namespace {

/// Appends to a list, or replaces one that is empty, which copies nothing.
template <class List>
void Append(List&& later, List& to) {
  if (to.empty()) {
    to = std::move(later);
  } else {
    to.insert(to.end(), later.begin(), later.end());
  }
}

}  // namespace

WorldCounts SplitByWorld(const WorldsView& worlds, CollisionResult& result) {
  WorldCounts counts{std::vector<std::uint64_t>(worlds.count, 0),
                     std::vector<std::uint64_t>(worlds.count, 0)};
  std::uint32_t world = 0, first = 0;  // the lists are sorted, so worlds follow each other
  const auto go_to = [&](std::uint32_t vertex) {
    for (; vertex - first >= worlds.vertices; first += worlds.vertices) ++world;
  };
  for (VertexFaceCollision& pair : result.vertex_face) {
    go_to(pair.vertex);
    ++counts.vertex_faces[world];
    pair.vertex -= first;
    pair.face -= world * worlds.triangles;
  }
  world = first = 0;
  for (EdgeEdgeCollision& pair : result.edge_edge) {
    go_to(pair.a1);
    ++counts.edge_edges[world];
    for (std::uint32_t* vertex : {&pair.a0, &pair.a1, &pair.b0, &pair.b1}) *vertex -= first;
  }
  return counts;
}

void AppendLists(CollisionResult&& later, CollisionResult& to) {
  Append(std::move(later.vertex_face), to.vertex_face);
  Append(std::move(later.edge_edge), to.edge_edge);
  Append(std::move(later.vertex_face_geometry), to.vertex_face_geometry);
  Append(std::move(later.edge_edge_geometry), to.edge_edge_geometry);
  const CollisionStatistics& from = later.statistics;
  CollisionStatistics& all = to.statistics;
  all.vertices = from.vertices;
  all.edges = from.edges;
  all.triangles = from.triangles;
  all.vertex_face_candidates += from.vertex_face_candidates;
  all.edge_edge_candidates += from.edge_edge_candidates;
  all.vertex_face_collisions += from.vertex_face_collisions;
  all.edge_edge_collisions += from.edge_edge_collisions;
  all.capped_pairs += from.capped_pairs;
  all.hierarchy = from.hierarchy;
}

}  // namespace warpyard::ccd
