// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/scene_memory.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "core/base/status_facts.h"
#include "core/workload/ccd/job/cluster.h"
#include "core/workload/ccd/job/scene_view.h"
#include "core/workload/ccd/job/step_view.h"

namespace warpyard::ccd {
StepCounters FirstListLengths(std::uint64_t triangles) {
  StepCounters lengths{};
  lengths.meetings = 40 * ClustersOf(triangles) + 1024;
  // There are two to four times as many pairs of edges as vertex-face pairs.
  lengths.listed_contacts[0] = lengths.listed_contacts[1] = triangles + 1024;
  lengths.survivors[0] = kSurvivorsToDeal * lengths.listed_contacts[0];
  lengths.survivors[1] = 2 * lengths.survivors[0];
  lengths.left = 2 * triangles + 1024;
  return lengths;
}

SceneBytes BytesOf(const SceneSize& size) {
  const std::uint64_t vertices = size.vertices, edges = size.edges, triangles = size.triangles;
  const std::uint64_t nodes = std::max<std::uint64_t>(triangles - 1, 1);
  const std::uint64_t worlds = size.worlds;
  const std::uint64_t clusters =
      worlds * ClustersOf<std::uint64_t>(triangles / worlds, size.static_triangles);
  const ClusterTree tree = ClusterTreeOf(static_cast<std::uint32_t>(clusters / worlds),
                                         static_cast<std::uint32_t>(worlds));
  SceneBytes bytes;
  // Records, leaves and keys, edges; positions at three times, points; features, clusters.
  bytes.scene =
      triangles * sizeof(Triangle) +
      triangles / worlds * (sizeof(Triangle) + sizeof(std::uint64_t)) +
      edges * 2 * sizeof(std::uint32_t) + vertices * (3 * sizeof(Vector3d) + sizeof(FloatPoint)) +
      (vertices + edges + triangles) * (sizeof(Feature) + sizeof(FeatureCorners)) +
      clusters * (sizeof(FeatureSpan) + kClusterVertices * sizeof(std::uint32_t)) +
      tree.first[tree.levels] * (sizeof(geometry::Box) + sizeof(std::uint32_t)) +
      (size.has_groups ? vertices / (size.has_bodies ? 1 : worlds) * sizeof(std::uint32_t) : 0) +
      (worlds > 1 ? worlds * (sizeof(WorldState) + sizeof(std::uint64_t)) : 0) +
      (size.has_bodies ? vertices * sizeof(Vector3d) : 0) + kBoundWords * sizeof(std::uint32_t) +
      sizeof(StepCounters);
  bytes.hierarchy = nodes * (sizeof(Node) + 3 * sizeof(std::uint32_t)) +
                    triangles * sizeof(std::uint32_t) + sizeof(std::uint32_t) +
                    vertices * sizeof(geometry::Box);
  const StepCounters lengths = FirstListLengths(triangles - worlds * size.static_triangles);
  bytes.lists = WithSlack(lengths.meetings) * sizeof(PairIds) +
                WithSlack(lengths.left) * sizeof(LeftPair) +
                (vertices <= ContactRows::kMostVertices
                     ? ContactRows::WordsOf(static_cast<std::uint32_t>(vertices))
                     : 0) *
                    sizeof(std::uint32_t);
  for (int kind = 0; kind < 2; ++kind) {
    bytes.lists += WithSlack(lengths.survivors[kind]) * sizeof(PairIds) +
                   WithSlack(lengths.listed_contacts[kind]) *
                       (kind == 0 ? sizeof(VertexFaceCollision) : sizeof(EdgeEdgeCollision));
  }
  return bytes;
}

absl::Status CheckFits(const device::Backend& backend, const SceneSize& size, std::uint64_t bytes) {
  const std::uint64_t used = backend.MemoryUsed(), limit = backend.MemoryLimit();
  if (used <= limit && bytes <= limit - used) return absl::OkStatus();
  return WithCause(Cause::kDeviceMemory,
                   absl::ResourceExhaustedError(absl::StrCat(
                       "the scene has ", size.vertices, " vertices and ", size.triangles,
                       " triangles and needs ", bytes, " bytes of device memory more; ", used,
                       " are in use, limit ", limit, " (--memory-limit-mib)")));
}

}  // namespace warpyard::ccd
