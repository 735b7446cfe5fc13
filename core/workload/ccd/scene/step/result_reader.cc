// SPDX-FileCopyrightText: 2026 The Warpyard Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/workload/ccd/scene/step/result_reader.h"

#include <array>
#include <cstddef>
#include <cstring>

#include "core/base/macros.h"
#include "core/workload/ccd/contacts/contact_geometry.h"
#include "core/workload/ccd/contacts/contact_sort.h"
#include "core/workload/ccd/scene/step/host_room.h"

namespace warpyard::ccd {
namespace {

void ReadCounts(const MeshView& mesh, const StepCounters& counters,
                CollisionStatistics& statistics) {
  statistics.vertices = mesh.vertices;
  statistics.edges = mesh.edges;
  statistics.triangles = mesh.triangles;
  statistics.vertex_face_candidates = counters.candidates[0];
  statistics.edge_edge_candidates = counters.candidates[1];
  statistics.vertex_face_collisions = counters.contacts[0];
  statistics.edge_edge_collisions = counters.contacts[1];
  statistics.capped_pairs = counters.capped_pairs;
}

/// The four points of a pair at both ends of a step, on the host.
struct HostEnds {
  std::vector<Vector3d> start, end;

  MovingPair PairOf(PairKind kind, const std::array<std::uint32_t, 4>& vertices) const {
    MovingPair pair{kind, {}, {}};
    for (std::size_t k = 0; k < 4; ++k) {
      pair.start[k] = start[vertices[k]];
      pair.end[k] = end[vertices[k]];
    }
    return pair;
  }
};

}  // namespace

absl::Status ResultReader::Read(const CollisionJob& job, const StepCounters& counters,
                                bool unsorted, CollisionResult& result) {
  const MeshView& mesh = job.scene.mesh;
  ReadCounts(mesh, counters, result.statistics);
  if (counters.earliest_bits != kNoContactBits) {
    double time;
    std::memcpy(&time, &counters.earliest_bits, sizeof time);
    result.earliest_time = time;
  }
  if (job.step.asked.report == Report::kCandidates) {
    WY_RETURN_IF_ERROR(ReadCandidates(job.step, counters, result));
  } else if (job.step.asked.report == Report::kCollisions) {
    WY_RETURN_IF_ERROR(ReadCollisions(job.step, counters, result));
  }
  if (unsorted || IsSorted(job.step, counters)) return absl::OkStatus();
  SortCollisions(result.vertex_face, mesh.vertices, sort_buffers_);
  SortCollisions(result.edge_edge, mesh.vertices, sort_buffers_);
  return absl::OkStatus();
}

absl::Status ResultReader::ReadCollisions(const StepView& step, const StepCounters& counters,
                                          CollisionResult& result) {
  if (lists_.TakeLists(counters, result)) return absl::OkStatus();
  auto& vertex_face = result.vertex_face;
  auto& edge_edge = result.edge_edge;
  const std::uint64_t* const listed = counters.listed_contacts;
  WY_RETURN_IF_ERROR(
      MakeHostRoom(backend_, listed[0], kHostBytesOf<VertexFaceCollision>, vertex_face));
  WY_RETURN_IF_ERROR(MakeHostRoom(backend_, listed[1], kHostBytesOf<EdgeEdgeCollision>, edge_edge));
  return backend_.CopyAllOut({{
      {vertex_face.data(), step.lists.vertex_face.items,
       vertex_face.size() * sizeof vertex_face[0]},
      {edge_edge.data(), step.lists.edge_edge.items, edge_edge.size() * sizeof edge_edge[0]},
  }});
}

absl::Status ResultReader::ReadCandidates(const StepView& step, const StepCounters& counters,
                                          CollisionResult& result) const {
  const auto read = [&](std::size_t kind, std::size_t each,
                        memory::HostVector<PairIds>& pairs) -> absl::Status {
    WY_RETURN_IF_ERROR(
        MakeHostRoom(backend_, counters.survivors[kind], sizeof(PairIds) + each, pairs));
    return backend_.CopyOut(pairs.data(), step.lists.survivors[kind].items,
                            pairs.size() * sizeof(PairIds));
  };
  memory::HostVector<PairIds> pairs;  // many, and seldom asked for
  WY_RETURN_IF_ERROR(read(0, kHostBytesOf<VertexFaceCollision>, pairs));
  result.vertex_face.reserve(pairs.size());
  for (const PairIds& pair : pairs) result.vertex_face.push_back({pair.a, pair.b, 0});
  WY_RETURN_IF_ERROR(read(1, kHostBytesOf<EdgeEdgeCollision>, pairs));
  result.edge_edge.reserve(pairs.size());
  for (const PairIds& pair : pairs) {
    const std::uint32_t* const a = &edge_vertices_[2 * std::size_t{pair.a}];
    const std::uint32_t* const b = &edge_vertices_[2 * std::size_t{pair.b}];
    result.edge_edge.push_back({a[0], a[1], b[0], b[1], 0});
  }
  return absl::OkStatus();
}

absl::Status ResultReader::AddGeometry(const CollisionJob& job, const procedure::CancelToken& token,
                                       CollisionResult& result) const {
  const MeshView& mesh = job.scene.mesh;
  const std::size_t pairs = result.vertex_face.size() + result.edge_edge.size();
  if (pairs == 0) return absl::OkStatus();
  WY_RETURN_IF_ERROR(CheckHostBytes(backend_, pairs,
                                    pairs * sizeof(VertexFaceGeometry) +
                                        std::size_t{mesh.vertices} * 2 * sizeof(Vector3d) +
                                        std::size_t{mesh.triangles} * sizeof(Triangle)));
  std::vector<Triangle> faces(result.vertex_face.empty() ? 0 : mesh.triangles);
  HostEnds ends{std::vector<Vector3d>(mesh.vertices), std::vector<Vector3d>(mesh.vertices)};
  WY_RETURN_IF_ERROR(
      backend_.CopyOut(faces.data(), mesh.triangle_records, faces.size() * sizeof(Triangle)));
  const std::size_t bytes = ends.start.size() * sizeof(Vector3d);
  WY_RETURN_IF_ERROR(backend_.CopyOut(ends.start.data(), job.step.start, bytes));
  WY_RETURN_IF_ERROR(backend_.CopyOut(ends.end.data(), job.step.end, bytes));
  result.vertex_face_geometry.reserve(result.vertex_face.size());
  for (const VertexFaceCollision& at : result.vertex_face) {
    const std::uint32_t(&v)[3] = faces[at.face].vertex;
    const MovingPair pair = ends.PairOf(PairKind::kVertexFace, {at.vertex, v[0], v[1], v[2]});
    result.vertex_face_geometry.push_back(VertexFaceGeometryAt(pair, at.time));
    if (token.Cancelled()) return absl::CancelledError("cancelled while the result was made");
  }
  result.edge_edge_geometry.reserve(result.edge_edge.size());
  for (const EdgeEdgeCollision& at : result.edge_edge) {
    const MovingPair pair = ends.PairOf(PairKind::kEdgeEdge, {at.a0, at.a1, at.b0, at.b1});
    result.edge_edge_geometry.push_back(EdgeEdgeGeometryAt(pair, at.time));
    if (token.Cancelled()) return absl::CancelledError("cancelled while the result was made");
  }
  return absl::OkStatus();
}

}  // namespace warpyard::ccd
