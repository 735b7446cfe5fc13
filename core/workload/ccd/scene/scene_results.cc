// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

// What a scene reads back from the device after a step.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/base/macros.h"
#include "core/workload/ccd/contacts/contact_geometry.h"
#include "core/workload/ccd/contacts/contact_sort.h"
#include "core/workload/ccd/contacts/result_lists.h"
#include "core/workload/ccd/scene/scene.h"

namespace warpyard::ccd {
namespace {

/// Memory of the host for a pair: what the caller gets, and its sorted copy.
template <class Collision>
constexpr std::size_t kBytesOf = 2 * sizeof(Collision);

}  // namespace

absl::Status Scene::CheckHostBytes(std::uint64_t pairs, std::size_t needed) const {
  const std::size_t used = backend_.MemoryUsed(), limit = backend_.MemoryLimit();
  if (used <= limit && needed <= limit - used) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat("the result has ", pairs, " pairs, ", needed,
                                                   " bytes; ", used, " bytes are in use, limit ",
                                                   limit, " (--memory-limit-mib)"));
}

/// Has the step write its counters to the host, and its lists, unless they are long ones that
/// stages sort: these read them again.
void Scene::PlaceHostLists(CollisionRunner& runner, StepView& step) {
  DropHostLists();
  if (host_counters_.empty() || !backend_.Reaches(host_counters_.data())) {
    host_counters_ = memory::HostVector<StepCounters>(
        1, memory::HostAllocator<StepCounters>(backend_.HostMemory()));
  }
  const bool counts = runner.CallsFinish() && backend_.Reaches(host_counters_.data());
  step.host_counters = counts ? host_counters_.data() : nullptr;
  if (!counts || step.report != Report::kCollisions || !host_lists_.last) return;
  const auto [last_faces, last_edges] = *host_lists_.last;
  if (step.sorted && last_faces + last_edges >= kLeastSorted) return;
  const auto room = [](std::uint64_t most, std::uint64_t length) {
    return std::min(most, 2 * length + HostLists::kLeastRoom);
  };
  const std::uint64_t vertex_faces = room(step.vertex_face.capacity, last_faces);
  const std::uint64_t edge_edges = room(step.edge_edge.capacity, last_edges);
  if (!MakeRoom(vertex_faces, kBytesOf<VertexFaceCollision>, host_lists_.vertex_face).ok() ||
      !MakeRoom(edge_edges, kBytesOf<EdgeEdgeCollision>, host_lists_.edge_edge).ok() ||
      !backend_.Reaches(host_lists_.vertex_face.data()) ||
      !backend_.Reaches(host_lists_.edge_edge.data())) {
    return DropHostLists();
  }
  host_lists_.are_used = true;
  step.vertex_face.items = host_lists_.vertex_face.data();
  step.vertex_face.capacity = vertex_faces;
  step.edge_edge.items = host_lists_.edge_edge.data();
  step.edge_edge.capacity = edge_edges;
}

/// Pinned memory is for those who step.
void Scene::DropHostLists() {
  host_lists_.are_used = false;
  host_lists_.vertex_face = {};
  host_lists_.edge_edge = {};
}

/// After lists that ran over the step's next run uses those of the device, which have grown then.
void Scene::LearnLengths(const StepView& step, const StepCounters& counters, bool fits) {
  if (step.report != Report::kCollisions) return;
  host_lists_.last.reset();
  if (fits) host_lists_.last = {counters.listed_contacts[0], counters.listed_contacts[1]};
}

absl::Status Scene::ReadCounters(const StepView& step, StepCounters& counters) {
  if (step.host_counters == nullptr) {
    return backend_.CopyOut(&counters, counters_.data(), sizeof counters);
  }
  counters = *step.host_counters;
  return absl::OkStatus();
}

/// @shape each: bytes of an item in all that the host keeps of it
template <class T>
absl::Status Scene::MakeRoom(std::uint64_t count, std::size_t each,
                             memory::HostVector<T>& items) const {
  WY_RETURN_IF_ERROR(CheckHostBytes(count, static_cast<std::size_t>(count) * each));
  items = {};  // both would need more pinned memory than there may be
  items = memory::HostVector<T>(static_cast<std::size_t>(count),
                                memory::HostAllocator<T>(backend_.HostMemory()));
  return absl::OkStatus();
}

absl::Status Scene::ReadCollisions(const StepView& step, const StepCounters& counters,
                                   CollisionResult& result) {
  auto& vertex_face = result.vertex_face;
  auto& edge_edge = result.edge_edge;
  const std::uint64_t* const listed = counters.listed_contacts;
  if (host_lists_.are_used) {
    vertex_face = std::move(host_lists_.vertex_face);
    edge_edge = std::move(host_lists_.edge_edge);
    vertex_face.resize(listed[0]);
    edge_edge.resize(listed[1]);
    return absl::OkStatus();
  }
  WY_RETURN_IF_ERROR(MakeRoom(listed[0], kBytesOf<VertexFaceCollision>, vertex_face));
  WY_RETURN_IF_ERROR(MakeRoom(listed[1], kBytesOf<EdgeEdgeCollision>, edge_edge));
  return backend_.CopyAllOut({{
      {vertex_face.data(), step.vertex_face.items, vertex_face.size() * sizeof vertex_face[0]},
      {edge_edge.data(), step.edge_edge.items, edge_edge.size() * sizeof edge_edge[0]},
  }});
}

absl::Status Scene::ReadResult(const CollisionJob& job, const CollisionOptions& options,
                               const StepCounters& counters, CollisionResult& result) {
  CollisionStatistics& statistics = result.statistics;
  statistics.vertices = view_.vertices;
  statistics.edges = view_.edges;
  statistics.triangles = view_.triangles;
  statistics.vertex_face_candidates = counters.candidates[0];
  statistics.edge_edge_candidates = counters.candidates[1];
  statistics.vertex_face_collisions = counters.contacts[0];
  statistics.edge_edge_collisions = counters.contacts[1];
  statistics.capped_pairs = counters.capped_pairs;
  statistics.continued_walks = counters.continued_walks;
  const HierarchyKind kind =
      job.step.traversal == Traversal::kClusters ? HierarchyKind::kClusters : HierarchyKind::kNodes;
  const HierarchySize& size = counters.sizes[static_cast<std::size_t>(kind)];
  statistics.hierarchy.size = RatioOf(size);
  statistics.hierarchy.growth = rebuild_rule_.Take(kind, size);
  statistics.hierarchy.rebuilds = rebuild_rule_.Rebuilds();
  const TraversalCounters& traversal = counters.traversal;
  if (job.step.traversal != Traversal::kClusters) {
    statistics.traversal = {traversal.visited + (traversal.queued >> 32),
                            counters.meetings,
                            traversal.front,
                            traversal.steals,
                            traversal.rounds,
                            traversal_.StartsFromFront()};
  }
  if (counters.earliest_bits != kNoContactBits) {
    double time;
    std::memcpy(&time, &counters.earliest_bits, sizeof time);
    result.earliest_time = time;
  }
  if (job.step.report == Report::kCandidates) {
    WY_RETURN_IF_ERROR(ReadCandidates(job.step, counters, result));
  } else if (job.step.report == Report::kCollisions) {
    WY_RETURN_IF_ERROR(ReadCollisions(job.step, counters, result));
  }
  if (options.unsorted || IsSorted(job.step, counters)) return absl::OkStatus();
  SortCollisions(result.vertex_face, view_.vertices, sort_buffers_);
  SortCollisions(result.edge_edge, view_.vertices, sort_buffers_);
  return absl::OkStatus();
}

absl::Status Scene::ReadCandidates(const StepView& step, const StepCounters& counters,
                                   CollisionResult& result) {
  memory::HostVector<PairIds> pairs;  // many, and seldom asked for
  WY_RETURN_IF_ERROR(
      MakeRoom(counters.survivors[0], sizeof(PairIds) + kBytesOf<VertexFaceCollision>, pairs));
  WY_RETURN_IF_ERROR(
      backend_.CopyOut(pairs.data(), step.survivors[0].items, pairs.size() * sizeof(PairIds)));
  result.vertex_face.reserve(pairs.size());
  for (const PairIds& pair : pairs) result.vertex_face.push_back({pair.a, pair.b, 0});
  WY_RETURN_IF_ERROR(
      MakeRoom(counters.survivors[1], sizeof(PairIds) + kBytesOf<EdgeEdgeCollision>, pairs));
  WY_RETURN_IF_ERROR(
      backend_.CopyOut(pairs.data(), step.survivors[1].items, pairs.size() * sizeof(PairIds)));
  result.edge_edge.reserve(pairs.size());
  for (const PairIds& pair : pairs) {
    const std::uint32_t* const a = &edge_vertices_[2 * std::size_t{pair.a}];
    const std::uint32_t* const b = &edge_vertices_[2 * std::size_t{pair.b}];
    result.edge_edge.push_back({a[0], a[1], b[0], b[1], 0});
  }
  return absl::OkStatus();
}

absl::Status Scene::AddGeometry(const StepView& step, const procedure::CancelToken& token,
                                CollisionResult& result) {
  const std::size_t pairs = result.vertex_face.size() + result.edge_edge.size();
  if (pairs == 0) return absl::OkStatus();
  WY_RETURN_IF_ERROR(CheckHostBytes(pairs, pairs * sizeof(VertexFaceGeometry) +
                                               view_.vertices * 2 * sizeof(Vector3d) +
                                               view_.triangles * sizeof(Triangle)));
  std::vector<Triangle> faces(result.vertex_face.empty() ? 0 : view_.triangles);
  std::vector<Vector3d> start(view_.vertices), end(view_.vertices);
  WY_RETURN_IF_ERROR(
      backend_.CopyOut(faces.data(), triangle_records_.data(), faces.size() * sizeof(Triangle)));
  WY_RETURN_IF_ERROR(backend_.CopyOut(start.data(), step.start, start.size() * sizeof(Vector3d)));
  WY_RETURN_IF_ERROR(backend_.CopyOut(end.data(), step.end, end.size() * sizeof(Vector3d)));
  const auto pair_of = [&](PairKind kind, const std::array<std::uint32_t, 4>& vertices) {
    MovingPair pair{kind, {}, {}};
    for (std::size_t k = 0; k < 4; ++k) {
      pair.start[k] = start[vertices[k]];
      pair.end[k] = end[vertices[k]];
    }
    return pair;
  };
  result.vertex_face_geometry.reserve(result.vertex_face.size());
  for (const VertexFaceCollision& at : result.vertex_face) {
    const std::uint32_t(&v)[3] = faces[at.face].vertex;
    const MovingPair pair = pair_of(PairKind::kVertexFace, {at.vertex, v[0], v[1], v[2]});
    result.vertex_face_geometry.push_back(VertexFaceGeometryAt(pair, at.time));
    if (token.Cancelled()) return absl::CancelledError("cancelled while the result was made");
  }
  result.edge_edge_geometry.reserve(result.edge_edge.size());
  for (const EdgeEdgeCollision& at : result.edge_edge) {
    const MovingPair pair = pair_of(PairKind::kEdgeEdge, {at.a0, at.a1, at.b0, at.b1});
    result.edge_edge_geometry.push_back(EdgeEdgeGeometryAt(pair, at.time));
    if (token.Cancelled()) return absl::CancelledError("cancelled while the result was made");
  }
  return absl::OkStatus();
}

}  // namespace warpyard::ccd
